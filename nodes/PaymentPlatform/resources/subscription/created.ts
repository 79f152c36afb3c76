import { inMoney } from '../../messages/what-happened';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import { asText, only } from '../../shared/objects';
import { AddSubscriptionRequest } from '../../wire/schemas';
import { chargesOf } from '../billing-terms';
import { namedWithId } from '../customer/fields';

type Subscription = Given<RecordOf<'addSubscription'>>;
type Asked = ValuesOf<'addSubscription'>['body'];

/** Says in one sentence what was created and, if there is a one-time fee, whether it was charged. */
export function created(
  { subscription_id, status, recur_amt, response, ...record }: Subscription,
  { body }: ValuesOf<'addSubscription'>,
): string {
  const subscription = `Created subscription ${asText(subscription_id)}`;
  const currency = record.tran_currency ?? body.tran_currency ?? AddSubscriptionRequest.tran_currency.serverDefault;
  const fee = feeOf(response, body, { shown: record.amt_setup, currency });
  if (status === 'C')
    return `${subscription}, which is canceled${fee.notCharged ? ` because the one-time fee was not charged` : ''}.`;
  if (fee.words !== '') return `${subscription}${fee.words}.`;
  const charged = chargesOf({
    amount: recur_amt ?? body.amt_tran,
    currency,
    frequency: record.plan_frequency ?? body.plan_frequency,
    interval: record.interval ?? body.interval,
  });
  const customer = namedWithId({ customer_id: body.customer_id, ...record });
  const whose = customer === '' ? '' : ` for ${customer}`;
  return `${subscription}${whose}${charged === '' ? '' : `${whose === '' ? ' for' : ' at'} ${charged}`}.`;
}

/**
 * Returns the outcome of the one-time fee. Only the response to the creation contains it; the list of subscriptions
 * doesn't.
 */
function feeOf(
  sale: Subscription['response'],
  { amt_setup, amt_setup_ignore }: Asked,
  { shown, currency }: { shown: unknown; currency: unknown },
): { words: string; notCharged: boolean } {
  const fee = amt_setup ?? shown;
  const named = `the one-time fee${fee === undefined ? '' : ` of ${inMoney(fee, currency)}`}`;
  const isExpected = amt_setup_ignore !== true && Number(fee) > 0;
  if (sale?.rcode === undefined)
    return { words: isExpected ? `; check whether ${named} was charged` : '', notCharged: false };
  const isCharged = sale.rcode === '000';
  const words = isCharged ? ` and charged ${named}` : `, but ${named} was not charged in full`;
  return { words, notCharged: !isCharged };
}

/**
 * Returns the main fields, with the outcome of the one-time fee as a field of its own, because an object in a table
 * cell is hard to read.
 */
export const mainSubscriptionFields = (record: Subscription) => ({
  ...only(record, ['subscription_id', 'status', 'customer_id', 'plan_code', 'recur_amt', 'date_next', 'amt_setup']),
  ...(record.response && { response_rcode: record.response.rcode }),
});
