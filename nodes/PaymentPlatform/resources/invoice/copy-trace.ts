import type { Trace } from '../../pipeline/trace';
import * as wire from '../../wire/operations';
import { written } from '../compared';
import { filterOn } from '../filter-on';
import { writtenAt } from './trace';

/**
 * The copy in the list of invoices, where it was given a number of its own: nothing else tells it from the invoice that it
 * was made of, and from others.
 */
export const copyTrace: Trace = {
  list: { path: wire.browseInvoices.request.path, identity: 'invoice_id', newestBy: 'db_timestamp' },
  filter: ({ body }) => filterOn('invoice_number', body.invoice_number),
  isTold: ({ body }) => written(body.invoice_number) !== '',
  key: ({ path, body }) => JSON.stringify([written(path.invoice_id), written(body.invoice_number)]),
  reference: 'invoice_number',
  tells: () => 'always',
  agrees: (record, { path, body }) =>
    written(record.invoice_number) === written(body.invoice_number) &&
    written(record.invoice_id) !== written(path.invoice_id) &&
    record.status !== 'CANCELED',
  time: writtenAt,
  where: 'the list of invoices',
  agreement: 'same invoice number, another invoice than the one that was copied',
};
