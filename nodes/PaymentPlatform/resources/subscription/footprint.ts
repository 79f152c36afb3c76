import type { Given, RecordOf, FootprintOf, ValuesOf } from '../../model/operation';
import { mayIncludeFees } from '../../model/read-amounts';
import { objectIn, comparableText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { CODE_WORDS } from '../../wire/words';
import {
  dayOf,
  likeAmount,
  likeDay,
  likeCurrency,
  likeIf,
  likeStatus,
  likeText,
  likeWhereSent,
  type Likeness,
} from '../../model/likeness';
import { filterOn } from '../filter-on';
import { likeCustomer, namesOf } from './namesake';

type Subscription = Given<RecordOf<'browseSubscriptions'>>;
type Asked = Pick<ValuesOf<'addSubscription'>, 'path' | 'body'>;

const customerIdOf = ({ body }: Asked) => comparableText(body.customer_id ?? objectIn(body.customer).customer_id);

function likeOwner(record: Subscription, values: Asked): Likeness {
  const id = customerIdOf(values);
  if (id !== '') return likeText(record.customer_id, id);
  const { customer, purchase_id: reference, card_id: saved } = values.body;
  return likeCustomer(record, customer, comparableText(reference) !== '' || comparableText(saved) !== '');
}

/** The recurring amount may include the surcharge. */
function likeRecurring(shown: unknown, body: Asked['body']): Likeness {
  const likeness = likeAmount(shown, body.amt_tran);
  return likeness === 'different' && mayIncludeFees(shown, body) ? 'notShown' : likeness;
}

/** The service treats a missing interval as 1. */
const likeTerms = (record: Subscription, { body }: Asked): Likeness[] =>
  body.plan_code === undefined
    ? [
        likeIf(record.subscription_on_plan !== true),
        likeText(record.plan_frequency, body.plan_frequency),
        likeText(record.plan_duration, body.plan_duration),
        likeText(record.interval ?? 1, body.interval ?? 1),
        likeRecurring(record.recur_amt, body),
        likeCurrency(record.tran_currency, body.tran_currency, wire.addSubscription.body.tran_currency.serverDefault),
      ]
    : [likeText(record.plan_code, body.plan_code)];

const keyOf = (whose: string | string[], start: unknown) => JSON.stringify([whose, dayOf(start)]);

/** Finds the new subscription in the list of subscriptions (openapi.yaml#SubscriptionRecord). */
export const subscriptionFootprint: FootprintOf<'addSubscription', 'browseSubscriptions'> = {
  list: { path: wire.browseSubscriptions.request.path, identity: 'subscription_id', newestBy: 'subscription_id' },
  filter: (values) => filterOn('customer_id', customerIdOf(values)),
  isIdentifiable: ({ body }) => dayOf(body.date_start) !== '',
  key: (values) => keyOf(customerIdOf(values) || namesOf(values.body.customer), values.body.date_start),
  keysOf: (record) => {
    const { customer_id: id, customer, date_start: start } = record;
    return [comparableText(id), namesOf({ ...record, ...objectIn(customer) })].map((whose) => keyOf(whose, start));
  },
  // A second subscription with the same customer, terms and start date is always a mistake.
  lifetime: () => 'always',
  compare: (record, values) => [
    likeOwner(record, values),
    ...likeTerms(record, values),
    likeDay(record.date_start, values.body.date_start),
    likeWhereSent(record.card_id, values.body.card_id),
    likeWhereSent(record.purchase_id, values.body.purchase_id),
  ],
  applied: ({ status }) => likeStatus(status, CODE_WORDS.browseSubscriptions?.status, ['C']),
  where: 'the list of subscriptions',
  agreement: 'same customer, same plan or terms, same start',
};
