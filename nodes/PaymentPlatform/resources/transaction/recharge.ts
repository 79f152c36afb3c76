import { gatewayFields } from '../../fields/common';
import { amount } from '../../fields/kinds/number';
import { firstShort } from '../../messages/what-happened';
import type { Likeness } from '../../model/likeness';
import { operation, type FootprintOf } from '../../model/operation';
import { asText, centsOf } from '../../shared/objects';
import { dayCharges } from './day-records';
import { isCharged, likeCharged, UP_TO_AMOUNT } from './charge-footprint';
import { APPROVALS, approvedMoney, partialApproval, presentCharge, underReview } from './charge-outcome';
import { likeLinked, LINKED, VOIDABLE } from './footprint';
import { likeType, type Reported } from './report-record';
import { AFTER_CAPTURE, whileVoidable } from './still-possible';
import { byReference, transactionField } from './find-transaction';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.recharge;

const TYPE = 'recharge';

function recharged(
  record: Pick<Reported, 'rcode' | 'amt_tran' | 'tran_currency' | 'tran_status' | 'tran_time'>,
  sent: unknown,
): string {
  const charged = `Charged ${approvedMoney(record, sent, ' in the same currency')} again`;
  return firstShort([`${charged}${underReview(record) || whileVoidable(record, VOIDABLE)}.`, `${charged}.`]);
}

/** Several identical recharges can be correct, so the node also compares the time and the number of identical items. */
export const rechargeFootprint: FootprintOf<'recharge', 'getTransactionRequests'> = {
  ...LINKED,
  mayLackFilter: (record) => likeRecharge(record) !== 'different',
  cents: UP_TO_AMOUNT,
  isIdentifiable: (values) => asText(values.path.pgIdOrig) !== '' && centsOf(values.body.amt_tran) !== undefined,
  key: (values) => `${asText(values.path.pgIdOrig)} ${centsOf(values.body.amt_tran)}`,
  lifetime: () => 'day',
  compare: (record, values) => [likeRecharge(record), likeLinked(record, values), likeCharged(record, values)],
  applied: isCharged,
  summary: (record, { body: sent }) => recharged(record, sent.amt_tran),
  agreement: 'same earlier transaction, same amount',
};

/** The interface doesn't document the type of a recharge, so the report may show it as a sale. */
function likeRecharge(record: Reported): Likeness {
  const isSale = likeType(record, 'sale') === 'equal';
  return isSale && asText(record.pg_id_linked) !== '' ? 'notShown' : likeType(record, TYPE);
}

export const recharge = operation({
  value: 'recharge',
  name: 'Recharge',
  action: 'Recharge payment of earlier transaction',
  description: 'Charge the card of an earlier successful payment again',
  moneyEffect: 'The charge takes effect immediately.',
  request,
  byReference,
  fields: [
    transactionField(path.pgIdOrig, 'Earlier payment with the card that you want to charge'),
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
  dayRecords: dayCharges,
  target: 'pgIdOrig',
  lookUp:
    'Look in Report > Get Many Transactions for a charge whose pg_id_linked is {pgIdOrig} and whose amount is {amt_tran}.',
});
