import type { FootprintOf } from '../../../model/operation';
import * as wire from '../../../wire/operations';
import { centsOf, comparableText } from '../../../shared/objects';
import { dayOf, likeAmount, likeDay, likeText, likeWhereSent } from '../../../model/likeness';
import { filterOn } from '../../filter-on';
import { isValid } from '../footprint';

/** Finds the payment in the list of all invoice payments (openapi.yaml#InvoicePayment). */
export const paymentFootprint: FootprintOf<'addInvoicePayment', 'browseInvoicePayments'> = {
  list: { path: wire.browseInvoicePayments.request.path, identity: 'payment_id', newestBy: 'payment_id' },
  filter: ({ path }) => filterOn('invoice_id', path.invoice_id),
  isIdentifiable: ({ path, body }) => comparableText(path.invoice_id) !== '' && centsOf(body.amt_paid) !== undefined,
  key: ({ path, body }) =>
    JSON.stringify([comparableText(path.invoice_id), body.type, centsOf(body.amt_paid), dayOf(body.date_payment)]),
  // Identical payments can both be correct, such as two cash payments.
  lifetime: 'minutes',
  compare: (record, { path, body }) => [
    likeText(record.invoice_id, path.invoice_id),
    likeText(record.type, body.type),
    likeAmount(record.amt_paid, body.amt_paid),
    likeDay(record.date_payment, body.date_payment),
    likeWhereSent(record.description, body.description),
  ],
  applied: isValid,
  where: 'the list of payments',
  agreement: 'same invoice, same kind of payment, same amount, same day',
};

/** A payment that is missing from the list was removed. */
export const removedFootprint: FootprintOf<'removeInvoicePayment', 'browseInvoicePaymentsById'> = {
  list: { path: wire.browseInvoicePaymentsById.request.path, identity: 'payment_id', removesRecord: true },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.invoice_id) !== '' && comparableText(path.payment_id) !== '',
  key: ({ path }) => JSON.stringify([comparableText(path.invoice_id), comparableText(path.payment_id)]),
  lifetime: () => 'always',
  compare: (record, { path }) => [likeText(record.payment_id, path.payment_id)],
  when: 'listed before the request',
  where: 'the payments on the invoice',
  agreement: 'the payment is not in the list of payments',
};
