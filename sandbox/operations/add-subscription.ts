import type { Handler } from '../calls/call';
import type { Body } from '../contract/types';
import { success } from '../core/envelopes';
import { toCents } from '../core/money';
import { invalidFields } from '../core/refusals';
import { partsOf } from '../rules/charges';
import { momentField } from '../rules/invoice-dates';
import { platformMerchant } from '../rules/merchants';
import { planCharge } from '../rules/recurring';
import { DEFAULT_CURRENCY } from '../core/currency';
import { isApproved, runSale } from '../rules/sales';
import { chooseCard, prepareCustomer } from '../rules/subscribers';
import type { Environment } from '../state/environment';
import type { Plan, Subscription } from '../state/records';
import { payerOf } from '../views/customers';
import { subscriptionView } from '../views/subscriptions';

const MONTHLY = 3;
const WEEKLY = 0;
const UNTIL_CANCELED = -1;
/** Fields that come from the plan, if any (service.md#subscriptions). */
const OFF_PLAN = ['plan_frequency', 'plan_duration', 'amt_tran', 'interval'] as const;

/** Subscribes a customer with or without a plan. */
export const addSubscription: Handler<'addSubscription'> = ({ environment, body }) => {
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
};

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
