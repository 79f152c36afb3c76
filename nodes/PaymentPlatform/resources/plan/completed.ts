import type { IDataObject } from 'n8n-workflow';

import type { Decision } from '../../pipeline/types';

/** What belongs to a set day, and to a prorated first payment. */
const OF_SET_DAY = ['day_of_week', 'day_of_month', 'month', 'prorate_first_pmt', 'amt_prorate'];

/**
 * A change with what the rules between its fields ask for beside them: the service takes a day only together with the
 * switch that it belongs to (openapi.yaml#UpdateRecurringPlanRequest).
 */
export function completed(
  plan: IDataObject,
  given: IDataObject,
): { body: IDataObject } | Extract<Decision, { refuse: string }> {
  const body = { ...given };
  if (OF_SET_DAY.some((name) => given[name] !== undefined)) body.bill_specific_day ??= plan.bill_specific_day ?? false;
  if (given.amt_prorate !== undefined) body.prorate_first_pmt ??= plan.prorate_first_pmt ?? false;
  if (OF_SET_DAY.some((name) => given[name] !== undefined) && body.bill_specific_day !== true)
    return { refuse: 'This plan is not billed on a set day: switch "Bill on a Set Day" on as well' };
  if (given.amt_prorate !== undefined && body.prorate_first_pmt !== true)
    return { refuse: 'The first payment of this plan is not prorated: switch "Prorate First Payment" on as well' };
  return { body };
}
