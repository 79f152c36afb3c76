import { instant, REPORT_ZONE } from '../../fields/kinds/date';
import type { Given, RecordOf, FootprintOf } from '../../model/operation';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { dayOf, comparableText } from '../compare-values';

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
