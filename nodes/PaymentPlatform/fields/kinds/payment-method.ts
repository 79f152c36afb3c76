import { choice, type ChoiceOptions } from './choice';
import type { Field, FieldBase, ValueField } from '../types';
import { when } from './when';

/** What the choice of a payment method stores; frozen once released. */
export const CARD = 'card';
export const BANK_ACCOUNT = 'bankAccount';
export const SAVED_CARD = 'savedCard';

/** How somebody pays. The service has no field for it: it goes by what is sent (service.md#card-data). */
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
 * The fields of one way to pay, shown and sent while it is chosen; those named must then be given. The fields of the
 * default way are hidden for each other way: the editor empties only what is shown without the default (n8n.md#parameters).
 */
export function whilePayingBy(method: ValueField, value: string, fields: Field[], needed: FieldBase[] = []): Field[] {
  const { options = [], default: own } = method.property;
  const others = options.flatMap((way) => ('value' in way && way.value !== value ? [String(way.value)] : []));
  const except = value === own;
  return fields.map((field) =>
    when(method, except ? others : [value], field, { required: needed.includes(field), unmarked: true, except }),
  );
}
