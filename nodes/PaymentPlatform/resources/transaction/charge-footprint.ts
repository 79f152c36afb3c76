import { REPORT_ZONE, instant } from '../../fields/kinds/date';
import { paymentOutcomeOf } from '../../model/failure';
import type { FootprintOf, Given, RecordOf } from '../../model/operation';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { filterOn } from '../filter-on';
import { centsOf, isSameAmount } from '../../model/read-amounts';
import { comparableText, isSameWhereSent } from '../../model/footprint';
import { chargeSummary, type ChargeVerb } from './charge-outcome';
import type { Charge } from './charge-source';
import { SAME_AMOUNT, wasRefused } from './footprint';

/** Transaction in the report (openapi.yaml#TransactionRequestRecord). */
type Reported = Given<RecordOf<'getTransactionRequests'>>;

/** Status codes of transactions that moved no money or were reversed (service.md#letters). */
const WITHOUT_EFFECT = new Set(['D', 'F', 'R', 'K', 'V', 'v']);

const letterOf = (record: Reported) => asText(record.tran_status).trim();
const outcomeOf = ({ rcode }: Reported) => paymentOutcomeOf(comparableText(rcode));

const hasReferences = (record: Reported, { body }: Charge): boolean =>
  isSameWhereSent(record.purchase_id, body.purchase_id) && isSameWhereSent(record.merch_ref_num, body.merch_ref_num);

/** Returns whether a transaction is approved and not voided. */
export const isCharged = (record: Reported): boolean =>
  ['approved', 'partlyApproved'].includes(outcomeOf(record)) && !WITHOUT_EFFECT.has(letterOf(record));

/** Status codes of captured transactions (service.md#letters). */
const CAPTURED = new Set(['C', 'S', 'P', 'N']);

/** A captured authorization shows the captured amount instead of the authorized amount. */
const isCaptured = (record: Reported): boolean =>
  asText(record.request_type).toLowerCase() === 'auth' && CAPTURED.has(letterOf(record));

const mayShowLess = (record: Reported): boolean => outcomeOf(record) === 'partlyApproved' || isCaptured(record);

/**
 * Returns whether a transaction has the amount of a charge. Accepts a lower amount if only part was approved or
 * captured.
 */
export function hasAmount(record: Reported, { body }: { body: { amt_tran?: unknown } }): boolean {
  if (!mayShowLess(record)) return isSameAmount(record.amt_tran, body.amt_tran);
  const [shown, asked] = [centsOf(record.amt_tran), centsOf(body.amt_tran)];
  return shown !== undefined && asked !== undefined && shown <= asked;
}

/** If only part of a charge may have been approved or captured, any amount matches. */
export const UP_TO_AMOUNT = {
  ...SAME_AMOUNT,
  shown: (record: Reported) => (mayShowLess(record) ? undefined : SAME_AMOUNT.shown(record)),
};

const keyOf = (type: string, purchase: unknown, reference: unknown) =>
  JSON.stringify([type, comparableText(purchase), comparableText(reference)]);

/**
 * After a lost response, finds the charge in the transaction report by its references, type and amount.
 * @param type transaction type, such as "sale".
 */
export const chargeFootprint = (type: string, verb: ChargeVerb): FootprintOf<'sale', 'getTransactionRequests'> => ({
  list: { path: wire.getTransactionRequests.request.path, identity: 'pg_id', newestBy: 'tran_time' },
  filter: ({ body }) => [
    ...filterOn('purchase_id', body.purchase_id),
    ...filterOn('merch_ref_num', body.merch_ref_num),
  ],
  cents: UP_TO_AMOUNT,
  isIdentifiable: ({ body }) =>
    [body.purchase_id, body.merch_ref_num].some((own) => comparableText(own) !== '') &&
    centsOf(body.amt_tran) !== undefined,
  key: ({ body }) => keyOf(type, body.purchase_id, body.merch_ref_num),
  // The transaction can have two references although the item has only one.
  keysOf: ({ purchase_id: purchase, merch_ref_num: reference }) => [
    keyOf(type, purchase, reference),
    keyOf(type, purchase, ''),
    keyOf(type, '', reference),
  ],
  lifetime: () => 'always',
  matches: (record, values) =>
    asText(record.request_type).toLowerCase() === type &&
    hasReferences(record, values) &&
    hasAmount(record, values) &&
    isCharged(record),
  mayMatch: (record, values) =>
    ['', type].includes(asText(record.request_type).toLowerCase()) &&
    hasReferences(record, values) &&
    (centsOf(record.amt_tran) === undefined || hasAmount(record, values)) &&
    !wasRefused(record) &&
    !WITHOUT_EFFECT.has(letterOf(record)),
  changedSince: (record, { body }) => isCaptured(record) && !isSameAmount(record.amt_tran, body.amt_tran),
  isCheckedInTools: true,
  time: ({ tran_time: time }) => instant(time, REPORT_ZONE),
  summary: (record, values) => chargeSummary(verb, record, values),
  where: 'the transaction report',
  agreement: 'same reference, same amount',
});
