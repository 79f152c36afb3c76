import { isEmpty } from '../../fields/value';
import { inMoney, onDay } from '../../messages/what-happened';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import { asText, only } from '../../shared/objects';
import { AddSubscriptionRequest } from '../../wire/schemas';
import { chargesOf } from '../billing-terms';
import { namedWithId } from '../customer/fields';

type Subscription = Given<RecordOf<'addSubscription'>>;
type Asked = ValuesOf<'addSubscription'>['body'];

/** What was made, what is charged from now on, and what became of the one-time fee (service.md#subscriptions). */
export function created(
  { subscription_id, status, recur_amt, date_next, response, ...record }: Subscription,
  { body }: ValuesOf<'addSubscription'>,
): string {
  const currency = record.tran_currency ?? body.tran_currency ?? AddSubscriptionRequest.tran_currency.assumed;
  const charged = chargesOf({
    amount: recur_amt ?? body.amt_tran,
    currency,
    frequency: record.plan_frequency ?? body.plan_frequency,
    interval: record.interval ?? body.interval,
  });
  const customer = namedWithId({ customer_id: body.customer_id, ...record });
  const whose = customer === '' ? '' : ` for customer ${customer}`;
  const at = charged === '' ? '' : ` at ${charged}`;
  const next = status === 'C' || isEmpty(date_next) ? '' : `${onDay(' The next payment is due on ', date_next)}.`;
  const ended = status === 'C' ? ' The subscription is canceled.' : '';
  return `Created subscription ${asText(subscription_id)}${whose}${at}.${ended}${next}${feeOf(response, body, { shown: record.amt_setup, currency })}`;
}

/** Only the answer to the creation has the result of the sale. The list of subscriptions lacks it. */
function feeOf(
  sale: Subscription['response'],
  { amt_setup, amt_setup_ignore }: Asked,
  { shown, currency }: { shown: unknown; currency: unknown },
): string {
  const fee = amt_setup ?? shown;
  const named = `one-time fee${fee === undefined ? '' : ` of ${inMoney(fee, currency)}`}`;
  if (sale?.rcode === undefined)
    return amt_setup_ignore === true || !(Number(fee) > 0)
      ? ''
      : ` The service doesn't say whether the ${named} was charged. Look for its sale in Report > Get Many Transactions.`;
  return sale.rcode === '000'
    ? ` The ${named} was charged.`
    : ` The ${named} was not charged in full: ${asText(sale.rmsg)}.`;
}

/** The main fields, the outcome of the one-time fee beside them: an object in a cell is read by nobody. */
export const mainFields = (record: Subscription) => ({
  ...only(record, ['subscription_id', 'status', 'customer_id', 'plan_code', 'recur_amt', 'date_next', 'amt_setup']),
  ...(record.response && { response_rcode: record.response.rcode }),
});
