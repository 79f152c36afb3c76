import { setMaxListeners } from 'node:events';

import type { SandboxClock } from '../core/clock';
import type { Attempt } from './attempts';
import type { Delivery } from './delivery';
import { post, type Posting } from './posting';
import { Slots } from './slots';

/** Limit on concurrent attempts that keeps many deliveries from exhausting TCP ports. */
const MOST_UNDER_WAY = 100;

/** Removes the listener limit, because every attempt adds a listener and Node.js warns about the eleventh. */
function newStop(): AbortController {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  return stop;
}

/** Posts deliveries and records every attempt. */
export class Tries {
  private attempts: Attempt[] = [];
  private readonly lastOf = new Map<number, Delivery>();
  private last: Delivery | undefined;
  private readonly running = new Set<Promise<unknown>>();
  private stopped = newStop();
  slots = new Slots(MOST_UNDER_WAY);

  constructor(private readonly clock: SandboxClock) {}

  /** Signal that aborts attempts in progress. Callers must ignore the results of aborted attempts. */
  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  stop(): void {
    this.stopped.abort();
  }

  reset(): void {
    this.stopped.abort();
    this.stopped = newStop();
    this.slots = new Slots(MOST_UNDER_WAY);
    this.attempts = [];
    this.lastOf.clear();
    this.last = undefined;
  }

  list(): Attempt[] {
    return structuredClone(this.attempts);
  }

  /** Returns the last delivery to a webhook, or to any webhook by default. */
  lastDelivery(webhookId?: number): Delivery | undefined {
    return webhookId === undefined ? this.last : this.lastOf.get(webhookId);
  }

  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  async track<Result>(work: Promise<Result>): Promise<Result> {
    this.running.add(work);
    try {
      return await work;
    } finally {
      this.running.delete(work);
    }
  }

  /**
   * Posts a delivery once.
   * @param onDemand whether a test control requested the attempt.
   * @returns the HTTP status, or 0 without a response.
   */
  async post(delivery: Delivery, request: Posting, timeoutMilliseconds: number, onDemand: boolean): Promise<number> {
    const { signal } = this;
    const time = this.clock.now().toISO() ?? '';
    delivery.attempts += 1;
    const { delivery_id, webhook_id, event, attempts: attempt } = delivery;
    if (!request.forged) this.remember(delivery, request);
    const status = await post(request, timeoutMilliseconds, signal);
    const { url, signed } = request;
    const entry = { delivery_id, webhook_id, event, url, time, status, attempt, signed, on_demand: onDemand };
    if (!signal.aborted) this.attempts.push(entry);
    return status;
  }

  /** Stores a request to copy later. Never pass a forged request. */
  private remember(delivery: Delivery, request: Posting): void {
    delivery.posted = request;
    this.last = delivery;
    this.lastOf.set(delivery.webhook_id, delivery);
  }
}
