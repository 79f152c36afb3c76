import { inMoney } from '../../pipeline/in-words';
import { asText } from '../../shared/objects';
import { WORDS } from '../../wire/words';
import type { Plan } from './fields';

/** What a plan charges, for a sentence: " over 25.00 monthly"; nothing of what the record does not say. */
export function charges({ amt_tran, plan_frequency }: Plan): string {
  if (amt_tran === undefined) return '';
  const often = WORDS.getPlan?.plan_frequency?.[asText(plan_frequency)];
  return ` over ${inMoney(amt_tran)}${often === undefined ? '' : ` ${often}`}`;
}
