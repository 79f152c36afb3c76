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
  Dispute,
  Invoice,
  InvoicePayment,
  Notice,
  Payee,
  Plan,
  PrepaidAccount,
  Settlement,
  StoredToken,
  Subscription,
  Transaction,
  UpdaterRequest,
  Webhook,
} from './records';

export type EnvironmentName = 'test' | 'production';

export const ENVIRONMENT_NAMES: readonly EnvironmentName[] = ['test', 'production'];

/** Credentials of one sandbox environment. The real service doesn't accept the credentials. */
export interface SandboxCredentials {
  merchantId: string;
  /** ID of a second merchant for which the key may send requests. */
  linkedMerchantId: string;
  apiKey: string;
  /** Base64 of `merchantId:apiKey`. The token follows `Basic ` in the authorization header. */
  token: string;
}

/** State of one environment. The test and production environments share only the timeline. */
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
  /** Whether the close of the open batch is scheduled. */
  batchIsPlanned = false;
  payees = new Map<string, Payee>();
  disputes = new Map<number, Dispute>();
  /** Prepaid accounts by fbo_id. */
  prepaidAccounts = new Map<number, PrepaidAccount>();
  updaterRequests = new Map<number, UpdaterRequest>();
  /** IDs of saved cards that the account updater must ignore. */
  heldCards = new Set<string>();
  webhooks = new Map<number, Webhook>();
  /** Whether responses and deliveries contain IDs of 18 digits. */
  longIds = false;
  /** Milliseconds until a new record appears in lists. The delay simulates a report that lags behind. */
  listLagMilliseconds = 0;
  /** Delivers an event to the merchant's webhooks. Does nothing until the server runs. */
  emit: (event: EventName, merchantId: string, data: unknown) => void = () => undefined;
  /** Delivers the events that wait for a newly enabled webhook. */
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

  /** Serializes a body with short or long IDs, as configured for the environment. */
  written(body: unknown): string {
    const json = JSON.stringify(body);
    return this.longIds ? withLongIds(json) : json;
  }

  /** Returns whether lists include a record that was created at the time `made`. */
  isListed(made: DateTime): boolean {
    return made.plus({ milliseconds: this.listLagMilliseconds }) <= this.clock.now();
  }

  /** Clears all state and restarts the identifiers. */
  clear(): void {
    const { baseUrl, emit, resume } = this;
    Object.assign(this, new Environment(this.name, this.credentials, this.timeline), { baseUrl, emit, resume });
  }

  /** Returns whether the environment's key may act for a merchant. */
  serves(merchantId: string): boolean {
    return merchantId === this.credentials.merchantId || merchantId === this.credentials.linkedMerchantId;
  }

  /** Returns the closed batches of the key's merchant. */
  ownSettlements(): Settlement[] {
    return this.settlements.filter(({ merchant_id }) => merchant_id === this.credentials.merchantId);
  }

  findCustomer(merchantId: string, customerId: string): Customer | undefined {
    return this.customersById.get(`${merchantId}:${customerId}`);
  }

  /** Removes a customer and the customer's subscriptions. */
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

/**
 * Returns fixed credentials for the sandbox. Fixed credentials are safe, because the sandbox stores data only in memory
 * and accepts connections only from this machine.
 */
export function sandboxCredentials(name: EnvironmentName): SandboxCredentials {
  const merchantId = name === 'test' ? '100000000001' : '200000000001';
  const linkedMerchantId = name === 'test' ? '100000000002' : '200000000002';
  const apiKey = `sandbox-${name}-key`;
  return { merchantId, linkedMerchantId, apiKey, token: Buffer.from(`${merchantId}:${apiKey}`).toString('base64') };
}
