import type { IDataObject } from 'n8n-workflow';
import { REPORT_ZONE, instant } from '../../fields/kinds/date';
import { firstShort, customerWords } from '../../messages/what-happened';
import type { FootprintOf, Given, RecordOf } from '../../model/operation';
import { invoiceAmount, readableNumber, toCents, isSameAmount } from '../../model/read-amounts';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { comparableText, dayOf, type WriteValues } from '../../model/footprint';
import { filterOn } from '../filter-on';

/** Maximum rounding difference in cents, because the service may round taxes differently. */
const ROUNDING_CENTS = 1;

/** The service doesn't document the time zone of times without an offset (service.md#values). */
const HAS_OFFSET = /(?:z|[+-]\d\d:?\d\d)$/i;

const written = (value: unknown) => asText(value).trim();

/** Returns the time at which the service created an invoice, or `undefined` if the time has no offset. */
export const writtenAt = ({ db_timestamp: time }: { db_timestamp?: string }) =>
  HAS_OFFSET.test(written(time)) ? instant(time, 'utc') : undefined;

function differ(shown: unknown, wanted: number | undefined): boolean {
  const amount = readableNumber(shown);
  if (amount === undefined || wanted === undefined) return false;
  return Math.abs(toCents(amount) - toCents(wanted)) > ROUNDING_CENTS;
}

/**
 * After a lost response, finds the new invoice in the list of invoices. Invoice numbers aren't unique, so the customer,
 * the number and the total must match.
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
  // The service may assign a number to an invoice that the item created without one.
  keysOf: ({ customer_id: customer, invoice_number: number }) =>
    [number, ''].map((one) => JSON.stringify([written(customer), written(one)])),
  reference: 'invoice_number',
  lifetime: ({ body }) => (written(body.invoice_number) === '' ? 'minutes' : 'always'),
  matches: (record, { body }) =>
    written(record.customer_id) === written(body.customer_id) &&
    (written(body.invoice_number) === '' || written(record.invoice_number) === written(body.invoice_number)) &&
    !differ(record.amt_tran, invoiceAmount(body)) &&
    // Without an invoice number, only the total distinguishes the item's invoice.
    (written(body.invoice_number) !== '' || readableNumber(record.amt_tran) !== undefined) &&
    record.status !== 'CANCELED',
  time: writtenAt,
  where: 'the list of invoices',
  agreement: 'same customer, same invoice number if the item has one, same total',
};

const THE_INVOICE: Pick<
  FootprintOf<'sendInvoice', 'getInvoiceDetail'>,
  'list' | 'filter' | 'isIdentifiable' | 'key'
> = {
  list: { path: wire.getInvoiceDetail.request.path, identity: 'invoice_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.invoice_id) !== '',
  key: ({ path }) => comparableText(path.invoice_id),
};

/** Statuses of a sent invoice (service.md#invoices). A draft can become PAID too, so `time` requires a date. */
const SENT = new Set(['OUTSTANDING', 'PAID']);

const noticeOf = ({ date_sent: sent, date_notice: notice }: Given<RecordOf<'getInvoiceDetail'>>) =>
  dayOf(sent ?? notice);

/** After a lost response, the invoice's record shows whether the service sent the invoice. */
export const sendFootprint: FootprintOf<'sendInvoice', 'getInvoiceDetail'> = {
  ...THE_INVOICE,
  // The service sends a draft only once.
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

/** After a lost response, the invoice's status shows whether the service canceled the invoice. */
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

const isNumbered = (record: IDataObject, { path, body }: WriteValues): boolean =>
  comparableText(record.invoice_number) === comparableText(body.invoice_number) &&
  comparableText(record.invoice_id) !== comparableText(path.invoice_id) &&
  record.status !== 'CANCELED';

/** A copy keeps the customer of the original invoice. */
const customersOf = (record: IDataObject, { source = {} }: WriteValues): [string, string] => [
  comparableText(record.customer_id),
  comparableText(source.customer_id),
];

/**
 * After a lost response, finds the copy in the list of invoices by its number, customer and total. The node can't find
 * a copy without its own number.
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
  // A user may have changed the original invoice, so the total may differ.
  mayMatch: (record, values) => {
    const [shown, first] = customersOf(record, values);
    return isNumbered(record, values) && (shown === first || shown === '' || first === '');
  },
  time: writtenAt,
  where: 'the list of invoices',
  agreement: 'same customer, total and number as the original invoice',
};
