import { paymentOutcomeOf, type PaymentOutcome } from '../../model/failure';
import { firstShort, inMoney, onDay } from '../../messages/what-happened';
import { dayOf } from '../../model/likeness';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import { asText, only } from '../../shared/objects';
import { AddSubscriptionRequest } from '../../wire/schemas';
import { chargesOf } from '../billing-terms';
import { namedWithId } from '../customer/fields';

type Subscription = Given<RecordOf<'addSubscription'>>;
type Asked = ValuesOf<'addSubscription'>['body'];

/** Includes the outcome of the one-time fee. */
export function created(
  { subscription_id, status, recur_amt, response, ...record }: Subscription,
  { body }: ValuesOf<'addSubscription'>,
): string {
  const created = 'Created subscription';
  const subscription = `${created} ${asText(subscription_id)}`;
  const currency = record.tran_currency ?? body.tran_currency ?? AddSubscriptionRequest.tran_currency.serverDefault;
  const fee = feeOf(response, body, { shown: record.amt_setup, currency });
  const id = asText(record.customer_id ?? body.customer_id);
  const customers = [namedWithId({ customer_id: body.customer_id, ...record }), id].filter(Boolean);
  const whose = (customer: string | undefined) => (customer === undefined ? '' : ` for ${customer}`);
  if (status === 'C') {
    const reason = fee.notCharged ? ' because the one-time fee was not charged' : '';
    return firstShort([...customers, undefined].map((one) => `${subscription}${whose(one)}, canceled${reason}.`));
  }
  const charged = chargesOf({
    amount: recur_amt ?? body.amt_tran,
    currency,
    frequency: record.plan_frequency ?? body.plan_frequency,
    interval: record.interval ?? body.interval,
  });
  const at = charged === '' ? '' : `${customers.length === 0 ? ' for' : ' at'} ${charged}`;
  const [longest, shortest] = [customers[0], customers.at(-1)].map(whose);
  // The service may charge the payments of a start in the past at another time.
  const isFirst = fee.words[0] === '' && dayOf(record.date_next) === dayOf(record.date_start);
  const first = isFirst ? onDay(', first payment on ', record.date_next) : '';
  return firstShort([
    ...(first === ''
      ? []
      : [subscription + longest, subscription + shortest, created + shortest].map((what) => `${what}${at}${first}.`)),
    `${subscription}${longest}${at}${fee.words[0]}.`,
    ...[subscription, created].flatMap((what) => fee.words.map((words) => `${what}${shortest}${at}${words}.`)),
  ]);
}

/** Only the create response contains the outcome of the one-time fee. */
function feeOf(
  sale: Subscription['response'],
  { amt_setup, amt_setup_ignore }: Asked,
  { shown, currency }: { shown: unknown; currency: unknown },
): { words: string[]; notCharged: boolean } {
  const fee = amt_setup ?? shown;
  const of = fee === undefined ? '' : ` of ${inMoney(fee, currency)}`;
  const isDue = amt_setup_ignore !== true && Number(fee) > 0;
  const outcome = sale?.rcode === undefined ? 'open' : paymentOutcomeOf(sale.rcode);
  const words = isDue || sale?.rcode !== undefined ? FEE_WORDS[outcome](of) : [''];
  return { words, notCharged: outcome === 'declined' };
}

const notInFull = (of: string) => [
  `, but the one-time fee${of} was not charged in full`,
  `, fee${of} not charged in full`,
  ', fee not paid in full',
];

/** Returns the phrases about a one-time fee, longest first. */
const FEE_WORDS: Record<PaymentOutcome, (of: string) => string[]> = {
  approved: (of) => [` and charged the one-time fee${of}`, `, fee${of} charged`, ', fee charged'],
  partlyApproved: notInFull,
  open: (of) => [`; check whether the one-time fee${of} was charged`, `; check the fee${of}`, '; check the fee'],
  declined: notInFull,
};

/** The outcome of the one-time fee gets its own field, because a table cell can't show an object well. */
export const mainSubscriptionFields = (record: Subscription) => ({
  ...only(record, ['subscription_id', 'status', 'customer_id', 'plan_code', 'recur_amt', 'date_next', 'amt_setup']),
  ...(record.response && { response_rcode: record.response.rcode }),
});
