import type { DurationLikeObject } from 'luxon';

import type { SandboxClock } from '../core/clock';
import { toTimestamp } from '../core/clock';
import { noSuchResource } from '../core/refusals';
import { closeBatch, sendDeposits } from '../rules/batches';
import { chargeDueSubscriptions } from '../rules/recurring';
import { completeUpdaterRequests } from '../rules/updater';
import { ENVIRONMENT_NAMES, type Environment, type EnvironmentName } from '../state/environment';
import { addCapturedSales, addCustomers, seedEnvironment, type SalesOrder } from '../state/seed';
import { dumpState, type StateDump } from '../views/state';
import { Deliveries, type Attempt } from '../webhooks/deliveries';
import type { Forgery } from '../webhooks/delivery';
import type { EventName } from '../webhooks/events';
import { newSecurityKey } from '../webhooks/secret';
import { Faults, type ActiveFault, type FaultRule } from './faults';
import { Journal, type JournalEntry, type JournalFilter } from './journal';
import { Traffic, type Concurrency, type LatencyRule } from './traffic';

interface Scoped {
  /** Default test. */
  environment?: EnvironmentName;
}
export type EventOrder = Scoped & { event: EventName; data?: unknown };
export type DeliveryOrder = Scoped & Forgery & { webhookId: number; event: EventName; data?: unknown };
export type RepeatOrder = Scoped & { copies?: number; concurrent?: boolean };
export type RotationOrder = Scoped & { webhookId: number; overlapSeconds?: number };

/** The test controls: the same in process (`sandbox.control`) and over HTTP (`/_sandbox`, see docs/sandbox.md). */
export class SandboxControl {
  private readonly faultRules = new Faults();
  private readonly entries = new Journal();
  private readonly flow = new Traffic();

  /** Whether the account has the paths that find, change and switch webhooks; without them only creating is left. */
  webhookManagement = true;
  private readonly webhooks: Record<EnvironmentName, Deliveries>;

  constructor(
    private readonly environments: Readonly<Record<EnvironmentName, Environment>>,
    private readonly clock: SandboxClock,
    private readonly seeded: boolean,
  ) {
    this.webhooks = { test: new Deliveries(environments.test), production: new Deliveries(environments.production) };
    for (const name of ENVIRONMENT_NAMES)
      environments[name].emit = (event, data) => void this.webhooks[name].fire(event, data);
  }

  /** For the server: the parts that see every request. */
  get parts(): { faults: Faults; journal: Journal; traffic: Traffic } {
    return { faults: this.faultRules, journal: this.entries, traffic: this.flow };
  }

  /** Delays matching requests before they take effect; the newest matching rule decides. */
  addLatency(rule: LatencyRule): void {
    this.flow.addLatency(rule);
  }

  clearLatency(): void {
    this.flow.clearLatency();
  }

  addFault(rule: FaultRule): ActiveFault {
    return this.faultRules.add(rule);
  }

  faults(): ActiveFault[] {
    return this.faultRules.list();
  }

  removeFault(id: number): boolean {
    return this.faultRules.remove(id);
  }

  clearFaults(): void {
    this.faultRules.clear();
  }

  /** Answers 429 to what exceeds so many requests in any second; `null` lifts the limit. */
  setRateLimit(perSecond: number | null): void {
    this.flow.setRateLimit(perSecond ?? undefined);
  }

  /** The sandbox's time as a timestamp. */
  now(): string {
    return toTimestamp(this.clock.now());
  }

  /** Moves time forward for both environments, such as `{ days: 4 }`. Throws RangeError when it would go back. */
  advanceClock(duration: DurationLikeObject): string {
    const now = toTimestamp(this.clock.advance(duration));
    for (const name of ENVIRONMENT_NAMES) {
      chargeDueSubscriptions(this.environments[name]);
      completeUpdaterRequests(this.environments[name]);
      this.webhooks[name].work();
    }
    return now;
  }

  /** Captured becomes settled. Returns the pg_ids of the batch. */
  closeBatch(environment: EnvironmentName = 'test'): string[] {
    return closeBatch(this.environments[environment]).map((transaction) => transaction.pg_id);
  }

  /** Settled becomes "Deposit Sent". Returns the pg_ids. */
  sendDeposits(environment: EnvironmentName = 'test'): string[] {
    return sendDeposits(this.environments[environment]).map((transaction) => transaction.pg_id);
  }

  /** Emits an event to every ACTIVE webhook that wants it. Returns to how many. */
  fireEvent({ environment = 'test', event, data = {} }: EventOrder): number {
    return this.webhooks[environment].fire(event, data);
  }

  /** Posts one delivery to one webhook, forged or not, outside the queue. Returns its HTTP status, 0 without an answer. */
  async sendDelivery({
    environment = 'test',
    webhookId,
    event,
    data = {},
    ...forgery
  }: DeliveryOrder): Promise<number> {
    return await this.webhooks[environment].send(webhookId, event, data, forgery);
  }

  /** Posts copies of the last delivery, byte for byte. Returns their HTTP statuses. */
  async repeatDelivery({ environment = 'test', copies = 1, concurrent = false }: RepeatOrder = {}): Promise<number[]> {
    return await this.webhooks[environment].repeatLast(copies, concurrent);
  }

  /** Every try to deliver, in order. */
  deliveries(environment: EnvironmentName = 'test'): Attempt[] {
    return this.webhooks[environment].list();
  }

  /** Resolves when no delivery is under way. */
  async settleDeliveries(environment: EnvironmentName = 'test'): Promise<void> {
    await this.webhooks[environment].settle();
  }

  /** Gives a webhook a new secret; the old one signs too for so many seconds. */
  rotateSecret({ environment = 'test', webhookId, overlapSeconds = 0 }: RotationOrder): void {
    const webhook = this.environments[environment].webhooks.get(webhookId);
    if (!webhook) throw noSuchResource('Webhook');
    webhook.former = { key: webhook.security_key, until: this.clock.now().plus({ seconds: overlapSeconds }) };
    webhook.security_key = newSecurityKey();
  }

  /** The secrets of a webhook, for tests in this process: they never leave it otherwise. */
  webhookSecrets(webhookId: number, environment: EnvironmentName = 'test') {
    const webhook = this.environments[environment].webhooks.get(webhookId);
    if (!webhook) throw noSuchResource('Webhook');
    const { security_key, former, request } = webhook;
    return { security_key, formerKey: former?.key, auth_settings: request.auth_settings };
  }

  /** Ends everything that runs by itself. */
  stop(): void {
    for (const name of ENVIRONMENT_NAMES) this.webhooks[name].stop();
  }

  journal(filter?: JournalFilter): JournalEntry[] {
    return this.entries.list(filter);
  }

  clearJournal(): void {
    this.entries.clear();
  }

  concurrency(): Concurrency {
    return this.flow.concurrency();
  }

  resetConcurrency(): void {
    this.flow.resetConcurrency();
  }

  /** Adds customers with one card each. Returns their customer_ids. */
  addCustomers(count: number, environment: EnvironmentName = 'test'): string[] {
    return addCustomers(this.environments[environment], count);
  }

  /** Adds captured sales. Returns their pg_ids. */
  addCapturedSales(order: SalesOrder, environment: EnvironmentName = 'test'): string[] {
    return addCapturedSales(this.environments[environment], order);
  }

  /** Everything an environment knows, in the interface's own shapes: numbers masked, secrets left out. */
  state(environment: EnvironmentName = 'test'): StateDump {
    return dumpState(this.environments[environment]);
  }

  /** Back to how it started (seed data included when it started with them): state, clock, faults, journal, limits. */
  reset(seed: boolean = this.seeded): void {
    this.clock.reset();
    this.faultRules.clear();
    this.entries.clear();
    this.flow.clearLatency();
    this.flow.setRateLimit(undefined);
    this.flow.resetConcurrency();
    this.webhookManagement = true;
    for (const name of ENVIRONMENT_NAMES) {
      this.webhooks[name].reset();
      this.environments[name].clear();
      if (seed) seedEnvironment(this.environments[name]);
    }
  }
}
