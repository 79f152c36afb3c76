import type { IDataObject } from 'n8n-workflow';

import { text } from '../../fields/kinds/text';
import { operation } from '../../model/operation';
import { only } from '../../shared/objects';
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

export const force = operation({
  value: 'force',
  name: 'Force',
  action: 'Force sale with authorization code (transaction)',
  description: 'Capture a payment that the issuer approved outside the service, e.g. by phone',
  moneyEffect: 'The customer is charged immediately.',
  request: wire.force.request,
  fields: [
    ...chargeSource(true),
    chargeAmount('In Production, money moves immediately'),
    text({
      ...wire.force.body.auth_code,
      label: 'Authorization Code',
      notIdentifying: true,
      description: 'Approval code from the issuer',
      placeholder: 'e.g. T53680',
    }),
  ],
  additional: chargeAdditional(),
  check: checkCharge(true),
  notice: noteExpiredCharge,
  approvals: APPROVALS,
  partialFailure: partialApproval,
  summary: (record, values) => chargeSummary(VERB, record, values),
  present: presentCharge,
  adds: AFTER_CAPTURE,
  simplified: (record: IDataObject) => ({ ...mainChargeFields(record), ...only(record, ['voidable_until']) }),
  sameObject: 'customer_id',
  offInTools: true,
  reference: { name: 'merch_ref_num' },
  footprint: chargeFootprint('force', VERB),
  dayRecords: dayCharges,
  target: 'customer_id',
  refusals: [UNKNOWN_CUSTOMER],
  lookUp: CHARGE_LOOK_UP,
});
