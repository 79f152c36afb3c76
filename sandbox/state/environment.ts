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

/** API key and merchant IDs of one sandbox environment. */
export interface SandboxCredentials {
  merchantId: string;
  /** ID of a second merchant for which the API key may send requests. */
  linkedMerchantId: string;
  apiKey: string;
  token: string;
}

/** Records and settings of the test or production environment. */
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
  batchIsPlanned = false;
  payees = new Map<string, Payee>();
  disputes = new Map<number, Dispute>();
  prepaidAccounts = new Map<number, PrepaidAccount>();
  updaterRequests = new Map<number, UpdaterRequest>();
  heldCards = new Set<string>();
  webhooks = new Map<number, Webhook>();
  longIds = false;
  listLagMilliseconds = 0;
  /** Whether the issuer declines the next charge. */
  declinesNext = false;
  /** Delivers an event to the merchant's webhooks. Does nothing until `SandboxControl` replaces this function. */
  emit: (event: EventName, merchantId: string, data: unknown) => void = () => undefined;
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

  written(body: unknown): string {
    const json = JSON.stringify(body);
    return this.longIds ? withLongIds(json) : json;
  }

  isListed(made: DateTime): boolean {
    return made.toMillis() + this.listLagMilliseconds <= this.clock.now().toMillis();
  }

  clear(): void {
    const { baseUrl, emit, resume } = this;
    Object.assign(this, new Environment(this.name, this.credentials, this.timeline), { baseUrl, emit, resume });
  }

  serves(merchantId: string): boolean {
    return merchantId === this.credentials.merchantId || merchantId === this.credentials.linkedMerchantId;
  }

  ownSettlements(): Settlement[] {
    return this.settlements.filter(({ merchant_id }) => merchant_id === this.credentials.merchantId);
  }

  findCustomer(merchantId: string, customerId: string): Customer | undefined {
    return this.customersById.get(`${merchantId}:${customerId}`);
  }

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

/** Returns fixed credentials, which are safe because the sandbox accepts connections only from this machine. */
export function sandboxCredentials(name: EnvironmentName): SandboxCredentials {
  const merchantId = name === 'test' ? '100000000001' : '200000000001';
  const linkedMerchantId = name === 'test' ? '100000000002' : '200000000002';
  const apiKey = `sandbox-${name}-key`;
  return { merchantId, linkedMerchantId, apiKey, token: Buffer.from(`${merchantId}:${apiKey}`).toString('base64') };
}
