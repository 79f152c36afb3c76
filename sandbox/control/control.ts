import type { DurationLikeObject } from 'luxon';

import type { SandboxClock } from '../core/clock';
import { toTimestamp } from '../core/clock';
import { closeBatch, sendDeposits } from '../rules/batches';
import { ENVIRONMENT_NAMES, type Environment, type EnvironmentName } from '../state/environment';
import { addCapturedSales, addCustomers, seedEnvironment, type SalesOrder } from '../state/seed';
import { dumpState, type StateDump } from '../views/state';
import { Faults, type ActiveFault, type FaultRule } from './faults';
import { Journal, type JournalEntry, type JournalFilter } from './journal';
import { Traffic, type Concurrency, type LatencyRule } from './traffic';

/** The test controls: the same in process (`sandbox.control`) and over HTTP (`/_sandbox`, see docs/sandbox.md). */
export class SandboxControl {
  private readonly faultRules = new Faults();
  private readonly entries = new Journal();
  private readonly flow = new Traffic();

  constructor(
    private readonly environments: Readonly<Record<EnvironmentName, Environment>>,
    private readonly clock: SandboxClock,
    private readonly seeded: boolean,
  ) {}

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
    return toTimestamp(this.clock.advance(duration));
  }

  /** Captured becomes settled. Returns the pg_ids of the batch. */
  closeBatch(environment: EnvironmentName = 'test'): string[] {
    return closeBatch(this.environments[environment]).map((transaction) => transaction.pg_id);
  }

  /** Settled becomes "Deposit Sent". Returns the pg_ids. */
  sendDeposits(environment: EnvironmentName = 'test'): string[] {
    return sendDeposits(this.environments[environment]).map((transaction) => transaction.pg_id);
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
    for (const name of ENVIRONMENT_NAMES) {
      this.environments[name].clear();
      if (seed) seedEnvironment(this.environments[name]);
    }
  }
}
