import type { IDataObject } from 'n8n-workflow';

import type { Named, Trace } from '../../pipeline/trace';
import { objectIn } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { dayOf, isSameAmount, isSameWhereSent, written } from '../compared';
import { filterOn } from '../filter-on';

const NAMES = ['customer_first_name', 'customer_last_name', 'customer_firm_name'] as const;

const TERMS = [
  'plan_code',
  'plan_frequency',
  'plan_duration',
  'interval',
  'amt_tran',
  'card_id',
  'purchase_id',
] as const;

const namesOf = (customer: unknown) => NAMES.map((name) => written(objectIn(customer)[name]));

const customerIdOf = ({ body }: Named) => written(body.customer_id ?? objectIn(body.customer).customer_id);

/** A customer who is saved with the subscription may have no ID but the one that the answer would have told. */
function isCustomer(record: IDataObject, values: Named): boolean {
  const id = customerIdOf(values);
  if (id !== '') return written(record.customer_id) === id;
  const [given, shown] = [objectIn(values.body.customer), { ...record, ...objectIn(record.customer) }];
  const named = NAMES.filter((name) => written(given[name]) !== '');
  return named.length > 0 && named.every((name) => written(given[name]) === written(shown[name]));
}

/** A plan, or the terms of its own; an interval of one is what the service takes where none is sent. */
const areTerms = (record: IDataObject, { body }: Named): boolean =>
  body.plan_code === undefined
    ? record.subscription_on_plan !== true &&
      written(record.plan_frequency) === written(body.plan_frequency) &&
      written(record.plan_duration) === written(body.plan_duration) &&
      written(record.interval ?? 1) === written(body.interval ?? 1) &&
      isSameAmount(record.recur_amt, body.amt_tran)
    : written(record.plan_code) === written(body.plan_code);

/** A subscription in the list of subscriptions (openapi.yaml#SubscriptionRecord), which says nowhere when it was made. */
export const subscriptionTrace: Trace = {
  list: { path: wire.browseSubscriptions.request.path, identity: 'subscription_id', newestBy: 'subscription_id' },
  filter: (values) => filterOn('customer_id', customerIdOf(values)),
  isTold: ({ body }) =>
    // The list of another merchant is not this one.
    body.merchant_id === undefined && dayOf(body.date_start) !== '',
  key: (values) => {
    const { body } = values;
    const terms = TERMS.map((name) => written(body[name]));
    return JSON.stringify([customerIdOf(values) || namesOf(body.customer), terms, dayOf(body.date_start)]);
  },
  reference: 'purchase_id',
  // Nobody pays twice on the same terms from the same day on.
  tells: () => 'always',
  agrees: (record, values) =>
    isCustomer(record, values) &&
    areTerms(record, values) &&
    dayOf(record.date_start) === dayOf(values.body.date_start) &&
    isSameWhereSent(record.card_id, values.body.card_id) &&
    isSameWhereSent(record.purchase_id, values.body.purchase_id) &&
    record.status !== 'C',
  where: 'the list of subscriptions',
  agreement: 'same customer, same plan or terms, same start',
};
