import type { IDataObject } from 'n8n-workflow';

import type { FootprintOf } from '../../model/operation';
import type { WriteValues } from '../../model/footprint';
import * as wire from '../../wire/operations';
import { isSameAmount, comparableText } from '../compare-values';
import { filterOn } from '../filter-on';
import { writtenAt } from './footprint';

/** Another invoice than the one that was copied, with the number that was given to the copy. */
const isNumbered = (record: IDataObject, { path, body }: WriteValues): boolean =>
  comparableText(record.invoice_number) === comparableText(body.invoice_number) &&
  comparableText(record.invoice_id) !== comparableText(path.invoice_id) &&
  record.status !== 'CANCELED';

/** Nothing keeps two customers' invoices from having one number, and a copy is its customer's. */
const customersOf = (record: IDataObject, { source = {} }: WriteValues): [string, string] => [
  comparableText(record.customer_id),
  comparableText(source.customer_id),
];

/**
 * The copy in the list of invoices, where it was given a number of its own: without one nothing tells it from the invoice
 * that it was made of, and from others. The request names no customer and no total: those of the first one have to agree.
 */
export const copyFootprint: FootprintOf<'copyInvoice', 'browseInvoices'> = {
  list: { path: wire.browseInvoices.request.path, identity: 'invoice_id', newestBy: 'db_timestamp' },
  filter: ({ body }) => filterOn('invoice_number', body.invoice_number),
  isIdentifiable: ({ body }) => comparableText(body.invoice_number) !== '',
  key: ({ body }) => comparableText(body.invoice_number),
  reference: 'invoice_number',
  lifetime: () => 'always',
  madeOf: { path: wire.getInvoiceDetail.request.path, identity: 'invoice_id' },
  matches: (record, values) => {
    const [shown, first] = customersOf(record, values);
    const isSame = first !== '' && shown === first && isSameAmount(record.amt_tran, values.source?.amt_tran);
    return isNumbered(record, values) && isSame;
  },
  // The first one may have been changed since it was copied, or be gone.
  mayMatch: (record, values) => {
    const [shown, first] = customersOf(record, values);
    return isNumbered(record, values) && (shown === first || shown === '' || first === '');
  },
  time: writtenAt,
  where: 'the list of invoices',
  agreement: 'same customer, total and number, another invoice than the one that was copied',
};
