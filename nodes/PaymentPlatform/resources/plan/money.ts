import type { ValuesOf } from '../../model/operation';
import type { Money } from '../../model/types';
import * as wire from '../../wire/operations';

const { body: facts } = wire.updatePlan;

/** What says nothing of what is charged. */
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
 * How much a change of a plan moves. What is charged more often, or for longer, is more money as well, so each change of
 * the terms says the amount that is charged by them; so does what switches on an amount that the plan may have already
 * and that its record need not show.
 */
export function moneyOfChange({ values: { body } }: Change): Money<'amt_tran' | 'amt_trial' | 'amt_prorate'> {
  if (Object.keys(body).every((name) => WORDS.has(name))) return 'named';
  if (Boolean(body.trial_duration) && body.amt_trial === undefined) return { by: 'amt_trial' };
  if (body.prorate_first_pmt === true && body.amt_prorate === undefined) return { by: 'amt_prorate' };
  return { by: 'amt_tran' };
}
