import { change, choice } from '../../../../nodes/PaymentPlatform/fields/kinds/choice';
import { text } from '../../../../nodes/PaymentPlatform/fields/kinds/text';
import { composite } from '../../../../nodes/PaymentPlatform/fields/kinds/composite';
import { locator } from '../../../../nodes/PaymentPlatform/fields/kinds/locator';
import type { Operation } from '../../../../nodes/PaymentPlatform/model/types';
import { when } from '../../../../nodes/PaymentPlatform/fields/kinds/when';
import { alphanumeric } from '../../../../nodes/PaymentPlatform/wire/patterns';
import { operationOf } from '../../requests';

const words = (name: string, label: string, maxLength: number) =>
  text({ name, label, description: label, maxLength, notIdentifying: false });

export const customerUpdate: Operation = operationOf({
  request: { method: 'PUT', path: '/platform/vault/customer', family: 'platform', effect: 'repeatsSafely' },
  fields: [
    { ...words('customer_id', 'Customer', 32), place: 'path' },
    change({ name: 'verify', label: 'Verify', description: 'Whether new cards are verified' }),
    words('comments', 'Comments', 128),
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

/** Operation that updates a subscription's card. An empty card_id selects the primary card. */
export const subscriptionUpdate: Operation = operationOf({
  fields: [
    composite(card, [charged, when(charged, ['saved'], card, { required: true })], ({ read }) => {
      const chosen = read(charged);
      return chosen === 'primary' ? '' : chosen === 'saved' ? read(card) : undefined;
    }),
  ],
});
