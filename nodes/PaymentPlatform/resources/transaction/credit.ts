import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';
import { dayRefunds } from './day-records';
import { chargeAdditional, chargeAmount } from './charge-fields';
import { chargeFootprint } from './charge-footprint';
import { chargeSummary, mainChargeFields, type ChargeVerb } from './charge-outcome';
import { CHARGE_LOOK_UP, chargeSource, checkCharge, noteExpiredCharge, UNKNOWN_CUSTOMER } from './charge-source';

const VERB: ChargeVerb = { done: 'Credited', to: 'to' };

export const credit = operation({
  value: 'credit',
  name: 'Credit',
  action: 'Credit card or bank account without earlier sale (transaction)',
  description:
    'Pay money to a customer independently of any earlier payment. To return a payment, use Transaction > Refund.',
  moneyEffect: 'The credit takes effect immediately.',
  request: wire.credit.request,
  fields: [...chargeSource(true), chargeAmount('In Production, money moves immediately')],
  additional: chargeAdditional(),
  check: checkCharge(true),
  notice: noteExpiredCharge,
  summary: (record, values) => chargeSummary(VERB, record, values),
  simplified: mainChargeFields,
  sameObject: 'customer_id',
  needsSupport:
    'In Production, the service accepts credits only in the first 30 days, unless you arrange otherwise with support.',
  offInTools: true,
  reference: { name: 'merch_ref_num' },
  footprint: chargeFootprint('credit', VERB),
  dayRecords: dayRefunds,
  target: 'customer_id',
  refusals: [UNKNOWN_CUSTOMER],
  lookUp: CHARGE_LOOK_UP,
});
