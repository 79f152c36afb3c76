import { inMoneyOf } from '../../messages/what-happened';
import type { DayRecords } from '../../model/day-records';
import type { WriteValues } from '../../model/footprint';
import { likeAmount, likeIf, type Likeness } from '../../model/likeness';
import type { FootprintOf } from '../../model/operation';
import { amountWithFees } from '../../model/read-amounts';
import { asText, centsOf, comparableText, shortened } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { lastDigits } from '../../shared/privacy';
import { filterOn } from '../filter-on';
import { pathWith } from '../merge-with-current';
import {
  hasKnownStatus,
  IN_REPORT,
  letterOf,
  likeHolder,
  likeReferences,
  payeeHolder,
  SAME_AMOUNT,
  TYPES,
  typeOf,
  wasRefused,
  WITHOUT_EFFECT,
  type Reported,
} from './report-record';

const { path } = wire.getTransactionRequests.request;

/**
 * The interface doesn't specify the type of payouts in the report, so every other type is a payout
 * (service.md#payouts).
 */
const mayBePayout = (record: Reported): boolean => !TYPES.has(typeOf(record));

const isPayout = (record: Reported): boolean =>
  mayBePayout(record) && !wasRefused(record) && !WITHOUT_EFFECT.has(letterOf(record));

export const dayPayouts: DayRecords = {
  list: { path, identity: 'rec_id', day: ['tran_time', 'tran_date'] },
  isOfKind: mayBePayout,
  counts: isPayout,
  amount: amountWithFees,
  id: 'pg_id',
  of: 'payouts',
  where: 'the transaction report',
};

/** The summary shortens longer payee names to fit on one line. */
const LONGEST_NAME = 28;

/** Defaults to the payee's ID. */
export const nameOf = (id: unknown, name: unknown): string =>
  asText(name) || ['payee', asText(id)].filter(Boolean).join(' ');

/** Only the transaction report contains the currency. */
export function paidOut(amount: unknown, payee: string, account: unknown, record: object): string {
  const digits = lastDigits(account);
  return `Paid out ${inMoneyOf(amount, record)} to ${shortened(payee, LONGEST_NAME)}${digits && `, account ending in ${digits}`}.`;
}

function likePayee(record: Reported, { node, source }: WriteValues): Likeness {
  // The node reads the payee before it sends the payout.
  const payee = source ?? (node?.dda_number === undefined ? undefined : { ...node, payee_account: node });
  return payee ? likeHolder(record, payeeHolder(payee)) : 'notShown';
}

/** Finds the payout in the transaction report by its reference, amount and payee. */
export const payoutFootprint: FootprintOf<'payPayee', 'getTransactionRequests'> = {
  ...IN_REPORT,
  filter: ({ body }) => filterOn('merch_ref_num', body.merch_ref_num),
  cents: SAME_AMOUNT,
  isIdentifiable: ({ body }) => comparableText(body.merch_ref_num) !== '' && centsOf(body.amt_tran) !== undefined,
  key: ({ body }) => JSON.stringify([comparableText(body.merch_ref_num), centsOf(body.amt_tran)]),
  lifetime: () => 'always',
  source: ({ body: { payee_id } }) => ({
    ...pathWith(wire.getPayee.request.path, { payee_id }),
    identity: 'payee_id',
  }),
  compare: (record, values) => [
    likeIf(mayBePayout(record)),
    ...likeReferences(record, values),
    likeAmount(record.amt_tran, values.body.amt_tran),
    likePayee(record, values),
  ],
  applied: (record) => {
    if (!isPayout(record)) return 'different';
    const isSure = hasKnownStatus(record) && letterOf(record) !== 'H';
    return asText(record.rcode).trim() === '000' && isSure ? 'equal' : 'notShown';
  },
  summary: (record, { body, node }) =>
    paidOut(body.amt_tran, nameOf(body.payee_id, node?.payee_name), record.card_number, record),
  agreement: 'same reference, amount and payee',
};
