import { toDatabaseTimestamp } from '../core/clock';
import { toAmount } from '../core/money';
import { without } from '../core/without';
import type { Plan } from '../state/records';

/** Builds a version of a plan (openapi.yaml#RecurringPlan) without dba_suffix, which the service doesn't return. */
export function planView({ amountCents, setupCents, trialCents, prorateCents, created, modified, ...plan }: Plan) {
  return {
    ...without(plan, 'dba_suffix'),
    merchant_id: Number(plan.merchant_id),
    amt_trial: toAmount(trialCents),
    amt_setup: toAmount(setupCents),
    amt_tran: toAmount(amountCents),
    amt_prorate: toAmount(prorateCents),
    db_timestamp: toDatabaseTimestamp(created),
    mod_timestamp: toDatabaseTimestamp(modified),
  };
}
