import { inMoney } from '../../pipeline/in-words';
import type { Given, RecordOf, ValuesOf } from '../../pipeline/operation';
import { asText, only } from '../../shared/objects';
import { WORDS } from '../../wire/words';

type Subscription = Given<RecordOf<'addSubscription'>>;
type Asked = ValuesOf<'addSubscription'>['body'];

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
  return `Created subscription ${asText(subscription_id)}${charged}${ended}.${next}${feeOf(response, body, record.amt_setup)}`;
}

/** Only the answer of the creation tells of the sale: in the list of subscriptions it is not. */
function feeOf(sale: Subscription['response'], { amt_setup, amt_setup_ignore }: Asked, shown: unknown): string {
  const fee = amt_setup ?? shown;
  const named = `one-time fee${fee === undefined ? '' : ` of ${inMoney(fee)}`}`;
  if (sale?.rcode === undefined)
    return amt_setup_ignore === true || !(Number(fee) > 0)
      ? ''
      : ` What became of the ${named} is not told: look for its sale in Report > Get Many Transactions.`;
  return sale.rcode === '000'
    ? ` The ${named} was charged.`
    : ` The ${named} was not charged in full: ${asText(sale.rmsg)}.`;
}

/** The main fields, the outcome of the one-time fee beside them: an object in a cell is read by nobody. */
export const mainFields = (record: Subscription) => ({
  ...only(record, ['subscription_id', 'status', 'customer_id', 'plan_code', 'recur_amt', 'date_next', 'amt_setup']),
  ...(record.response && { response_rcode: record.response.rcode }),
});
