import type { IDataObject } from 'n8n-workflow';

import { operation } from '../../model/operation';
import { only } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { dayCharges } from './day-records';
import { chargeAdditional, chargeAmount } from './charge-fields';
import { chargeFootprint } from './charge-footprint';
import { APPROVALS, chargeSummary, mainChargeFields, partialApproval, type ChargeVerb } from './charge-outcome';
import { CHARGE_LOOK_UP, chargeSource, checkCharge, noteExpiredCharge, UNKNOWN_CUSTOMER } from './charge-source';
import { AFTER_AUTHORIZATION, afterAuthorization } from './still-possible';

const VERB: ChargeVerb = { done: 'Authorized', to: 'on', next: ', to be captured within 28 days', open: 'A' };

export const authorize = operation({
  value: 'authorize',
  name: 'Authorize',
  action: 'Authorize saved card to hold amount (transaction)',
  description: 'Hold an amount to capture later, e.g. when you ship the order',
  moneyEffect: 'The hold takes effect immediately. The customer is charged on capture.',
  request: wire.authorize.request,
  fields: [...chargeSource(), chargeAmount('An authorization holds the amount. Capture the amount within 28 days.')],
  additional: chargeAdditional(),
  check: checkCharge(),
  notice: noteExpiredCharge,
  approvals: APPROVALS,
  partialFailure: partialApproval,
  summary: (record, values) => chargeSummary(VERB, record, values),
  present: (record) => ({ ...record, ...afterAuthorization(record) }),
  adds: AFTER_AUTHORIZATION,
  simplified: (record: IDataObject) => ({
    ...mainChargeFields(record),
    ...only(record, Object.keys(AFTER_AUTHORIZATION)),
  }),
  sameObject: 'customer_id',
  reference: { name: 'merch_ref_num' },
  footprint: chargeFootprint('auth', VERB),
  dayRecords: dayCharges,
  target: 'customer_id',
  refusals: [UNKNOWN_CUSTOMER],
  lookUp: CHARGE_LOOK_UP,
});
