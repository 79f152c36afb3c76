import { inMoney } from '../../pipeline/in-words';
import type { Given, RecordOf, ValuesOf } from '../../pipeline/operation';
import { asText, only } from '../../shared/objects';
import { WORDS } from '../../wire/words';

type Subscription = Given<RecordOf<'addSubscription'>>;

/** What was made, what is charged from now on, and what became of the one-time fee (docs/service.md#subscriptions). */
export function created(
  { subscription_id, status, recur_amt, date_next, response, ...record }: Subscription,
  { body }: ValuesOf<'addSubscription'>,
): string {
  const often = WORDS.addSubscription?.plan_frequency?.[asText(record.plan_frequency ?? body.plan_frequency)];
  const amount = recur_amt ?? body.amt_tran;
  const charged = amount === undefined ? '' : ` over ${inMoney(amount)}${often === undefined ? '' : ` ${often}`}`;
  const next =
    date_next === undefined || status === 'C' ? '' : ` The next payment is due on ${asText(date_next).slice(0, 10)}.`;
  const ended = status === 'C' ? ', which is canceled' : '';
  return `Created subscription ${asText(subscription_id)}${charged}${ended}.${next}${feeOf(response, body.amt_setup)}`;
}

function feeOf(sale: Subscription['response'], fee: unknown): string {
  if (sale?.rcode === undefined) return '';
  const named = `one-time fee${fee === undefined ? '' : ` of ${inMoney(fee)}`}`;
  return sale.rcode === '000'
    ? ` The ${named} was charged.`
    : ` The ${named} was not charged in full: ${asText(sale.rmsg)}.`;
}

/** The main fields, the outcome of the one-time fee beside them: an object in a cell is read by nobody. */
export const mainFields = (record: Subscription) => ({
  ...only(record, ['subscription_id', 'status', 'customer_id', 'plan_code', 'recur_amt', 'date_next', 'amt_setup']),
  ...(record.response && { response_rcode: record.response.rcode }),
});
