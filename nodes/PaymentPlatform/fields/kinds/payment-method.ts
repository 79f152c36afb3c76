import { choice, type ChoiceOptions } from './choice';
import type { Field, FieldBase, ValueField } from '../types';
import { when } from './when';

/** Values of the payment method. Saved workflows contain these values, so the values can't change after the release. */
export const CARD = 'card';
export const BANK_ACCOUNT = 'bankAccount';
export const SAVED_CARD = 'savedCard';

export const CUSTOMER_CARD = 'customerCard';
export const SWIPE = 'swipe';
export const WALLET_A = 'walletA';
export const WALLET_B = 'walletB';

/** Payment methods that need encrypted data or a card reader. */
export const OTHER_METHODS: ChoiceOptions['options'] = [
  { name: 'Card Swipe', value: SWIPE, description: 'Track data from a card reader' },
  { name: 'Digital Wallet A', value: WALLET_A, description: 'Encrypted payment data from digital wallet A' },
  {
    name: 'Digital Wallet B',
    value: WALLET_B,
    description: 'Encrypted payment data from digital wallet B. Support must enable the wallet.',
  },
];

/**
 * Field for the payment method, with the first option as the default. The request doesn't contain the payment method,
 * because the service derives it from the other fields (service.md#card-data).
 */
export const methodChoice = (description: string, options: ChoiceOptions['options']): ValueField =>
  choice({ name: 'paymentMethod', label: 'Payment Method', description, options, place: 'node' });

/** Field for the payment method to save, with a card as the default. */
export const paymentMethod = (description: string, more: ChoiceOptions['options'] = []): ValueField =>
  methodChoice(description, [
    { name: 'Card', value: CARD },
    { name: 'Bank Account (ACH)', value: BANK_ACCOUNT },
    ...more,
  ]);

/**
 * Returns fields that the editor shows and the node sends only while the payment method in `value` is selected. The
 * fields in `needed` are then required. The condition of the default method excludes the other methods instead of
 * including the default method. Otherwise, the editor wouldn't clear the fields when the user selects another operation
 * (n8n.md#parameters).
 */
export function whilePayingBy(
  method: ValueField,
  value: string | readonly string[],
  fields: Field[],
  needed: FieldBase[] = [],
): Field[] {
  const { options = [], default: own } = method.property;
  const wanted: readonly unknown[] = [value].flat();
  const ways = options.flatMap((way) => ('value' in way ? [String(way.value)] : []));
  const except = wanted.includes(own);
  const values = ways.filter((way) => wanted.includes(way) !== except);
  return fields.map((field) =>
    when(method, values, field, { required: needed.includes(field), unmarked: true, except }),
  );
}
