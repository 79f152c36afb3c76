import type { DateTime } from 'luxon';

import type { SandboxClock } from '../core/clock';
import type { EventName } from '../core/event-names';
import { Identifiers } from '../core/identifiers';
import { withLongIds } from '../core/long-ids';
import type { Timeline } from '../core/timeline';
import type {
  Bounce,
  Checkout,
  Customer,
  Invoice,
  InvoicePayment,
  Notice,
  Payee,
  Plan,
  Settlement,
  StoredToken,
  Subscription,
  Transaction,
  UpdaterRequest,
  Webhook,
} from './records';

export type EnvironmentName = 'test' | 'production';

export const ENVIRONMENT_NAMES: readonly EnvironmentName[] = ['test', 'production'];

/** What a client needs to use one environment of the sandbox. Valid in the sandbox only. */
export interface SandboxCredentials {
  merchantId: string;
  /** A second merchant that the same key may act for ("on behalf of another merchant"). */
  linkedMerchantId: string;
  apiKey: string;
  /** base64 of `merchantId:apiKey`, what stands after `Basic ` in the authorization header. */
  token: string;
}

/** Everything one environment knows. Production and test share the timeline and nothing else. */
export class Environment {
  baseUrl = '';
  ids: Identifiers;
  customers: Customer[] = [];
  private readonly customersById = new Map<string, Customer>();
  tokens = new Map<string, StoredToken>();
  transactions = new Map<string, Transaction>();
  invoices = new Map<number, Invoice>();
  payments: InvoicePayment[] = [];
  bounces: Bounce[] = [];
  notices: Notice[] = [];
  checkouts = new Map<string, Checkout>();
  plans: Plan[] = [];
  subscriptions = new Map<number, Subscription>();
  settlements: Settlement[] = [];
  /** Whether the batch that is open now will be closed by the clock. */
  batchIsPlanned = false;
  payees = new Map<string, Payee>();
  updaterRequests = new Map<number, UpdaterRequest>();
  webhooks = new Map<number, Webhook>();
  /** Whether answers and deliveries give IDs of 18 digits. */
  longIds = false;
  /** How much later than made a record is in a list, in milliseconds: a report lags. */
  listLagMilliseconds = 0;
  /** Tells the webhooks of a merchant about an event; nobody listens until the server runs. */
  emit: (event: EventName, merchantId: string, data: unknown) => void = () => undefined;
  /** Tells that a webhook was enabled, so that what was held for it is delivered. */
  resume: (webhookId: number) => void = () => undefined;

  constructor(
    readonly name: EnvironmentName,
    readonly credentials: SandboxCredentials,
    readonly timeline: Timeline,
  ) {
    this.ids = new Identifiers(name);
  }

  get clock(): SandboxClock {
    return this.timeline.clock;
  }

  /** A body as this environment writes it. */
  written(body: unknown): string {
    const json = JSON.stringify(body);
    return this.longIds ? withLongIds(json) : json;
  }

  /** Whether lists show what was made at a moment. */
  isListed(made: DateTime): boolean {
    return made.plus({ milliseconds: this.listLagMilliseconds }) <= this.clock.now();
  }

  /** Forgets everything, so that identifiers start over too. */
  clear(): void {
    const { baseUrl, emit, resume } = this;
    Object.assign(this, new Environment(this.name, this.credentials, this.timeline), { baseUrl, emit, resume });
  }

  /** Whether the key of this environment may act for a merchant. */
  serves(merchantId: string): boolean {
    return merchantId === this.credentials.merchantId || merchantId === this.credentials.linkedMerchantId;
  }

  findCustomer(merchantId: string, customerId: string): Customer | undefined {
    return this.customersById.get(`${merchantId}:${customerId}`);
  }

  /** Forgets a customer, with the subscriptions of the customer. */
  removeCustomer({ merchant_id, customer_id }: Customer): void {
    this.customers = this.customers.filter((one) => one.merchant_id !== merchant_id || one.customer_id !== customer_id);
    this.customersById.delete(`${merchant_id}:${customer_id}`);
    for (const [id, one] of this.subscriptions) {
      if (one.merchant_id !== merchant_id || one.customer_id !== customer_id) continue;
      one.status = 'C';
      this.subscriptions.delete(id);
    }
  }

  addCustomer(customer: Customer): void {
    this.customers.push(customer);
    this.customersById.set(`${customer.merchant_id}:${customer.customer_id}`, customer);
  }
}

/** The sandbox's demo credentials: fixed, for everything is in memory and reachable from this machine only. */
export function sandboxCredentials(name: EnvironmentName): SandboxCredentials {
  const merchantId = name === 'test' ? '100000000001' : '200000000001';
  const linkedMerchantId = name === 'test' ? '100000000002' : '200000000002';
  const apiKey = `sandbox-${name}-key`;
  return { merchantId, linkedMerchantId, apiKey, token: Buffer.from(`${merchantId}:${apiKey}`).toString('base64') };
}
