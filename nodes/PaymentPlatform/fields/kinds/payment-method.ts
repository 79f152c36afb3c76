import { choice, type ChoiceOptions } from './choice';
import type { Field, FieldBase, ValueField } from '../types';
import { when } from './when';

/** Stored values of the payment method, which can't change after the release. */
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
 * Payment method, by default the first of the options. The service has no such field and evaluates the other fields
 * (service.md#card-data).
 */
export const methodChoice = (description: string, options: ChoiceOptions['options']): ValueField =>
  choice({ name: 'paymentMethod', label: 'Payment Method', description, options, place: 'node' });

/** Payment method to save, by default a card. */
export const paymentMethod = (description: string, more: ChoiceOptions['options'] = []): ValueField =>
  methodChoice(description, [
    { name: 'Card', value: CARD },
    { name: 'Bank Account (ACH)', value: BANK_ACCOUNT },
    ...more,
  ]);

/**
 * Returns the fields of a payment method, or of several, shown and sent only while it is selected. The fields in `needed` are then
 * required. The fields of the default method are hidden for each other method, because the editor empties only
 * parameters that are shown without their defaults (n8n.md#parameters).
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
