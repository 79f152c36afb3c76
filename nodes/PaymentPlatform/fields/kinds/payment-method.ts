import { choice, type ChoiceOptions } from './choice';
import type { Field, FieldBase, ValueField } from '../types';
import { when } from './when';

/** Stored values of the payment method, which can't change after the release. */
export const CARD = 'card';
export const BANK_ACCOUNT = 'bankAccount';
export const SAVED_CARD = 'savedCard';

/** Payment method. The service has no such field and decides by the other fields (service.md#card-data). */
export const paymentMethod = (description: string, more: ChoiceOptions['options'] = []): ValueField =>
  choice({
    name: 'paymentMethod',
    label: 'Payment Method',
    description,
    options: [{ name: 'Card', value: CARD }, { name: 'Bank Account (ACH)', value: BANK_ACCOUNT }, ...more],
    default: CARD,
    place: 'node',
  });

/**
 * Returns the fields of a payment method, shown and sent only while it is selected. The fields in `needed` are then
 * required. The fields of the default method are hidden for each other method, because the editor empties only
 * parameters that are shown without their defaults (n8n.md#parameters).
 */
export function whilePayingBy(method: ValueField, value: string, fields: Field[], needed: FieldBase[] = []): Field[] {
  const { options = [], default: own } = method.property;
  const others = options.flatMap((way) => ('value' in way && way.value !== value ? [String(way.value)] : []));
  const except = value === own;
  return fields.map((field) =>
    when(method, except ? others : [value], field, { required: needed.includes(field), unmarked: true, except }),
  );
}
