import { instant } from '../../fields/kinds/date';
import { invoiceAmount, readableNumber } from '../../model/read-amounts';
import type { FootprintOf } from '../../model/operation';
import { toCents } from '../../shared/cents';
import { asText } from '../../shared/objects';
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
