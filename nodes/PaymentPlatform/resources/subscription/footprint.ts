import type { Given, RecordOf, FootprintOf, ValuesOf } from '../../model/operation';
import { objectIn } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { comparableText, dayOf, isSameWhereSent } from '../../model/footprint';
import { isSameAmount } from '../../model/read-amounts';
import { filterOn } from '../filter-on';
import { namesOf, sameCustomer } from './namesake';

type Subscription = Given<RecordOf<'browseSubscriptions'>>;
type Asked = Pick<ValuesOf<'addSubscription'>, 'path' | 'body'>;

const customerIdOf = ({ body }: Asked) => comparableText(body.customer_id ?? objectIn(body.customer).customer_id);

function customerIn(record: Subscription, values: Asked): ReturnType<typeof sameCustomer> {
  const id = customerIdOf(values);
  if (id !== '') return comparableText(record.customer_id) === id ? 'same' : 'other';
  const { customer, purchase_id: reference, card_id: saved } = values.body;
  return sameCustomer(record, customer, comparableText(reference) !== '' || comparableText(saved) !== '');
}

/** The service treats a missing interval as 1. */
const areTerms = (record: Subscription, { body }: Asked): boolean =>
  body.plan_code === undefined
    ? record.subscription_on_plan !== true &&
      comparableText(record.plan_frequency) === comparableText(body.plan_frequency) &&
      comparableText(record.plan_duration) === comparableText(body.plan_duration) &&
      comparableText(record.interval ?? 1) === comparableText(body.interval ?? 1) &&
      isSameAmount(record.recur_amt, body.amt_tran)
    : comparableText(record.plan_code) === comparableText(body.plan_code);

const keyOf = (whose: string | string[], start: unknown) => JSON.stringify([whose, dayOf(start)]);

const isAsSent = (record: Subscription, values: Asked): boolean =>
  areTerms(record, values) &&
  dayOf(record.date_start) === dayOf(values.body.date_start) &&
  isSameWhereSent(record.card_id, values.body.card_id) &&
  isSameWhereSent(record.purchase_id, values.body.purchase_id) &&
  record.status !== 'C';

/** After a lost response, finds the new subscription in the list of subscriptions (openapi.yaml#SubscriptionRecord). */
export const subscriptionFootprint: FootprintOf<'addSubscription', 'browseSubscriptions'> = {
  list: { path: wire.browseSubscriptions.request.path, identity: 'subscription_id', newestBy: 'subscription_id' },
  filter: (values) => filterOn('customer_id', customerIdOf(values)),
  isIdentifiable: ({ body }) =>
    // The node can list only the subscriptions of the credential's merchant.
    body.merchant_id === undefined && dayOf(body.date_start) !== '',
  key: (values) => keyOf(customerIdOf(values) || namesOf(values.body.customer), values.body.date_start),
  keysOf: (record) => {
    const { customer_id: id, customer, date_start: start } = record;
    return [comparableText(id), namesOf({ ...record, ...objectIn(customer) })].map((whose) => keyOf(whose, start));
  },
  reference: 'purchase_id',
  // A second subscription with the same customer, terms and start date is always a mistake.
  lifetime: () => 'always',
  matches: (record, values) => isAsSent(record, values) && customerIn(record, values) === 'same',
  mayMatch: (record, values) => isAsSent(record, values) && customerIn(record, values) !== 'other',
  where: 'the list of subscriptions',
  agreement: 'same customer, same plan or terms, same start',
};
