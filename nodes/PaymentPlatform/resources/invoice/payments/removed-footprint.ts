import type { FootprintOf } from '../../../model/operation';
import * as wire from '../../../wire/operations';
import { comparableText } from '../../compare-values';

/** The list of the payments on the invoice, in which the payment was, and is not any more. */
export const removedFootprint: FootprintOf<'removeInvoicePayment', 'browseInvoicePaymentsById'> = {
  list: { path: wire.browseInvoicePaymentsById.request.path, identity: 'payment_id', removesRecord: true },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.invoice_id) !== '' && comparableText(path.payment_id) !== '',
  key: ({ path }) => JSON.stringify([comparableText(path.invoice_id), comparableText(path.payment_id)]),
  lifetime: () => 'always',
  matches: (record, { path }) => comparableText(record.payment_id) === comparableText(path.payment_id),
  when: 'in which it was before',
  where: 'the payments on the invoice',
  agreement: 'the payment is not in the list of payments',
};
