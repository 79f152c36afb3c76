import type { IDataObject } from 'n8n-workflow';

import { FREQUENCIES } from '../../fields/frequencies';
import { asText, objectIn, readableNumber } from '../../shared/objects';
import { CODE_WORDS } from '../../wire/words';
import * as wire from '../../wire/operations';
import { chosenRecord } from '../engine/chosen';
import { MONTHS } from '../engine/days';
import { words } from '../engine/line-parts';
import type { Picker } from '../engine/picker';
import { said } from '../engine/service';
import { folded } from '../engine/terms';
import { moreOf, personOf } from './customers';
import { amounts, days, ids, texts } from './parts';

const FREQUENCY = CODE_WORDS.getPlan?.plan_frequency ?? {};

const frequencyOf = ({ plan_frequency: value }: IDataObject): string => FREQUENCY[asText(value)] ?? '';

/** Returns the editor's label, which the search also matches. */
const frequencyLabel = ({ plan_frequency: value }: IDataObject): string =>
  FREQUENCIES.find((one) => String(one.value) === asText(value))?.name ?? '';

/** The service has no searchable field for billing frequencies. */
const FREQUENCY_WORDS = [...Object.values(FREQUENCY), ...FREQUENCIES.map(({ name }) => name)]
  .map(folded)
  .flatMap((text) => [...text.split(' '), ...text.split(/[ -]/)]);

/** These plans accept no new subscribers (service.md#letters). */
const CLOSED: Readonly<Record<string, string>> = { A: 'archived', D: 'deleted' };

const closed = ({ status }: IDataObject) => CLOSED[asText(status)];

/** Omits plans that accept no new subscribers. */
export const plans: Picker = {
  of: 'plans',
  operation: wire.browsePlans,
  identity: 'plan_id',
  stored: 'plan_code',
  searched: { words: ['plan_code', 'plan_name'], amount: 'amt_tran' },
  ownWords: ['archived', 'every', ...FREQUENCY_WORDS],
  shown: (plan) => {
    const often = frequencyOf(plan);
    const every = readableNumber(plan.interval) ?? 1;
    return [
      ...texts(plan.plan_name),
      ...amounts(plan.amt_tran, plan.tran_currency),
      words(every > 1 ? `${often}, every ${every}` : often, frequencyLabel(plan)),
      ...texts(plan.plan_code),
    ];
  },
  known: (plan) => [...ids(plan.plan_id), ...texts(plan.plan_desc)],
  leftOut: closed,
  add: 'name, code or whole amount',
};

/** Includes archived plan versions, because users can delete them. */
export const planVersions: Picker = {
  ...plans,
  of: 'plan versions',
  stored: 'plan_id',
  shown: (plan, view) => [...plans.shown(plan, view), ...texts(closed(plan)), ...ids(plan.plan_id)],
  leftOut: (plan) => (plan.status === 'D' ? closed(plan) : undefined),
  add: 'name, code, whole amount or ID',
};

const STATES = CODE_WORDS.browseSubscriptions?.status ?? {};

/**
 * Status codes that an operation can change (openapi.yaml#cancelSubscription). Other operations accept every status.
 */
const CHANGED: Record<string, readonly string[]> = {
  cancel: ['A', 'P', 'S'],
  pause: ['A'],
  resume: ['P', 'S'],
};

const stateOf = ({ status }: IDataObject) => STATES[asText(status)] ?? asText(status);

const customerOf = (subscription: IDataObject) => ({ ...subscription, ...objectIn(subscription.customer) });

/** Omits subscriptions that the selected operation can't change. */
export const subscriptions: Picker = {
  of: 'subscriptions',
  operation: wire.browseSubscriptions,
  identity: 'subscription_id',
  searched: {
    words: [
      ...['customer_id', 'customer_first_name', 'customer_last_name'],
      ...['plan_name', 'plan_code', 'plan_desc', 'purchase_id'],
    ],
    amount: 'recur_amt',
  },
  ownWords: [...Object.values(STATES), ...FREQUENCY_WORDS, 'next', ...MONTHS],
  shown: (subscription, { now, leftOut }) => {
    const customer = customerOf(subscription);
    return [
      ...texts(personOf(customer) || customer.customer_firm_name),
      ...amounts(subscription.recur_amt, subscription.tran_currency, frequencyOf(subscription)),
      words(leftOut === undefined ? stateOf(subscription) : ''),
      ...days(subscription.date_next, now, 'next'),
      // A long plan name comes near the end, where a narrow panel may truncate it.
      ...texts(subscription.plan_name ?? subscription.plan_desc),
      ...ids(subscription.subscription_id),
    ];
  },
  known: (subscription) => [
    ...texts(subscription.plan_code, subscription.plan_desc, subscription.purchase_id, subscription.customer_id),
    ...texts(moreOf(customerOf(subscription)), frequencyLabel(subscription)),
  ],
  leftOut: (subscription, { operation }) =>
    CHANGED[operation]?.includes(asText(subscription.status)) === false ? stateOf(subscription) : undefined,
  add: 'name, plan, whole amount or ID',
};

/** Limited to the selected subscription. */
export const labels: Picker = {
  of: 'labels',
  operation: wire.subscriptionLabelsBrowse,
  within: (context) => {
    if (chosenRecord(context, 'subscription_id') !== undefined) return {};
    const advice = 'Select the subscription first. The list shows the labels of that subscription.';
    throw said(context.getNode(), 'No subscription is selected', advice);
  },
  identity: 'name',
  searched: { words: ['name', 'value'] },
  shown: ({ name, value }) => texts(name, value),
  add: 'name or value',
};
