import type { ValuesOf } from '../../model/operation';
import type { Money } from '../../model/types';
import * as wire from '../../wire/operations';

const { body: facts } = wire.updatePlan;

/** Names of fields that don't affect the charged amount. */
const WORDS: ReadonlySet<string> = new Set([
  wire.addPlan.body.plan_code.name,
  facts.plan_name.name,
  facts.plan_desc.name,
  facts.dba_suffix.name,
  facts.profile_id.name,
  facts.merchant_id.name,
]);

interface Change {
  values: { body: ValuesOf<'updatePlan'>['body'] };
}

/**
 * Returns the amount of money that a change of a plan moves. A higher frequency or a longer duration also moves more
 * money, so an item that changes billing terms must contain the amount. An item that enables a trial or proration must
 * contain the corresponding amount. The record of the plan may not show the current amount.
 */
export function moneyOfChange({ values: { body } }: Change): Money<'amt_tran' | 'amt_trial' | 'amt_prorate'> {
  if (Object.keys(body).every((name) => WORDS.has(name))) return 'named';
  if (Boolean(body.trial_duration) && body.amt_trial === undefined) return { by: 'amt_trial' };
  if (body.prorate_first_pmt === true && body.amt_prorate === undefined) return { by: 'amt_prorate' };
  return { by: 'amt_tran' };
}
