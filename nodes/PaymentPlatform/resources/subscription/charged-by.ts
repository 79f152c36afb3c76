import { choice } from '../../fields/kinds/choice';
import { savedCard } from '../../fields/common';
import { composite } from '../../fields/kinds/composite';
import type { Field } from '../../fields/types';
import { when } from '../../fields/kinds/when';
import { AddSubscriptionRequest, UpdateSubscriptionRequest } from '../../wire/schemas';

const PRIMARY = 'primary';
const OTHER = 'other';

/** The service has no field for the choice itself: an empty card goes back to the primary one (openapi.yaml#UpdateSubscriptionRequest). */
const chargedBy = choice({
  name: 'chargedBy',
  label: 'Charged By',
  description: 'Which card or bank account is charged from now on. The subscription must be active to get another one.',
  options: [
    { name: 'Another Saved Card', value: OTHER, description: 'A card or bank account that the customer has saved' },
    {
      name: "Back to the Customer's Primary Card",
      value: PRIMARY,
      description: 'Whatever card or bank account is the primary one',
    },
  ],
  unset: 'Leave as It Is',
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
        "The card or bank account of the customer that is charged from now on. The list shows what is saved for the subscription's customer.",
    },
  ),
  { required: true },
);

/** Which card is charged from now on. */
export const cardFields = (): Field[] => [
  chargedBy,
  composite(another, [another], ({ read, look }) => (look(chargedBy) === PRIMARY ? '' : read(another))),
];
