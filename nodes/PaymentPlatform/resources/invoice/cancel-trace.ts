import type { TraceOf } from '../../pipeline/operation';
import * as wire from '../../wire/operations';
import { written } from '../compared';

/** The invoice itself, which is canceled once and for good: it was not before the write was sent. */
export const cancelTrace: TraceOf<'cancelInvoice', 'getInvoiceDetail'> = {
  list: { path: wire.getInvoiceDetail.request.path, identity: 'invoice_id' },
  filter: () => [],
  isTold: ({ path }) => written(path.invoice_id) !== '',
  key: ({ path }) => written(path.invoice_id),
  tells: () => 'always',
  agrees: (record, { path }) =>
    written(record.invoice_id) === written(path.invoice_id) && written(record.status) === 'CANCELED',
  when: 'which it was not before',
  where: "the invoice's own record",
  agreement: 'the invoice is canceled',
};
