import type { DateTime } from 'luxon';

import { readMoment } from '../core/clock';
import { invalidFields } from '../core/refusals';
import type { InvoiceDetails } from '../state/records';

/**
 * Parses an optional timestamp field.
 * @throws PlatformRefusal with code 2 for an invalid time.
 */
export function momentField(name: string, text: string | undefined): DateTime | undefined {
  if (text === undefined) return undefined;
  const moment = readMoment(text);
  if (!moment) throw invalidFields({ [name]: 'must be a timestamp' });
  return moment;
}

/** Returns an invoice's due date. Without payment terms, returns the invoice date. */
export function dueDate({ payment_terms }: Pick<InvoiceDetails, 'payment_terms'>, date_invoice: DateTime): DateTime {
  if (payment_terms?.value === undefined) return date_invoice;
  if (payment_terms.type === 'DATE') return momentField('payment_terms.value', payment_terms.value) ?? date_invoice;
  if (!/^\d{1,4}$/.test(payment_terms.value))
    throw invalidFields({ 'payment_terms.value': 'must be a number of days' });
  return date_invoice.plus({ days: Number(payment_terms.value) });
}
