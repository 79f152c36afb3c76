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

/** Test controls, available as `sandbox.control` and over HTTP at `/_sandbox` (sandbox.md). */
export class SandboxControl {
  private readonly faultRules = new Faults();
  private readonly entries = new Journal();
  private readonly flow = new Traffic();

  /** Whether the account can list, change, enable and disable webhooks. */
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

  get parts(): { faults: Faults; journal: Journal; traffic: Traffic } {
    return { faults: this.faultRules, journal: this.entries, traffic: this.flow };
  }

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

  /** Removes all fault rules, and approves the next charge again. */
  clearFaults(): void {
    this.faultRules.clear();
    for (const name of ENVIRONMENT_NAMES) this.environments[name].declinesNext = false;
  }

  /** Limits requests per second. Excess requests receive 429. `null` removes the limit. */
  setRateLimit(perSecond: number | null): void {
    this.flow.setRateLimit(perSecond ?? undefined);
  }

  /** Turns 18-digit IDs in responses and deliveries on or off. */
  setLongIds(on: boolean, environment: EnvironmentName = 'test'): void {
    this.environments[environment].longIds = on;
  }

  /** Delays new records in lists, except lists of vault records, disputes, batches, deposits and settlements. */
  setListLag(milliseconds: number): void {
    for (const name of ENVIRONMENT_NAMES) this.environments[name].listLagMilliseconds = milliseconds;
  }

  /** Declines the next charge with the rcode 005, in an interface request, on a hosted page or of a subscription. */
  declineNextCharge(environment: EnvironmentName = 'test'): void {
    this.environments[environment].declinesNext = true;
  }

  now(): string {
    return toTimestamp(this.timeline.clock.now());
  }

  /**
   * Advances the clock of both environments, for example by `{ days: 4 }`. Waits for due actions and their deliveries.
   * @throws RangeError for a negative duration.
   */
  async advanceClock(duration: DurationLikeObject): Promise<string> {
    return toTimestamp(await this.timeline.advance(duration));
  }

  closeBatch(environment: EnvironmentName = 'test'): string[] {
    return closeBatch(this.environments[environment]).map((transaction) => transaction.pg_id);
  }

  sendDeposits(environment: EnvironmentName = 'test'): string[] {
    return sendDeposits(this.environments[environment]).map((transaction) => transaction.pg_id);
  }

  /**
   * Delivers an event to every ACTIVE webhook that subscribes to it. Never retries a forged event. Returns the number
   * of webhooks.
   */
  fireEvent({ environment = 'test', event, data = {}, ...forgery }: EventOrder): number {
    return this.webhooks[environment].fire(event, data, undefined, forgery);
  }

  /** Posts one delivery immediately. Returns the HTTP status, or 0 without a response. */
  async sendDelivery(order: DeliveryOrder): Promise<number> {
    const { environment = 'test', webhookId, event, data = {}, ...forgery } = order;
    return await this.webhooks[environment].send(webhookId, event, data, forgery);
  }

  /** Posts the service's validation request to a webhook. Returns the HTTP status. */
  async probe(webhookId: number, environment: EnvironmentName = 'test'): Promise<number> {
    const data = webhookView(findWebhook(this.environments[environment], webhookId));
    return await this.webhooks[environment].send(webhookId, 'validate_url', data);
  }

  async duplicate({ environment = 'test', ...order }: DuplicateOrder = {}): Promise<number[]> {
    return await this.webhooks[environment].copy(order);
  }

  async repeatDelivery(order: Pick<DuplicateOrder, 'environment' | 'copies' | 'concurrent'> = {}): Promise<number[]> {
    return await this.duplicate(order);
  }

  retryNow(environment: EnvironmentName = 'test'): void {
    this.webhooks[environment].retryNow();
  }

  deliveries(environment: EnvironmentName = 'test'): Attempt[] {
    return this.webhooks[environment].list();
  }

  /** Counts deliveries that wait for a retry or for an ACTIVE webhook. */
  waitingDeliveries(environment: EnvironmentName = 'test'): number {
    return this.webhooks[environment].waiting;
  }

  async settleDeliveries(): Promise<void> {
    await Promise.all(ENVIRONMENT_NAMES.map(async (name) => await this.webhooks[name].settle()));
  }

  setDeliverySettings({ environment = 'test', ...settings }: SettingsOrder): DeliverySettings {
    return this.webhooks[environment].configure(settings);
  }

  rotateSecret({ environment = 'test', webhookId, overlapSeconds = 0 }: RotationOrder): void {
    const webhook = findWebhook(this.environments[environment], webhookId);
    rotateSecurityKey(webhook, this.timeline.clock.now().plus({ seconds: overlapSeconds }));
  }

  webhookSecrets(webhookId: number, environment: EnvironmentName = 'test') {
    const { security_key, former, settings } = findWebhook(this.environments[environment], webhookId);
    return { security_key, formerKey: former?.key, auth_settings: settings.auth_settings };
  }

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

  addCustomers(count: number, environment: EnvironmentName = 'test'): string[] {
    return addCustomers(this.environments[environment], count);
  }

  addCapturedSales(order: SalesOrder, environment: EnvironmentName = 'test'): string[] {
    return addCapturedSales(this.environments[environment], order);
  }

  /** Returns the records in the service's format without secrets. */
  state(environment: EnvironmentName = 'test'): StateDump {
    return dumpState(this.environments[environment]);
  }

  /**
   * Restores the initial records, clock, fault rules and limits.
   * @param seed whether to add sample records.
   */
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
