import type { FootprintOf } from '../../model/operation';
import * as wire from '../../wire/operations';
import { comparableText } from '../compare-values';

/** The invoice itself, which is canceled once and for good: it was not before the write was sent. */
export const cancelFootprint: FootprintOf<'cancelInvoice', 'getInvoiceDetail'> = {
  list: { path: wire.getInvoiceDetail.request.path, identity: 'invoice_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.invoice_id) !== '',
  key: ({ path }) => comparableText(path.invoice_id),
  lifetime: () => 'always',
  matches: (record, { path }) =>
    comparableText(record.invoice_id) === comparableText(path.invoice_id) &&
    comparableText(record.status) === 'CANCELED',
  when: 'which it was not before',
  where: "the invoice's own record",
  agreement: 'the invoice is canceled',
};
