import { choice, type ChoiceOptions } from './choice';
import type { Field, FieldBase, ValueField } from '../types';
import { when } from './when';

/** Saved workflows contain these values, so they can't change. */
export const CARD = 'card';
export const BANK_ACCOUNT = 'bankAccount';
export const SAVED_CARD = 'savedCard';

export const CUSTOMER_CARD = 'customerCard';
export const SWIPE = 'swipe';
export const WALLET_A = 'walletA';
export const WALLET_B = 'walletB';

/** These methods need encrypted data or a card reader. */
export const OTHER_METHODS: ChoiceOptions['options'] = [
  { name: 'Card Swipe', value: SWIPE, description: 'Track data from a card reader' },
  { name: 'Digital Wallet A', value: WALLET_A, description: 'Encrypted payment data from digital wallet A' },
  {
    name: 'Digital Wallet B',
    value: WALLET_B,
    description: 'Encrypted payment data from digital wallet B. Support must enable the wallet.',
  },
];

/** The service derives the payment method from the other fields of the request (service.md#card-data). */
export const methodChoice = (description: string, options: ChoiceOptions['options']): ValueField =>
  choice({ name: 'paymentMethod', label: 'Payment Method', description, options, place: 'node' });

export const paymentMethod = (description: string, more: ChoiceOptions['options'] = []): ValueField =>
  methodChoice(description, [
    { name: 'Card', value: CARD },
    { name: 'Bank Account (ACH)', value: BANK_ACCOUNT },
    ...more,
  ]);

/**
 * Limits fields to the payment method `value`. The default method has an inverted condition, so that the editor clears
 * its fields when the user selects another operation (n8n.md#parameters).
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
