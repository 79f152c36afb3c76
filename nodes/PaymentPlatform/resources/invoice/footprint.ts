import { REPORT_ZONE, instant, momentsOf } from '../../fields/kinds/date';
import { firstShort, customerWords } from '../../messages/what-happened';
import type { FootprintOf, Given, RecordOf } from '../../model/operation';
import { invoiceAmount } from '../../model/read-amounts';
import { asText, readableNumber, toCents, comparableText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { CODE_WORDS } from '../../wire/words';
import {
  dayOf,
  likeAmount,
  likeCurrency,
  likeIf,
  likeStatus,
  likeText,
  likeWhereSent,
  mayEqual,
  type Likeness,
} from '../../model/likeness';
import { filterOn } from '../filter-on';
import { pathWith } from '../merge-with-current';

/** Maximum rounding difference in cents, because the service may round taxes differently. */
const ROUNDING_CENTS = 1;

const HAS_OFFSET = /(?:z|[+-]\d\d:?\d\d)$/i;

const written = (value: unknown) => asText(value).trim();

/**
 * Returns the first and the last possible time of creation. The service doesn't document the time zone of times without
 * an offset (service.md#values).
 */
function timesOf({ db_timestamp: time }: { db_timestamp?: string }) {
  const moments = momentsOf(written(time), 'utc');
  if (!moments || HAS_OFFSET.test(written(time))) return moments;
  return [moments[0].minus({ hours: 14 }), moments[1].plus({ hours: 12 })];
}

const CREATED = {
  earliest: (record: { db_timestamp?: string }) => timesOf(record)?.[0],
  time: (record: { db_timestamp?: string }) => timesOf(record)?.[1],
};

function likeTotal(shown: unknown, wanted: number | undefined): Likeness {
  const amount = readableNumber(shown);
  if (amount === undefined || wanted === undefined) return 'notShown';
  return likeIf(Math.abs(toCents(amount) - toCents(wanted)) <= ROUNDING_CENTS);
}

/** A canceled invoice doesn't prevent another invoice with its number. Payments have the same status codes. */
export const isValid = ({ status }: { status?: string }): Likeness =>
  likeStatus(status, CODE_WORDS.browseInvoices?.status, ['CANCELED']);

/** Invoice numbers aren't unique, so the customer, the number and the total must match. */
export const invoiceFootprint: FootprintOf<'createInvoice', 'browseInvoices'> = {
  list: { path: '/platform/invoice', identity: 'invoice_id', newestBy: 'db_timestamp' },
  filter: ({ body }) => [
    ...filterOn('customer_id', body.customer_id),
    ...filterOn('invoice_number', body.invoice_number),
  ],
  // An invoice without its customer may belong to any customer.
  mayLackFilter: ({ customer_id }) => written(customer_id) === '',
  isIdentifiable: ({ body }) =>
    written(body.customer_id) !== '' && (written(body.invoice_number) !== '' || invoiceAmount(body) !== undefined),
  key: ({ body }) => JSON.stringify([written(body.customer_id), written(body.invoice_number)]),
  // The service may assign a number to an invoice that the item created without one.
  keysOf: ({ customer_id: customer, invoice_number: number }) =>
    [number, ''].map((one) => JSON.stringify([written(customer), written(one)])),
  lifetime: ({ body }) => (written(body.invoice_number) === '' ? 'minutes' : 'always'),
  compare: (record, { body }) => [
    likeText(record.customer_id, body.customer_id),
    likeWhereSent(record.invoice_number, body.invoice_number),
    likeTotal(record.amt_tran, invoiceAmount(body)),
    likeCurrency(record.tran_currency, body.tran_currency, wire.createInvoice.body.tran_currency.serverDefault),
  ],
  occupies: (record, { body }) =>
    likeText(record.customer_id, body.customer_id) !== 'different' &&
    mayEqual(record.invoice_number, body.invoice_number),
  applied: isValid,
  ...CREATED,
  where: 'the list of invoices',
  agreement: 'same customer, same invoice number if the item has one, same total and currency',
  resemblance: 'same customer and invoice number',
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
export const SENT = new Set(['OUTSTANDING', 'PAID']);

const noticeOf = ({ date_sent: sent, date_notice: notice }: Given<RecordOf<'getInvoiceDetail'>>) =>
  dayOf(sent ?? notice);

/** The invoice's record shows whether the service sent the invoice. */
export const sendFootprint: FootprintOf<'sendInvoice', 'getInvoiceDetail'> = {
  ...THE_INVOICE,
  // The service sends a draft only once.
  lifetime: () => 'always',
  compare: (record, { path }) => [
    likeText(record.invoice_id, path.invoice_id),
    likeIf(SENT.has(comparableText(record.status))),
  ],
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

/** The invoice's status shows whether the service canceled the invoice. */
export const cancelFootprint: FootprintOf<'cancelInvoice', 'getInvoiceDetail'> = {
  ...THE_INVOICE,
  lifetime: () => 'always',
  compare: (record, { path }) => [likeText(record.invoice_id, path.invoice_id), likeText(record.status, 'CANCELED')],
  when: 'changed since the request',
  where: "the invoice's own record",
  agreement: 'the invoice is canceled',
};

/** Finds the copy by its number, customer and total. The node can't find a copy without its own number. */
export const copyFootprint: FootprintOf<'copyInvoice', 'browseInvoices'> = {
  list: { path: wire.browseInvoices.request.path, identity: 'invoice_id', newestBy: 'db_timestamp' },
  filter: ({ body }) => filterOn('invoice_number', body.invoice_number),
  isIdentifiable: ({ body }) => comparableText(body.invoice_number) !== '',
  key: ({ body }) => comparableText(body.invoice_number),
  lifetime: () => 'always',
  source: ({ path }) => ({
    ...pathWith(wire.getInvoiceDetail.request.path, { invoice_id: path.invoice_id }),
    identity: 'invoice_id',
  }),
  // A copy keeps the customer, the total and the currency of the original invoice.
  compare: (record, { path, body, source = {} }) => [
    likeText(record.invoice_number, body.invoice_number),
    likeIf(comparableText(record.invoice_id) !== comparableText(path.invoice_id)),
    likeText(record.customer_id, source.customer_id),
    // A user may have changed the original invoice.
    likeAmount(record.amt_tran, source.amt_tran) === 'equal' ? 'equal' : 'notShown',
    likeWhereSent(record.tran_currency, source.tran_currency),
  ],
  applied: isValid,
  ...CREATED,
  where: 'the list of invoices',
  agreement: 'same customer, total and number as the original invoice',
};
