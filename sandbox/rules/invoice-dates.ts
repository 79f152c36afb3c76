import type { DateTime } from 'luxon';

import { readMoment } from '../core/clock';
import { invalidFields } from '../core/refusals';
import type { InvoiceDetails } from '../state/records';

/** Reads a timestamp field that a request may leave out. Throws PlatformRefusal code 2 when it is no moment. */
export function momentField(name: string, text: string | undefined): DateTime | undefined {
  if (text === undefined) return undefined;
  const moment = readMoment(text);
  if (!moment) throw invalidFields({ [name]: 'must be a timestamp' });
  return moment;
}

/** The day on which an invoice is due: by its terms, or the day of the invoice itself. */
export function dueDate({ payment_terms }: Pick<InvoiceDetails, 'payment_terms'>, date_invoice: DateTime): DateTime {
  if (payment_terms?.value === undefined) return date_invoice;
  if (payment_terms.type === 'DATE') return momentField('payment_terms.value', payment_terms.value) ?? date_invoice;
  if (!/^\d{1,4}$/.test(payment_terms.value))
    throw invalidFields({ 'payment_terms.value': 'must be a number of days' });
  return date_invoice.plus({ days: Number(payment_terms.value) });
}
