import { choice } from '../../fields/kinds/choice';
import { savedCard } from '../../fields/common';
import { composite } from '../../fields/kinds/composite';
import type { Field } from '../../fields/types';
import { when } from '../../fields/kinds/when';
import { AddSubscriptionRequest, UpdateSubscriptionRequest } from '../../wire/schemas';

const PRIMARY = 'primary';
const OTHER = 'other';

/** In a request, an empty card ID selects the customer's primary card (openapi.yaml#UpdateSubscriptionRequest). */
const chargedBy = choice({
  name: 'chargedBy',
  label: 'Card to Charge',
  description:
    'Card or bank account to charge in the future. You can change the payment method only if the subscription is active.',
  options: [
    { name: 'Another Saved Card', value: OTHER, description: 'Card or bank account saved for the customer' },
    {
      name: "Customer's Primary Card",
      value: PRIMARY,
      description: 'Primary card or bank account of the customer',
    },
  ],
  unset: 'Leave Unchanged',
  place: 'node',
});

const { pattern } = AddSubscriptionRequest.card_id;
const another = when(
  chargedBy,
  [OTHER],
  savedCard(
    { ...UpdateSubscriptionRequest.card_id, pattern },
    {
      description:
        'Saved card or bank account to charge. The list shows the payment methods of the customer who owns the subscription.',
    },
  ),
  { required: true },
);

export const cardFields = (): Field[] => [
  chargedBy,
  composite(another, [another], ({ read, look }) => (look(chargedBy) === PRIMARY ? '' : read(another))),
];
