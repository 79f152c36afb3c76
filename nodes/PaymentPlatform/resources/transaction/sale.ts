import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';
import { dayCharges } from './day-records';
import { chargeAdditional, chargeAmount } from './charge-fields';
import { chargeFootprint } from './charge-footprint';
import { VOIDABLE } from './footprint';
import {
  APPROVALS,
  chargeSummary,
  mainChargeFields,
  partialApproval,
  presentCharge,
  type ChargeVerb,
} from './charge-outcome';
import { CHARGE_LOOK_UP, chargeSource, checkCharge, noteExpiredCharge, UNKNOWN_CUSTOMER } from './charge-source';
import { AFTER_CAPTURE } from './still-possible';

const VERB: ChargeVerb = { done: 'Charged', to: 'to', next: VOIDABLE, open: 'C' };

export const sale = operation({
  value: 'sale',
  name: 'Charge',
  action: 'Charge saved card to take payment (transaction)',
  description: 'Charge a saved card, a bank account, a wallet or a card number',
  moneyEffect: 'The charge takes effect immediately.',
  request: wire.sale.request,
  fields: [...chargeSource(), chargeAmount('In Production, money moves immediately')],
  additional: chargeAdditional(),
  check: checkCharge(),
  notice: noteExpiredCharge,
  approvals: APPROVALS,
  partialFailure: partialApproval,
  summary: (record, values) => chargeSummary(VERB, record, values),
  present: presentCharge,
  adds: AFTER_CAPTURE,
  simplified: mainChargeFields,
  sameObject: 'customer_id',
  reference: { name: 'merch_ref_num' },
  footprint: chargeFootprint('sale', VERB),
  dayRecords: dayCharges,
  target: 'customer_id',
  refusals: [UNKNOWN_CUSTOMER],
  lookUp: CHARGE_LOOK_UP,
});
