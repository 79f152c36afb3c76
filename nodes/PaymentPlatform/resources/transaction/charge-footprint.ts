import { REPORT_ZONE, instant } from '../../fields/kinds/date';
import { readRcode } from '../../model/failure';
import type { FootprintOf, Given, RecordOf } from '../../model/operation';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { filterOn } from '../filter-on';
import { centsOf, isSameAmount } from '../../model/read-amounts';
import { comparableText, isSameWhereSent } from '../../model/footprint';
import { chargeSummary, PARTLY_APPROVED, APPROVED_TOO, type ChargeVerb } from './charge-outcome';
import type { Charge } from './charge-source';
import { SAME_AMOUNT, wasRefused } from './footprint';

/** Record of the transaction report (openapi.yaml#TransactionRequestRecord). */
type Reported = Given<RecordOf<'getTransactionRequests'>>;

/** Status codes of transactions that moved no money or were reversed (service.md#letters). */
const WITHOUT_EFFECT = new Set(['D', 'F', 'R', 'K', 'V', 'v']);

const letterOf = (record: Reported) => asText(record.tran_status).trim();
const codeOf = ({ rcode }: Reported) => readRcode(rcode) ?? comparableText(rcode);

/** Returns whether a record contains the references of a charge. */
const hasReferences = (record: Reported, { body }: Charge): boolean =>
  isSameWhereSent(record.purchase_id, body.purchase_id) && isSameWhereSent(record.merch_ref_num, body.merch_ref_num);

/** Returns whether a record is approved and not voided. */
export const isCharged = (record: Reported): boolean =>
  ['000', PARTLY_APPROVED, ...APPROVED_TOO].includes(codeOf(record)) && !WITHOUT_EFFECT.has(letterOf(record));

/** Status codes of captured transactions (service.md#letters). */
const CAPTURED = new Set(['C', 'S', 'P', 'N']);

/**
 * Returns whether a record is a captured authorization. The record of a captured authorization contains the captured
 * amount.
 */
const isCaptured = (record: Reported): boolean =>
  asText(record.request_type).toLowerCase() === 'auth' && CAPTURED.has(letterOf(record));

/**
 * Returns whether a record may contain less than the requested amount, because only a part was approved or captured.
 */
const mayShowLess = (record: Reported): boolean => codeOf(record) === PARTLY_APPROVED || isCaptured(record);

/**
 * Returns whether a record contains the amount of a charge. Accepts a lower amount if only a part was approved or
 * captured.
 */
export function hasAmount(record: Reported, { body }: { body: { amt_tran?: unknown } }): boolean {
  if (!mayShowLess(record)) return isSameAmount(record.amt_tran, body.amt_tran);
  const [shown, asked] = [centsOf(record.amt_tran), centsOf(body.amt_tran)];
  return shown !== undefined && asked !== undefined && shown <= asked;
}

/**
 * Amount that the record of a charge must contain. If only a part may have been approved or captured, any amount
 * matches.
 */
export const UP_TO_AMOUNT = {
  ...SAME_AMOUNT,
  shown: (record: Reported) => (mayShowLess(record) ? undefined : SAME_AMOUNT.shown(record)),
};

const keyOf = (type: string, purchase: unknown, reference: unknown) =>
  JSON.stringify([type, comparableText(purchase), comparableText(reference)]);

/**
 * Finds a charge in the transaction report. The references, the type and the amount must match. The record must be
 * approved and not voided.
 * @param type type of the record, such as "sale".
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
  // The record of a charge can contain two references although the item contains only one reference. The record
  // therefore also has a key for each reference alone.
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
