import type { IDataObject } from 'n8n-workflow';
import { REPORT_ZONE, instant } from '../../fields/kinds/date';
import type { WriteValues } from '../../model/footprint';
import type { FootprintOf, Given, RecordOf } from '../../model/operation';
import { invoiceAmount, readableNumber } from '../../model/read-amounts';
import { toCents } from '../../shared/digits';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { comparableText, dayOf, isSameAmount } from '../merge-with-current';
import { filterOn } from '../filter-on';

/** The service may round a tax otherwise than this node does. */
const ROUNDING_CENTS = 1;

/** A moment with its offset: the zone of others is not known (service.md#values). */
const HAS_OFFSET = /(?:z|[+-]\d\d:?\d\d)$/i;

const written = (value: unknown) => asText(value).trim();

/** When a record was written, where it says so with its offset. */
export const writtenAt = ({ db_timestamp: time }: { db_timestamp?: string }) =>
  HAS_OFFSET.test(written(time)) ? instant(time, 'utc') : undefined;

/** Whether the totals contradict each other; one that is not known contradicts nothing. */
function differ(shown: unknown, wanted: number | undefined): boolean {
  const amount = readableNumber(shown);
  if (amount === undefined || wanted === undefined) return false;
  return Math.abs(toCents(amount) - toCents(wanted)) > ROUNDING_CENTS;
}

/**
 * An invoice in the list of invoices. Its number is the person's own, so customer, number and total have to agree; the
 * service does not keep a number from being used twice, so who looks compares the time as well.
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
  // An invoice that was created without a number may get one from the service.
  keysOf: ({ customer_id: customer, invoice_number: number }) =>
    [number, ''].map((one) => JSON.stringify([written(customer), written(one)])),
  reference: 'invoice_number',
  lifetime: ({ body }) => (written(body.invoice_number) === '' ? 'minutes' : 'always'),
  matches: (record, { body }) =>
    written(record.customer_id) === written(body.customer_id) &&
    (written(body.invoice_number) === '' || written(record.invoice_number) === written(body.invoice_number)) &&
    !differ(record.amt_tran, invoiceAmount(body)) &&
    // Without a number of its own the total is all that tells it from others.
    (written(body.invoice_number) !== '' || readableNumber(record.amt_tran) !== undefined) &&
    record.status !== 'CANCELED',
  time: writtenAt,
  where: 'the list of invoices',
  agreement: 'same customer, same invoice number where there is one, same total',
};

/** The service sends a draft alone, so an invoice that is none was sent (service.md#invoices). */
const SENT = new Set(['OUTSTANDING', 'PAID']);

const noticeOf = ({ date_sent: sent, date_notice: notice }: Given<RecordOf<'getInvoiceDetail'>>) =>
  dayOf(sent ?? notice);

/**
 * The invoice itself, which tells the day on which it was sent, and not to whom. In which zone the day is, is not known: it
 * counts until it is over in the zone of the service's reports, which is the later end.
 */
export const sendFootprint: FootprintOf<'sendInvoice', 'getInvoiceDetail'> = {
  list: { path: wire.getInvoiceDetail.request.path, identity: 'invoice_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.invoice_id) !== '',
  key: ({ path }) => comparableText(path.invoice_id),
  // A draft is sent once.
  lifetime: () => 'always',
  matches: (record, { path }) =>
    comparableText(record.invoice_id) === comparableText(path.invoice_id) && SENT.has(comparableText(record.status)),
  time: (record) => instant(noticeOf(record), REPORT_ZONE)?.endOf('day'),
  when: 'on the same day',
  summary: (record) =>
    `Sent invoice ${asText(record.invoice_id)} on ${noticeOf(record)}; the service doesn't name the recipient.`,
  where: "the invoice's own record",
  agreement: 'the invoice is no draft any more, and was sent',
};

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
