import { setMaxListeners } from 'node:events';

import type { SandboxClock } from '../core/clock';
import type { Attempt } from './attempts';
import type { Delivery } from './delivery';
import { post, type Posting } from './posting';
import { Slots } from './slots';

/** The most planned tries of one environment that are under way at the same time, so that a burst does not use up all ports. */
const MOST_UNDER_WAY = 100;

/** As many tries as there are listen to it; without this Node.js warns from the eleventh on. */
function newStop(): AbortController {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  return stop;
}

/** Posts deliveries and keeps account of every try. */
export class Tries {
  private attempts: Attempt[] = [];
  private readonly lastOf = new Map<number, Delivery>();
  private last: Delivery | undefined;
  private readonly running = new Set<Promise<unknown>>();
  private stopped = newStop();
  /** Places for planned tries. */
  slots = new Slots(MOST_UNDER_WAY);

  constructor(private readonly clock: SandboxClock) {}

  /** Aborted once what is under way now no longer counts. */
  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  /** Breaks off what is under way; nothing is posted any more. */
  stop(): void {
    this.stopped.abort();
  }

  /** Starts over; what is under way is broken off and leaves no footprint. */
  reset(): void {
    this.stopped.abort();
    this.stopped = newStop();
    this.slots = new Slots(MOST_UNDER_WAY);
    this.attempts = [];
    this.lastOf.clear();
    this.last = undefined;
  }

  /** Every try in the order they ended. */
  list(): Attempt[] {
    return structuredClone(this.attempts);
  }

  /** The delivery that was posted last, or the last one to a webhook. */
  lastDelivery(webhookId?: number): Delivery | undefined {
    return webhookId === undefined ? this.last : this.lastOf.get(webhookId);
  }

  /** Resolves when nothing is under way. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Counts work as under way until it has ended. */
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
   * @param onDemand whether a control asked for it, outside of the queue.
   * @returns the HTTP status, 0 without an answer in time.
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

  /** For copies: what a test forged is nothing that the service sent. */
  private remember(delivery: Delivery, request: Posting): void {
    delivery.posted = request;
    this.last = delivery;
    this.lastOf.set(delivery.webhook_id, delivery);
  }
}
