import { isLimitedApproval, paymentOutcomeOf } from '../../model/failure';
import { likeAmount, likeCurrency, type Likeness } from '../../model/likeness';
import type { FootprintOf } from '../../model/operation';
import { amountWithFees, mayIncludeFees } from '../../model/read-amounts';
import { GatewayTransactionRequest } from '../../wire/schemas';
import { filterOn } from '../filter-on';
import { centsOf, comparableText } from '../../shared/objects';
import { chargeSummary, type ChargeVerb } from './charge-outcome';
import {
  hasKnownStatus,
  IN_REPORT,
  letterOf,
  likePayer,
  shownCurrency,
  likeReferences,
  likeType,
  payerOf,
  SAME_AMOUNT,
  typeOf,
  wasRefused,
  WITH_DETAIL,
  WITHOUT_EFFECT,
  type Reported,
} from './report-record';

const DOLLARS = GatewayTransactionRequest.tran_currency.serverDefault;

const outcomeOf = ({ rcode }: Reported) => paymentOutcomeOf(comparableText(rcode));

/** The transaction must be approved and not voided. */
export function isCharged(record: Reported): Likeness {
  if (wasRefused(record) || WITHOUT_EFFECT.has(letterOf(record))) return 'different';
  const isApproved = ['approved', 'partlyApproved'].includes(outcomeOf(record));
  return isApproved && hasKnownStatus(record) ? 'equal' : 'notShown';
}

/** Status codes of captured transactions (service.md#letters). */
const CAPTURED = new Set(['C', 'S', 'P', 'N']);

/**
 * The report shows only the approved part of a charge, and only the captured part of an authorization. A refund may
 * reduce the captured part. A transaction whose code is unreadable may be partly approved.
 */
const mayShowLess = (record: Reported): boolean =>
  isLimitedApproval(comparableText(record.rcode)) ||
  outcomeOf(record) === 'open' ||
  (centsOf(record.amt_refunded) ?? 0) > 0 ||
  (typeOf(record) === 'auth' && CAPTURED.has(letterOf(record)));

interface Asked {
  body: { amt_tran?: unknown };
}

const hasFees = (charge: { amt_tran?: unknown }): boolean =>
  centsOf(amountWithFees(charge)) !== centsOf(charge.amt_tran);

/** The service may add the fees that the record shows. */
export function likeCharged(record: Reported, { body }: Asked): Likeness {
  const likeness = likeAmount(record.amt_tran, body.amt_tran);
  const isLess = (centsOf(record.amt_tran) ?? Infinity) < (centsOf(body.amt_tran) ?? 0);
  const mayBe = mayIncludeFees(record.amt_tran, { ...record, ...body }) || (isLess && mayShowLess(record));
  return likeness === 'different' && mayBe ? 'notShown' : likeness;
}

/** If only part of a charge may have been approved or captured, or the charge has fees, any amount matches. */
export const UP_TO_AMOUNT = {
  shown: (record: Reported) => (mayShowLess(record) || hasFees(record) ? undefined : SAME_AMOUNT.shown(record)),
  asked: (values: Asked) => (hasFees(values.body) ? undefined : SAME_AMOUNT.asked(values)),
};

const keyOf = (type: string, purchase: unknown, reference: unknown) =>
  JSON.stringify([type, comparableText(purchase), comparableText(reference)]);

/**
 * Finds the charge in the transaction report.
 * @param type transaction type, such as "sale".
 */
export const chargeFootprint = (type: string, verb: ChargeVerb): FootprintOf<'sale', 'getTransactionRequests'> => ({
  ...IN_REPORT,
  filter: ({ body }) => [
    ...filterOn('purchase_id', body.purchase_id),
    ...filterOn('merch_ref_num', body.merch_ref_num),
  ],
  cents: UP_TO_AMOUNT,
  isIdentifiable: ({ body }) =>
    [body.purchase_id, body.merch_ref_num].some((own) => comparableText(own) !== '') &&
    centsOf(body.amt_tran) !== undefined,
  key: ({ body }) => keyOf(type, body.purchase_id, body.merch_ref_num),
  // Every charge sends a merchant reference number, but not every charge sends a purchase ID.
  keysOf: ({ purchase_id: purchase, merch_ref_num: reference }) => [
    keyOf(type, purchase, reference),
    keyOf(type, '', reference),
  ],
  lifetime: () => 'always',
  source: payerOf,
  details: WITH_DETAIL,
  compare: (record, values) => [
    likeType(record, type),
    ...likeReferences(record, values),
    likeCharged(record, values),
    likeCurrency(shownCurrency(record), values.body.tran_currency, DOLLARS),
    likePayer(record, values),
  ],
  applied: isCharged,
  summary: (record, values) => chargeSummary(verb, record, values),
  agreement: 'same reference, amount, currency and payer',
});
