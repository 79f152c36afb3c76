import type { DurationLikeObject } from 'luxon';

import { toTimestamp } from '../core/clock';
import type { Timeline } from '../core/timeline';
import { closeBatch, sendDeposits } from '../rules/batches';
import { addCapturedSales, addCustomers, seedEnvironment, type SalesOrder } from '../seed/seed';
import { ENVIRONMENT_NAMES, type Environment, type EnvironmentName } from '../state/environment';
import { dumpState, type StateDump } from '../views/state';
import { webhookView } from '../views/webhooks';
import type { Attempt } from '../webhooks/attempts';
import { Deliveries } from '../webhooks/deliveries';
import { rotateSecurityKey } from '../webhooks/secret';
import type { DeliverySettings } from '../webhooks/settings';
import { findWebhook } from '../webhooks/subscribers';
import { Faults, type ActiveFault, type FaultRule } from './faults';
import { Journal, type JournalEntry, type JournalFilter } from './journal';
import type { DeliveryOrder, DuplicateOrder, EventOrder, RotationOrder, SettingsOrder } from './orders';
import { Traffic, type Concurrency, type LatencyRule } from './traffic';

export type { DeliveryOrder, DuplicateOrder, EventOrder, RotationOrder, SettingsOrder } from './orders';

/** The test controls: the same in process (`sandbox.control`) and over HTTP (`/_sandbox`, see sandbox.md). */
export class SandboxControl {
  private readonly faultRules = new Faults();
  private readonly entries = new Journal();
  private readonly flow = new Traffic();

  /** Whether the account has the paths that find, change and switch webhooks; without them only creating is left. */
  webhookManagement = true;
  private readonly webhooks: Record<EnvironmentName, Deliveries>;

  constructor(
    private readonly environments: Readonly<Record<EnvironmentName, Environment>>,
    private readonly timeline: Timeline,
    private readonly seeded: boolean,
  ) {
    this.webhooks = { test: new Deliveries(environments.test), production: new Deliveries(environments.production) };
    for (const name of ENVIRONMENT_NAMES) {
      const deliveries = this.webhooks[name];
      environments[name].emit = (event, merchantId, data) => void deliveries.fire(event, data, merchantId);
      environments[name].resume = (webhookId) => deliveries.retryNow(webhookId);
    }
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

  /** Gives IDs of 18 digits in answers and deliveries, or short ones again; both are taken in paths and filters. */
  setLongIds(on: boolean, environment: EnvironmentName = 'test'): void {
    this.environments[environment].longIds = on;
  }

  /** Lists show what is made so many milliseconds later; 0 ends that. Those of the vault do not lag. */
  setListLag(milliseconds: number): void {
    for (const name of ENVIRONMENT_NAMES) this.environments[name].listLagMilliseconds = milliseconds;
  }

  /** The sandbox's time as a timestamp. */
  now(): string {
    return toTimestamp(this.timeline.clock.now());
  }

  /**
   * Moves time forward for both environments, such as `{ days: 4 }`: everything that comes due happens in order, each at
   * its own time, and deliveries are answered before time goes on. Rejects with RangeError when it would go back.
   */
  async advanceClock(duration: DurationLikeObject): Promise<string> {
    return toTimestamp(await this.timeline.advance(duration));
  }

  /** Captured becomes settled. Returns the pg_ids of the batch. */
  closeBatch(environment: EnvironmentName = 'test'): string[] {
    return closeBatch(this.environments[environment]).map((transaction) => transaction.pg_id);
  }

  /** Settled becomes "Deposit Sent". Returns the pg_ids. */
  sendDeposits(environment: EnvironmentName = 'test'): string[] {
    return sendDeposits(this.environments[environment]).map((transaction) => transaction.pg_id);
  }

  /**
   * Delivers an event to every ACTIVE webhook that wants it, and repeats it until it succeeds; a forged one is tried
   * once. Returns to how many.
   */
  fireEvent({ environment = 'test', event, data = {}, ...forgery }: EventOrder): number {
    return this.webhooks[environment].fire(event, data, undefined, forgery);
  }

  /** Posts one delivery to one webhook outside of the queue, forged or not. Returns its HTTP status, 0 without an answer. */
  async sendDelivery(order: DeliveryOrder): Promise<number> {
    const { environment = 'test', webhookId, event, data = {}, ...forgery } = order;
    return await this.webhooks[environment].send(webhookId, event, data, forgery);
  }

  /** Posts the probe of a webhook's URL, as the service does to validate it. Returns its HTTP status. */
  async probe(webhookId: number, environment: EnvironmentName = 'test'): Promise<number> {
    const data = webhookView(findWebhook(this.environments[environment], webhookId));
    return await this.webhooks[environment].send(webhookId, 'validate_url', data);
  }

  /** Posts copies of the last delivery, or of the last one to a webhook, body byte for byte. Returns their HTTP statuses. */
  async duplicate({ environment = 'test', ...order }: DuplicateOrder = {}): Promise<number[]> {
    return await this.webhooks[environment].copy(order);
  }

  /** Posts copies of the last delivery, byte for byte. Returns their HTTP statuses. */
  async repeatDelivery(order: Pick<DuplicateOrder, 'environment' | 'copies' | 'concurrent'> = {}): Promise<number[]> {
    return await this.duplicate(order);
  }

  /** Makes every delivery that waits due now, without moving the clock. */
  retryNow(environment: EnvironmentName = 'test'): void {
    this.webhooks[environment].retryNow();
  }

  /** Every try to deliver, in order. */
  deliveries(environment: EnvironmentName = 'test'): Attempt[] {
    return this.webhooks[environment].list();
  }

  /** How many deliveries wait: to be tried again, or held for a webhook that is not ACTIVE. */
  waitingDeliveries(environment: EnvironmentName = 'test'): number {
    return this.webhooks[environment].waiting;
  }

  /** Resolves when no try is under way, in neither environment. */
  async settleDeliveries(): Promise<void> {
    await Promise.all(ENVIRONMENT_NAMES.map(async (name) => await this.webhooks[name].settle()));
  }

  /** Changes how deliveries are repeated and given up, from the next try on. Returns what holds now. */
  setDeliverySettings({ environment = 'test', ...settings }: SettingsOrder): DeliverySettings {
    return this.webhooks[environment].configure(settings);
  }

  /** Gives a webhook a new secret; the old one signs too for so many seconds. */
  rotateSecret({ environment = 'test', webhookId, overlapSeconds = 0 }: RotationOrder): void {
    const webhook = findWebhook(this.environments[environment], webhookId);
    rotateSecurityKey(webhook, this.timeline.clock.now().plus({ seconds: overlapSeconds }));
  }

  /** The secrets of a webhook, for tests in this process: they never leave it otherwise. */
  webhookSecrets(webhookId: number, environment: EnvironmentName = 'test') {
    const { security_key, former, settings } = findWebhook(this.environments[environment], webhookId);
    return { security_key, formerKey: former?.key, auth_settings: settings.auth_settings };
  }

  /** Ends everything that runs by itself. */
  stop(): void {
    this.timeline.reset();
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
    this.timeline.reset();
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
