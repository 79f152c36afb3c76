import { setMaxListeners } from 'node:events';

import type { SandboxClock } from '../core/clock';
import type { Attempt } from './attempts';
import type { Delivery } from './delivery';
import { post, type Posting } from './posting';
import { Slots } from './slots';

/** Maximum number of concurrent attempts in one environment, so that a burst doesn't exhaust the ports. */
const MOST_UNDER_WAY = 100;

/**
 * Creates a stop signal without a listener limit. Every attempt listens to the signal, and Node.js would warn at the
 * eleventh listener.
 */
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
  /** Slots for scheduled attempts. */
  slots = new Slots(MOST_UNDER_WAY);

  constructor(private readonly clock: SandboxClock) {}

  /** Signal that is aborted when the results of the attempts in progress must be ignored. */
  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  /** Aborts attempts in progress and posts no more. */
  stop(): void {
    this.stopped.abort();
  }

  /** Aborts attempts in progress without recording them and starts over. */
  reset(): void {
    this.stopped.abort();
    this.stopped = newStop();
    this.slots = new Slots(MOST_UNDER_WAY);
    this.attempts = [];
    this.lastOf.clear();
    this.last = undefined;
  }

  /** Returns every attempt in the order of completion. */
  list(): Attempt[] {
    return structuredClone(this.attempts);
  }

  /** Returns the last delivery, optionally of one webhook. */
  lastDelivery(webhookId?: number): Delivery | undefined {
    return webhookId === undefined ? this.last : this.lastOf.get(webhookId);
  }

  /** Resolves when no work is in progress. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Counts work as in progress until it ends. */
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
   * @param onDemand whether a control requested the attempt, bypassing the queue.
   * @returns the HTTP status, or 0 without a response in time.
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

  /** Stores a request for later copies. Excludes forged requests, because the service didn't send them. */
  private remember(delivery: Delivery, request: Posting): void {
    delivery.posted = request;
    this.last = delivery;
    this.lastOf.set(delivery.webhook_id, delivery);
  }
}
