import type { Call } from '../calls/call';
import type { Handlers } from '../calls/described';
import type { Body } from '../contract/types';
import { DEFAULT_CURRENCY } from '../core/currency';
import { success } from '../core/envelopes';
import { listAnswer, type ListQuery } from '../core/lists';
import { toCents } from '../core/money';
import { invalidFields } from '../core/refusals';
import { partsOf } from '../rules/charges';
import { momentField } from '../rules/invoice-dates';
import { platformMerchant } from '../rules/merchants';
import { cancel, planCharge, resume } from '../rules/recurring';
import { isApproved, runSale } from '../rules/sales';
import { chooseCard, prepareCustomer } from '../rules/subscribers';
import { findSubscription, subscriptionToChange } from '../rules/subscription-states';
import type { Environment } from '../state/environment';
import type { Plan, Subscription, Transaction } from '../state/records';
import { payerOf } from '../views/customers';
import { cardIdOf, subscriptionRecord, subscriptionView } from '../views/subscriptions';
import { transactionView } from '../views/transactions';

const MONTHLY = 3;
const WEEKLY = 0;
const UNTIL_CANCELED = -1;
/** Fields that come from the plan, if any (service.md#subscriptions). */
const OFF_PLAN = ['plan_frequency', 'plan_duration', 'amt_tran', 'interval'] as const;

export const subscriptionHandlers = {
  /** Subscribes a customer with or without a plan. */
  addSubscription: ({ environment, body }) => {
    const merchantId = platformMerchant(environment, body.merchant_id);
    const terms = readTerms(environment, merchantId, body);
    const date_start = momentField('date_start', body.date_start) ?? environment.clock.now().startOf('day');
    const { customer, save } = prepareCustomer(environment, merchantId, body);
    const card = chooseCard(customer, body.card_id);
    save();
    const subscription: Subscription = {
      ...terms,
      subscription_id: environment.ids.nextNumber('subscription', 31_001),
      merchant_id: merchantId,
      customer_id: customer.customer_id,
      card_id: card.card_id,
      status: 'A',
      profile_id: body.profile_id ?? terms.plan?.profile_id,
      created: environment.clock.now(),
      date_start,
      ...partsOf(terms, date_start),
      cyclesDone: 0,
      tran_currency: body.tran_currency ?? terms.plan?.tran_currency ?? DEFAULT_CURRENCY,
      pct_fee: body.pct_fee ?? 0,
      purchase_id: body.purchase_id ?? `S${environment.ids.nextNumber('purchase', 100_001)}`,
      followsPrimary: body.card_id === undefined,
      labels: [],
    };
    if (terms.setupCents > 0 && !body.amt_setup_ignore) {
      subscription.setupSale = runSale(environment, {
        merchantId,
        amountCents: terms.setupCents,
        source: card.source,
        card_id: card.card_id,
        tran_currency: subscription.tran_currency,
        purchase_id: subscription.purchase_id,
        profile_id: subscription.profile_id,
        payer: payerOf(customer),
        subscription_id: subscription.subscription_id,
      });
      if (!isApproved(subscription.setupSale) && body.cancel_on_setup_fail) subscription.status = 'C';
    }
    environment.subscriptions.set(subscription.subscription_id, subscription);
    planCharge(environment, subscription);
    return success(subscriptionView(subscription, customer));
  },

  /** Lists subscriptions, by default by the next charge date, latest first. */
  browseSubscriptions: (call) => {
    const { environment, query } = call;
    const merchantId = platformMerchant(environment, query.merchant_id);
    const records = [...environment.subscriptions.values()]
      .filter(({ merchant_id, created }) => merchant_id === merchantId && environment.isListed(created))
      .map((one) => subscriptionRecord(environment, one));
    return listAnswer(records, call, 'date_next');
  },

  getSubscription: ({ environment, path, query }) =>
    success(subscriptionRecord(environment, findSubscription(environment, path.subscription_id, query?.merchant_id))),

  /** Changes the start date before a subscription starts, or the card of an active subscription. */
  updateSubscription: ({ environment, path, body }) => {
    const { card_id, profile_id } = body;
    const subscription = findSubscription(environment, path.subscription_id, body.merchant_id);
    const customer = environment.findCustomer(subscription.merchant_id, subscription.customer_id);
    const date_start = momentField('date_start', body.date_start);
    const hasBegun = subscription.cyclesDone > 0 || subscription.date_start <= environment.clock.now();
    if (date_start && (hasBegun || subscription.status !== 'A'))
      throw invalidFields({ date_start: 'cannot change: the subscription has begun or is not active' });
    if (card_id !== undefined && subscription.status !== 'A')
      throw invalidFields({ card_id: 'cannot change: the subscription must be active' });
    if (card_id && customer) chooseCard(customer, card_id);
    if (profile_id !== undefined && (subscription.status === 'C' || subscription.status === 'D'))
      throw invalidFields({ profile_id: 'cannot change: the subscription has ended' });
    if (profile_id !== undefined) subscription.profile_id = profile_id;
    if (card_id !== undefined) {
      subscription.followsPrimary = card_id === '';
      subscription.card_id = card_id === '' ? cardIdOf(subscription, customer) : card_id;
    }
    if (date_start) {
      Object.assign(subscription, { date_start, ...partsOf(subscription, date_start) });
      planCharge(environment, subscription);
    }
    return success(subscriptionRecord(environment, subscription));
  },

  getAllSubscriptionTransactions: (call) => {
    const merchantId = platformMerchant(call.environment, call.query.merchant_id);
    return transactionsIn(call, ({ merchant_id }) => merchant_id === merchantId);
  },

  getSubscriptionTransactions: (call) => {
    const { environment, path, query } = call;
    const { subscription_id: id } = findSubscription(environment, path.subscription_id, query.merchant_id);
    return transactionsIn(call, ({ subscription_id }) => subscription_id === id);
  },

  cancelSubscription: ({ environment, path, body }) => {
    const subscription = subscriptionToChange(environment, 'cancel', path.subscription_id, body);
    cancel(subscription);
    return success(subscriptionRecord(environment, subscription));
  },

  pauseSubscription: ({ environment, path, body }) => {
    const subscription = subscriptionToChange(environment, 'pause', path.subscription_id, body);
    subscription.status = 'P';
    return success(subscriptionRecord(environment, subscription));
  },

  resumeSubscription: ({ environment, path, body }) => {
    const subscription = subscriptionToChange(environment, 'resume', path.subscription_id, body);
    resume(environment, subscription);
    return success(subscriptionRecord(environment, subscription));
  },

  subscriptionLabelsBrowse: (call) => {
    const labels = labelsOf(findSubscription(call.environment, call.path.subscription_id, undefined));
    return listAnswer(labels, call, 'name', 'asc');
  },

  /** Adds a label whose name the subscription doesn't have yet. */
  subscriptionLabelsAdd: ({ environment, path, body }) => {
    const subscription = findSubscription(environment, path.subscription_id, undefined);
    const name = named(body.name);
    if (subscription.labels.some((one) => one.name === name))
      throw invalidFields({ name: 'is a label of the subscription already' });
    subscription.labels.push({ name, value: body.value ?? '' });
    return success(labelsOf(subscription));
  },

  subscriptionLabelsEdit: ({ environment, path, body }) => {
    const subscription = findSubscription(environment, path.subscription_id, undefined);
    findLabel(subscription, named(body.name)).value = body.value ?? '';
    return success(labelsOf(subscription));
  },

  /** Removes a label. A submitted value must equal the label's value. */
  subscriptionLabelsDelete: ({ environment, path, body }) => {
    const subscription = findSubscription(environment, path.subscription_id, undefined);
    const label = findLabel(subscription, named(body.name));
    if (body.value !== undefined && body.value !== label.value)
      throw invalidFields({ value: 'is not what the label says' });
    subscription.labels = subscription.labels.filter((one) => one !== label);
    return success({});
  },
} satisfies Partial<Handlers>;

type Terms = Pick<
  Subscription,
  'plan' | 'plan_desc' | 'plan_frequency' | 'plan_duration' | 'interval' | 'amountCents' | 'setupCents'
>;

function readTerms(environment: Environment, merchantId: string, body: Body<'addSubscription'>): Terms {
  const setupCents = amountField('amt_setup', body.amt_setup);
  if (body.plan_code !== undefined) {
    const both = OFF_PLAN.find((name) => body[name] !== undefined);
    if (both !== undefined) throw invalidFields({ [both]: 'must not be given together with plan_code' });
    const plan = environment.plans.find(
      ({ plan_code, merchant_id, status }) =>
        plan_code === body.plan_code && merchant_id === merchantId && status === 'E',
    );
    if (!plan) throw invalidFields({ plan_code: 'names no active plan' });
    return termsOfPlan(plan, setupCents);
  }
  const plan_frequency = body.plan_frequency ?? MONTHLY;
  if (body.interval !== undefined && plan_frequency !== WEEKLY && plan_frequency !== MONTHLY)
    throw invalidFields({ interval: 'applies to a weekly or monthly plan_frequency only' });
  return {
    plan_desc: body.plan_desc,
    plan_frequency,
    plan_duration: body.plan_duration ?? UNTIL_CANCELED,
    interval: body.interval ?? 1,
    amountCents: amountField('amt_tran', body.amt_tran) ?? 0,
    setupCents: setupCents ?? 0,
  };
}

function termsOfPlan(plan: Plan, setupCents: number | undefined): Terms {
  const { plan_desc, plan_frequency, plan_duration, interval, amountCents } = plan;
  const fee = setupCents ?? plan.setupCents;
  return { plan, plan_desc, plan_frequency, plan_duration, interval, amountCents, setupCents: fee };
}

function amountField(name: string, amount: number | undefined): number | undefined {
  if (amount === undefined) return undefined;
  const cents = toCents(amount);
  if (cents === undefined || cents < 0)
    throw invalidFields({ [name]: 'must not be negative and have at most two decimals' });
  return cents;
}

function transactionsIn(call: Call<unknown, ListQuery>, isAsked: (transaction: Transaction) => boolean) {
  const { environment } = call;
  const records = [...environment.transactions.values()]
    .filter((one) => one.subscription_id !== undefined && isAsked(one) && environment.isListed(one.time))
    .map(transactionView);
  return listAnswer(records, call, 'tran_time');
}

const labelsOf = ({ subscription_id, labels }: Subscription) =>
  labels.map((label) => ({ source: 'SUBSCRIPTION', source_id: subscription_id, ...label }));

const named = (name: string | undefined): string => {
  if (!name) throw invalidFields({ name: 'is required' });
  return name;
};

function findLabel({ labels }: Subscription, name: string) {
  const label = labels.find((one) => one.name === name);
  if (!label) throw invalidFields({ name: 'is no label of the subscription' });
  return label;
}
