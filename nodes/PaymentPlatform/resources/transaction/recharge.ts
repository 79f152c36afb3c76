import { gatewayFields } from '../../fields/common';
import { locator } from '../../fields/kinds/locator';
import { amount } from '../../fields/kinds/number';
import { firstShort, inMoneyOf } from '../../messages/what-happened';
import { paymentOutcomeOf } from '../../model/failure';
import { operation, type FootprintOf } from '../../model/operation';
import { asText } from '../../shared/objects';
import { centsOf } from '../../model/read-amounts';
import { chargeBudget } from './budget';
import { hasAmount, isCharged, UP_TO_AMOUNT } from './charge-footprint';
import { APPROVALS, partialApproval, presentCharge, underReview } from './charge-outcome';
import { LINKED, VOIDABLE, wasRefused, type Reported } from './footprint';
import { AFTER_CAPTURE, whileVoidable } from './still-possible';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.recharge;

const TYPE = 'recharge';

/** Only the code of the response indicates a partial approval. */
function recharged(record: Pick<Reported, 'rcode' | 'tran_status' | 'tran_time'>, sent: unknown): string {
  const part = paymentOutcomeOf(record.rcode) === 'partlyApproved' ? 'only a part of ' : '';
  const charged = `Charged ${part}${inMoneyOf(sent, record, ' in the same currency')} again`;
  return firstShort([`${charged}${underReview(record) || whileVoidable(record, VOIDABLE)}.`, `${charged}.`]);
}

/** Types that a recharge may have in the transaction report. */
const TYPES = new Set(['', TYPE, 'sale']);

/**
 * After a lost response, finds the recharge in the transaction report. Several identical recharges can be correct, so
 * the node also compares the time and the number of identical items.
 */
export const rechargeFootprint: FootprintOf<'recharge', 'getTransactionRequests'> = {
  ...LINKED,
  mayLackFilter: (record) => TYPES.has(asText(record.request_type).toLowerCase()),
  cents: UP_TO_AMOUNT,
  isIdentifiable: (values) => asText(values.path.pgIdOrig) !== '' && centsOf(values.body.amt_tran) !== undefined,
  key: (values) => `${asText(values.path.pgIdOrig)} ${centsOf(values.body.amt_tran)}`,
  lifetime: () => 'day',
  matches: (record, values) =>
    asText(record.pg_id_linked) === asText(values.path.pgIdOrig) &&
    asText(record.request_type).toLowerCase() === TYPE &&
    hasAmount(record, values) &&
    isCharged(record),
  mayMatch: (record, values) =>
    TYPES.has(asText(record.request_type).toLowerCase()) &&
    ['', asText(values.path.pgIdOrig)].includes(asText(record.pg_id_linked)) &&
    (centsOf(record.amt_tran) === undefined || hasAmount(record, values)) &&
    !wasRefused(record),
  summary: (record, { body: sent }) => recharged(record, sent.amt_tran),
  agreement: 'same earlier transaction, same amount',
};

export const recharge = operation({
  value: 'recharge',
  name: 'Recharge',
  action: 'Recharge payment of earlier transaction',
  description: 'Charge the card of an earlier successful payment again',
  moneyEffect: 'The charge takes effect immediately.',
  request,
  fields: [
    locator({
      ...path.pgIdOrig,
      label: 'Transaction',
      notIdentifying: false,
      description:
        'Earlier payment with the card that you want to charge. Search by amount, name, date, order number or last four card digits, or enter the transaction ID (pg_id).',
      search: 'searchSales',
      placeholder: 'e.g. 426351789012345678',
    }),
    amount({
      ...body.amt_tran,
      label: 'Amount',
      description: 'Amount to charge, e.g. 12.50. The amount can differ from that of the earlier payment.',
      hint: 'In Production, a charge moves money immediately',
      required: true,
    }),
  ],
  additional: gatewayFields(body),
  approvals: APPROVALS,
  partialFailure: partialApproval,
  summary: (record, { body: sent }) => recharged(record, sent.amt_tran),
  present: presentCharge,
  adds: AFTER_CAPTURE,
  refusals: [
    {
      pattern: /\bnot a successful\b|\bnot successful\b|\bdeclined transaction\b/i,
      what: "This transaction was not a successful payment, so its card can't be charged again",
      advice: 'Choose an approved payment from the list, or use Transaction > Charge.',
    },
  ],
  footprint: rechargeFootprint,
  budget: chargeBudget,
  target: 'pgIdOrig',
  lookUp:
    'Look in Report > Get Many Transactions for a charge whose pg_id_linked is {pgIdOrig} and whose amount is {amt_tran}.',
});
