import { change, choice } from '../../../../nodes/PaymentPlatform/fields/kinds/choice';
import { clearing } from '../../../../nodes/PaymentPlatform/fields/clearing';
import { text } from '../../../../nodes/PaymentPlatform/fields/kinds/text';
import { section } from '../../../../nodes/PaymentPlatform/fields/kinds/group';
import { composite } from '../../../../nodes/PaymentPlatform/fields/kinds/composite';
import { locator } from '../../../../nodes/PaymentPlatform/fields/kinds/locator';
import type { Operation } from '../../../../nodes/PaymentPlatform/model/types';
import { when } from '../../../../nodes/PaymentPlatform/fields/kinds/when';
import { alphanumeric } from '../../../../nodes/PaymentPlatform/wire/patterns';
import { operationOf } from '../../requests';

const words = (name: string, label: string, maxLength: number) =>
  text({ name, label, description: label, maxLength, notIdentifying: false });

const emptiable = [
  words('customer_phone', 'Phone', 16),
  words('customer_email', 'Email', 64),
  words('comments', 'Comments', 128),
];

/** Updates a customer. Omitted fields stay unchanged, and named fields are emptied. */
export const customerUpdate: Operation = operationOf({
  request: { method: 'PUT', path: '/platform/vault/customer', family: 'platform', effect: 'repeatsSafely' },
  fields: [
    { ...words('customer_id', 'Customer', 32), place: 'path' },
    change({ name: 'verify', label: 'Verify', description: 'Whether new cards are verified' }),
    section({
      name: 'changes',
      label: 'Changes',
      fields: [
        ...emptiable,
        clearing({ name: 'emptied', label: 'Fields to Empty', description: 'Sent empty', fields: emptiable }),
      ],
    }),
  ],
});

const card = locator({
  name: 'card_id',
  label: 'Saved Card',
  description: 'Card to charge',
  search: 'searchCards',
  pattern: alphanumeric(32),
});
const charged = choice({
  name: 'cardToCharge',
  label: 'Card to Charge',
  description: 'Which card',
  options: [
    { name: 'Keep', value: 'keep' },
    { name: 'The Primary Card', value: 'primary' },
    { name: 'A Saved Card', value: 'saved' },
  ],
  place: 'node',
});

/** Returns a subscription to the primary card with an empty card_id. */
export const subscriptionUpdate: Operation = operationOf({
  fields: [
    composite(card, [charged, when(charged, ['saved'], card, { required: true })], ({ read }) => {
      const chosen = read(charged);
      return chosen === 'primary' ? '' : chosen === 'saved' ? read(card) : undefined;
    }),
  ],
});
