import type { IDataObject } from 'n8n-workflow';

import { REPORT_ZONE, instant } from '../../fields/kinds/date';
import { inMoneyOf } from '../../messages/what-happened';
import type { DayBudget } from '../../model/day-budget';
import type { FootprintOf } from '../../model/operation';
import { readableNumber, centsOf, isSameAmount } from '../../model/read-amounts';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { filterOn } from '../filter-on';
import { comparableText } from '../../model/footprint';
import { SAME_AMOUNT, wasRefused, type Reported } from './footprint';

const { path } = wire.getTransactionRequests.request;

/**
 * The interface doesn't specify the type of payouts in the transaction report, so the node treats every type except
 * these as a payout (service.md#payouts).
 */
const OTHER_TYPES = new Set(['sale', 'auth', 'force', 'recharge', 'capture', 'void', 'refund', 'credit', 'verify']);
/**
 * Status codes of payouts that moved no money or were reversed (service.md#letters). Held payouts may still move money.
 */
const WITHOUT_EFFECT = new Set(['D', 'F', 'R', 'K', 'V', 'v']);

const isPayout = (record: Reported): boolean =>
  !OTHER_TYPES.has(asText(record.request_type).toLowerCase()) &&
  !wasRefused(record) &&
  !WITHOUT_EFFECT.has(asText(record.tran_status).trim());

export const payoutBudget: DayBudget = {
  list: { path, identity: 'rec_id', day: ['tran_time', 'tran_date'] },
  counts: isPayout,
  amount: ({ amt_tran: amount }: IDataObject) => {
    const number = readableNumber(amount);
    return number === undefined ? undefined : Math.abs(number);
  },
  id: 'pg_id',
  of: 'payouts',
  where: 'the transaction report',
};

/** Number of visible digits at the end of a masked account number. */
const SEEN = 4;
/** The summary shortens longer payee names to fit on one line. */
const LONGEST_NAME = 28;

const lastDigits = (shown: unknown): string => new RegExp(`\\d{${SEEN}}$`).exec(asText(shown))?.[0] ?? '';

/** Returns the payee's name, or the ID of a payee without a name. */
export const nameOf = (id: unknown, name: unknown): string =>
  asText(name) || ['payee', asText(id)].filter(Boolean).join(' ');

/** Summarizes a payout. Only the transaction report contains the currency. */
export function paidOut(amount: unknown, payee: string, account: unknown, record: object): string {
  const name = payee.length > LONGEST_NAME ? `${payee.slice(0, LONGEST_NAME - 3)}...` : payee;
  const digits = lastDigits(account);
  return `Paid out ${inMoneyOf(amount, record)} to ${name}${digits && `, account ending in ${digits}`}.`;
}

/** After a lost response, finds the payout in the transaction report by its reference and amount. */
export const payoutFootprint: FootprintOf<'payPayee', 'getTransactionRequests'> = {
  list: { path, identity: 'pg_id', newestBy: 'tran_time' },
  filter: ({ body }) => filterOn('merch_ref_num', body.merch_ref_num),
  cents: SAME_AMOUNT,
  isIdentifiable: ({ body }) => comparableText(body.merch_ref_num) !== '' && centsOf(body.amt_tran) !== undefined,
  key: ({ body }) => JSON.stringify([comparableText(body.merch_ref_num), centsOf(body.amt_tran)]),
  lifetime: () => 'always',
  matches: (record, { body }) =>
    isPayout(record) &&
    asText(record.rcode).trim() === '000' &&
    asText(record.tran_status).trim() !== 'H' &&
    comparableText(record.merch_ref_num) === comparableText(body.merch_ref_num) &&
    isSameAmount(record.amt_tran, body.amt_tran),
  mayMatch: (record, { body }) =>
    isPayout(record) &&
    comparableText(record.merch_ref_num) === comparableText(body.merch_ref_num) &&
    (centsOf(record.amt_tran) === undefined || isSameAmount(record.amt_tran, body.amt_tran)),
  isCheckedInTools: true,
  time: ({ tran_time: time }) => instant(time, REPORT_ZONE),
  summary: (record, { body, node }) =>
    paidOut(body.amt_tran, nameOf(body.payee_id, node?.payee_name), record.card_number, record),
  where: 'the transaction report',
  agreement: 'same reference, same amount',
};
