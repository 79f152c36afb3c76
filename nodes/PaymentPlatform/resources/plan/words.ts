import { AddRecurringPlanRequest } from '../../wire/schemas';
import { chargesOf } from '../billing-terms';
import type { Plan } from './fields';

/** What a plan charges, for a sentence: " for 25.00 USD a month"; nothing where the record has no amount. */
export function charges({ amt_tran, plan_frequency, interval, tran_currency }: Plan): string {
  const words = chargesOf({
    amount: amt_tran,
    currency: tran_currency ?? AddRecurringPlanRequest.tran_currency.assumed,
    frequency: plan_frequency,
    interval,
  });
  return words === '' ? '' : ` for ${words}`;
}
