import type { IDataObject } from 'n8n-workflow';
import { REPORT_ZONE, instant } from '../../fields/kinds/date';
import { firstShort, customerWords } from '../../messages/what-happened';
import type { FootprintOf, Given, RecordOf } from '../../model/operation';
import { invoiceAmount, readableNumber, toCents, isSameAmount } from '../../model/read-amounts';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { comparableText, dayOf, type WriteValues } from '../../model/footprint';
import { filterOn } from '../filter-on';

/** Allowed difference, because the service may round a tax differently. */
const ROUNDING_CENTS = 1;

/** Matches a time with an offset. The zone of other times isn't documented (service.md#values). */
const HAS_OFFSET = /(?:z|[+-]\d\d:?\d\d)$/i;

const written = (value: unknown) => asText(value).trim();

/** Returns the time at which a record was written. Returns `undefined` if the time has no offset. */
export const writtenAt = ({ db_timestamp: time }: { db_timestamp?: string }) =>
  HAS_OFFSET.test(written(time)) ? instant(time, 'utc') : undefined;

/** Returns whether two totals differ. An unknown total differs from no other total. */
function differ(shown: unknown, wanted: number | undefined): boolean {
  const amount = readableNumber(shown);
  if (amount === undefined || wanted === undefined) return false;
  return Math.abs(toCents(amount) - toCents(wanted)) > ROUNDING_CENTS;
}

/**
 * Invoice in the list of invoices. Users assign the number, and the service accepts the same number twice, so the
 * customer, number and total must match, and the caller also compares the time.
 */
export const invoiceFootprint: FootprintOf<'createInvoice', 'browseInvoices'> = {
  list: { path: '/platform/invoice', identity: 'invoice_id', newestBy: 'db_timestamp' },
  filter: ({ body }) => [
    ...filterOn('customer_id', body.customer_id),
    ...filterOn('invoice_number', body.invoice_number),
  ],
  isIdentifiable: ({ body }) =>
    written(body.customer_id) !== '' && (written(body.invoice_number) !== '' || invoiceAmount(body) !== undefined),
  key: ({ body }) => JSON.stringify([written(body.customer_id), written(body.invoice_number)]),
  // The service may assign a number to an invoice that was created without one.
  keysOf: ({ customer_id: customer, invoice_number: number }) =>
    [number, ''].map((one) => JSON.stringify([written(customer), written(one)])),
  reference: 'invoice_number',
  lifetime: ({ body }) => (written(body.invoice_number) === '' ? 'minutes' : 'always'),
  matches: (record, { body }) =>
    written(record.customer_id) === written(body.customer_id) &&
    (written(body.invoice_number) === '' || written(record.invoice_number) === written(body.invoice_number)) &&
    !differ(record.amt_tran, invoiceAmount(body)) &&
    // If the invoice has no number of its own, only the total distinguishes it from others.
    (written(body.invoice_number) !== '' || readableNumber(record.amt_tran) !== undefined) &&
    record.status !== 'CANCELED',
  time: writtenAt,
  where: 'the list of invoices',
  agreement: 'same customer, same invoice number if the item has one, same total',
};

/** Finds the invoice of a request by reading the invoice itself. */
const THE_INVOICE: Pick<
  FootprintOf<'sendInvoice', 'getInvoiceDetail'>,
  'list' | 'filter' | 'isIdentifiable' | 'key'
> = {
  list: { path: wire.getInvoiceDetail.request.path, identity: 'invoice_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.invoice_id) !== '',
  key: ({ path }) => comparableText(path.invoice_id),
};

/** The service sends only drafts, so an invoice with another status was sent (service.md#invoices). */
const SENT = new Set(['OUTSTANDING', 'PAID']);

const noticeOf = ({ date_sent: sent, date_notice: notice }: Given<RecordOf<'getInvoiceDetail'>>) =>
  dayOf(sent ?? notice);

/**
 * The invoice itself, which shows the day of sending but not the recipient. The zone of the day isn't documented, so
 * the day counts until it ends in the zone of the service's reports, which is later than in UTC.
 */
export const sendFootprint: FootprintOf<'sendInvoice', 'getInvoiceDetail'> = {
  ...THE_INVOICE,
  // A draft can be sent only once.
  lifetime: () => 'always',
  matches: (record, { path }) =>
    comparableText(record.invoice_id) === comparableText(path.invoice_id) && SENT.has(comparableText(record.status)),
  time: (record) => instant(noticeOf(record), REPORT_ZONE)?.endOf('day'),
  when: 'on the same day',
  summary: (record) =>
    firstShort(
      [customerWords(record), ''].map(
        (of) =>
          `Sent invoice ${asText(record.invoice_id)}${of} on ${noticeOf(record)}, but the service doesn't name the recipient.`,
      ),
    ),
  where: "the invoice's own record",
  agreement: 'the invoice was sent and is no longer a draft',
};

/** The invoice itself. A cancellation is final, and the node saw another status before it sent the request. */
export const cancelFootprint: FootprintOf<'cancelInvoice', 'getInvoiceDetail'> = {
  ...THE_INVOICE,
  lifetime: () => 'always',
  matches: (record, { path }) =>
    comparableText(record.invoice_id) === comparableText(path.invoice_id) &&
    comparableText(record.status) === 'CANCELED',
  when: 'changed since the request',
  where: "the invoice's own record",
  agreement: 'the invoice is canceled',
};

/** Returns whether a record has the copy's number and isn't the original invoice. */
const isNumbered = (record: IDataObject, { path, body }: WriteValues): boolean =>
  comparableText(record.invoice_number) === comparableText(body.invoice_number) &&
  comparableText(record.invoice_id) !== comparableText(path.invoice_id) &&
  record.status !== 'CANCELED';

/**
 * Returns the customers of the copy and the original. Invoices of two customers can have the same number, and a copy
 * belongs to the original's customer.
 */
const customersOf = (record: IDataObject, { source = {} }: WriteValues): [string, string] => [
  comparableText(record.customer_id),
  comparableText(source.customer_id),
];

/**
 * Copy of an invoice in the list of invoices, provided that it got a number. Without one, nothing distinguishes it from
 * the original and other invoices. The request contains no customer or total, so those of the original must match.
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
  // The original invoice may have changed or been deleted in the meantime.
  mayMatch: (record, values) => {
    const [shown, first] = customersOf(record, values);
    return isNumbered(record, values) && (shown === first || shown === '' || first === '');
  },
  time: writtenAt,
  where: 'the list of invoices',
  agreement: 'same customer, total and number as the original invoice',
};
