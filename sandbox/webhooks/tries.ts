import { setMaxListeners } from 'node:events';

import type { SandboxClock } from '../core/clock';
import type { Attempt } from './attempts';
import type { Delivery } from './delivery';
import { post, type Posting } from './posting';
import { Slots } from './slots';

/** Maximum number of concurrent attempts in one environment, so that many deliveries don't use up the TCP ports. */
const MOST_UNDER_WAY = 100;

/**
 * Creates a stop signal without a listener limit. Every attempt listens to the signal, and Node.js would warn about the
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

  /** Signal that aborts attempts in progress. After the signal, callers must ignore the results of these attempts. */
  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  /** Aborts attempts in progress and prevents later attempts. */
  stop(): void {
    this.stopped.abort();
  }

  /** Aborts attempts in progress without recording them and clears all recorded attempts. */
  reset(): void {
    this.stopped.abort();
    this.stopped = newStop();
    this.slots = new Slots(MOST_UNDER_WAY);
    this.attempts = [];
    this.lastOf.clear();
    this.last = undefined;
  }

  /** Returns all attempts, in order of completion. */
  list(): Attempt[] {
    return structuredClone(this.attempts);
  }

  /** Returns the last delivery to a webhook, or the last delivery to any webhook. */
  lastDelivery(webhookId?: number): Delivery | undefined {
    return webhookId === undefined ? this.last : this.lastOf.get(webhookId);
  }

  /** Waits until no tracked work is in progress. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Tracks work until it ends, so that `settle` can wait for the work. */
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
   * @param onDemand whether a control requested the attempt, which bypasses the queue.
   * @returns the HTTP status, or 0 if the receiver doesn't respond in time.
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

  /**
   * Stores a request for later copies. The caller excludes forged requests, because the service doesn't send forged
   * requests.
   */
  private remember(delivery: Delivery, request: Posting): void {
    delivery.posted = request;
    this.last = delivery;
    this.lastOf.set(delivery.webhook_id, delivery);
  }
}
