import type { FootprintOf } from '../../model/operation';
import * as wire from '../../wire/operations';
import { written } from '../compare-values';

/** The invoice itself, which is canceled once and for good: it was not before the write was sent. */
export const cancelFootprint: FootprintOf<'cancelInvoice', 'getInvoiceDetail'> = {
  list: { path: wire.getInvoiceDetail.request.path, identity: 'invoice_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => written(path.invoice_id) !== '',
  key: ({ path }) => written(path.invoice_id),
  lifetime: () => 'always',
  matches: (record, { path }) =>
    written(record.invoice_id) === written(path.invoice_id) && written(record.status) === 'CANCELED',
  when: 'which it was not before',
  where: "the invoice's own record",
  agreement: 'the invoice is canceled',
};
