import { toTimestamp } from '../core/clock';
import { redact } from '../core/redact';
import type { Environment } from '../state/environment';
import { checkoutView } from './checkouts';
import { customerView } from './customers';
import { disputeView } from './disputes';
import { invoicePaymentView, invoiceView } from './invoices';
import { payeeView } from './payees';
import { planView } from './plans';
import { settlementView } from './settlements';
import { subscriptionView } from './subscriptions';
import { transactionReport } from './transactions';
import { updaterSummary } from './updater';
import { webhookView } from './webhooks';

export interface StateDump {
  customers: Array<ReturnType<typeof customerView>>;
  tokens: Array<{
    card_id: string;
    card_number: string;
    card_type: string;
    exp_date?: string;
    cardholder_name?: string;
  }>;
  transactions: Array<ReturnType<typeof transactionReport>>;
  invoices: Array<ReturnType<typeof invoiceView>>;
  payments: Array<ReturnType<typeof invoicePaymentView>>;
  notices: Array<{
    invoice_id?: number;
    pg_id?: string;
    webhook_id?: number;
    sent: string;
    email_address: string[];
    phone_number: number[];
  }>;
  checkouts: Array<ReturnType<typeof checkoutView> & { used: boolean }>;
  subscriptions: Array<ReturnType<typeof subscriptionView>>;
  plans: Array<ReturnType<typeof planView>>;
  payees: Array<ReturnType<typeof payeeView>>;
  disputes: Array<ReturnType<typeof disputeView>>;
  updaterRequests: Array<ReturnType<typeof updaterSummary>>;
  settlements: Array<ReturnType<typeof settlementView>>;
  webhooks: Array<ReturnType<typeof webhookView>>;
}

/** Returns an environment's records in the service's format without secrets. */
export function dumpState(environment: Environment): StateDump {
  const dump: StateDump = {
    customers: environment.customers.map(customerView),
    tokens: [...environment.tokens.values()].map(({ card_id, source, cardholder_name }) => ({
      card_id,
      card_number: source.masked,
      card_type: source.card_type,
      exp_date: source.exp_date,
      cardholder_name,
    })),
    transactions: [...environment.transactions.values()].map(transactionReport),
    invoices: [...environment.invoices.values()].map((invoice) => invoiceView(environment, invoice)),
    payments: environment.payments.map(invoicePaymentView),
    notices: environment.notices.map((notice) => ({ ...notice, sent: toTimestamp(notice.sent) })),
    checkouts: [...environment.checkouts.values()].map((checkout) => ({
      ...checkoutView(environment, checkout),
      used: checkout.used,
    })),
    subscriptions: [...environment.subscriptions.values()].map((subscription) =>
      subscriptionView(subscription, environment.findCustomer(subscription.merchant_id, subscription.customer_id)),
    ),
    plans: environment.plans.map(planView),
    payees: [...environment.payees.values()].map(payeeView),
    disputes: [...environment.disputes.values()].map(disputeView),
    updaterRequests: [...environment.updaterRequests.values()].map((request) =>
      updaterSummary(request, environment.clock.now()),
    ),
    settlements: environment.settlements.map(settlementView),
    webhooks: [...environment.webhooks.values()].map(webhookView),
  };
  return redact(JSON.parse(JSON.stringify(dump))) as StateDump;
}
