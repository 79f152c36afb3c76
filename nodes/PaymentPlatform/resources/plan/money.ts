import type { ValuesOf } from '../../model/operation';
import type { Money } from '../../model/types';
import * as wire from '../../wire/operations';

const { body: facts } = wire.updatePlan;

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

/** A higher frequency or a longer duration also moves more money, so the item must then contain the amount. */
export function moneyOfChange({ values: { body } }: Change): Money<'amt_tran' | 'amt_trial' | 'amt_prorate'> {
  if (Object.keys(body).every((name) => WORDS.has(name))) return 'named';
  if (Boolean(body.trial_duration) && body.amt_trial === undefined) return { by: 'amt_trial' };
  if (body.prorate_first_pmt === true && body.amt_prorate === undefined) return { by: 'amt_prorate' };
  return { by: 'amt_tran' };
}
