import { instant, REPORT_ZONE } from '../../fields/kinds/date';
import { locator } from '../../fields/kinds/locator';
import type { SearchName } from '../../fields/searches';
import type { ValueField } from '../../fields/types';
import { inMoney } from '../../messages/what-happened';
import { isAbsent } from '../../model/failure';
import type { Look, ReferenceSearch } from '../../model/types';
import { asText, comparableText, shortened } from '../../shared/objects';
import { maskCardNumbers, maskCardsInId } from '../../shared/privacy';
import type { TextFact } from '../../wire/facts';
import * as wire from '../../wire/operations';
import { filterOn } from '../filter-on';
import { letterOf, TYPES, typeOf, wasRefused, type Reported } from './report-record';

/** Types of transactions that are payments of their own (service.md#letters). */
const PAYMENTS: ReadonlySet<string> = new Set(['sale', 'auth', 'force', 'recharge']);
/** Status codes of transactions that took no money (service.md#letters). */
const WITHOUT_MONEY: ReadonlySet<string> = new Set(['D', 'F', 'R', 'K']);
const MOST_NAMED = 5;
const MOST_SHOWN = 100;
/** A longer list shows that the service ignored the filter. */
const MOST_PAGES = 10;

/** @param what beginning of the description, such as "Transaction to refund". */
export const transactionField = (
  fact: TextFact & { place: 'path' },
  what: string,
  search: SearchName = 'searchSales',
): ValueField =>
  locator({
    ...fact,
    label: 'Transaction',
    notIdentifying: false,
    description: `${what}. Search by amount, name, date, order number or last four card digits, or enter the transaction ID (pg_id), the purchase ID or the merchant reference number.`,
    search,
    placeholder: 'e.g. 426351789012345678',
    byReference: 'e.g. ORDER-1001',
  });

export const lookAtTransaction = (id: unknown): Look => ({
  path: `/platform/reporting/transactions/bypgid/${encodeURIComponent(asText(id))}`,
  family: wire.getTransactionByPgId.request.family,
  ids: { pg_id: asText(id) },
  absent: isAbsent,
});

const { path, family } = wire.getTransactionRequests.request;

/**
 * Finds a payment by its purchase ID or merchant reference number. Ignores refunds, captures and voids of the payment,
 * and payments that took no money. A voided or refunded payment counts, because a second payment with the same
 * reference could otherwise take its place.
 */
export const byReference: ReferenceSearch = {
  looks: (reference) =>
    (['purchase_id', 'merch_ref_num'] as const).flatMap((field) => {
      const filter = filterOn(field, reference);
      return filter.length === 0
        ? []
        : [{ path, family, query: { filter }, list: { identity: 'pg_id', mostPages: MOST_PAGES } }];
    }),
  choose: (records: Reported[], reference) => {
    const all = records.filter((record) => mayBePayment(record) && hasReference(record, reference));
    const found = [...new Map(all.map((record) => [comparableText(record.pg_id), record])).values()];
    const [first] = found;
    if (!first)
      return { allowed: 'must be the purchase ID or merchant reference number of a payment, but no payment has it' };
    if (found.length === 1) return { value: asText(first.pg_id), currency: asText(first.tran_currency) };
    const named = found.slice(0, MOST_NAMED).map(nameTransaction).join('; ');
    const rest = found.length > MOST_NAMED ? `; and ${found.length - MOST_NAMED} more` : '';
    return {
      allowed: `must be the reference of one payment, but ${found.length} payments have it: ${named}${rest}. Enter the ID of one of them`,
    };
  },
};

/** A transaction of an unknown type or with an unknown status may be a payment. */
export const mayBePayment = (record: Reported): boolean =>
  (PAYMENTS.has(typeOf(record)) || !TYPES.has(typeOf(record))) &&
  !wasRefused(record) &&
  !WITHOUT_MONEY.has(letterOf(record));

const hasReference = ({ purchase_id: order, merch_ref_num: own }: Reported, reference: string): boolean =>
  [order, own].some((value) => comparableText(value) === reference);

function nameTransaction({ pg_id: id, amt_tran: amount, tran_currency: currency, tran_time: time }: Reported): string {
  const date = instant(time, REPORT_ZONE)?.toFormat('d MMMM yyyy');
  const details = maskCardNumbers([inMoney(amount, currency), date].filter(Boolean).join(', '));
  return shortened(`${maskCardsInId(comparableText(id))}${details && ` (${details})`}`, MOST_SHOWN);
}
