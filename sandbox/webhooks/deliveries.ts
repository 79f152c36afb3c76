import { setMaxListeners } from 'node:events';

import type { DateTime } from 'luxon';

import { noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Webhook } from '../state/records';
import type { Attempt } from './attempts';
import { Failures } from './failures';
import { deliveryBody } from './payload';
import { isSuccess, post, posting, type Forgery, type Posting } from './posting';
import { signingKeys } from './secret';
import { DEFAULT_SETTINGS, type DeliverySettings } from './settings';
import { findWebhook, suspend, wants } from './subscribers';

/** How often the queue looks whether something is due, in milliseconds of real time. */
const POLL_MILLISECONDS = 1000;
/** The most tries of one environment that are under way at the same time, so that a burst does not use up all ports. */
const MOST_UNDER_WAY = 100;

interface Delivery {
  delivery_id: number;
  webhook_id: number;
  event: string;
  body: Buffer;
  expires: DateTime;
  due: DateTime;
  underWay: boolean;
  attempts: number;
  /** The last request that the service sent for it. */
  posted?: Posting;
}

export interface CopyOrder extends Forgery {
  /** Default: the webhook that was delivered to last. */
  webhookId?: number;
  /** Default 1. */
  copies?: number;
  /** All at once; default one after the other. */
  concurrent?: boolean;
  /** Repeats the old headers too, as somebody does who replays what they recorded; default: signed anew. */
  sameHeaders?: boolean;
}

/** As many tries as there are listen to it; without this Node.js warns from the eleventh on. */
function newStop(): AbortController {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  return stop;
}

/** Delivers the events of one environment: repeats until success or expiry, suspends what fails for too long. */
export class Deliveries {
  private readonly queue = new Set<Delivery>();
  private readonly lastOf = new Map<number, Delivery>();
  private last: Delivery | undefined;
  private attempts: Attempt[] = [];
  private readonly failures = new Failures();
  private readonly running = new Set<Promise<unknown>>();
  private settings: DeliverySettings = { ...DEFAULT_SETTINGS };
  private stopped = newStop();
  private counter = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly environment: Environment) {
    this.timer = setInterval(() => this.work(), POLL_MILLISECONDS);
    this.timer.unref();
  }

  /** Ends everything: what is under way is broken off, nothing is delivered any more. */
  stop(): void {
    clearInterval(this.timer);
    this.queue.clear();
    this.stopped.abort();
  }

  /** Starts over; what is under way is broken off and leaves no trace. */
  reset(): void {
    this.stopped.abort();
    this.stopped = newStop();
    this.queue.clear();
    this.lastOf.clear();
    this.last = undefined;
    this.attempts = [];
    this.failures.clear();
    this.settings = { ...DEFAULT_SETTINGS };
  }

  configure(settings: Partial<DeliverySettings>): DeliverySettings {
    return { ...Object.assign(this.settings, settings) };
  }

  /**
   * Delivers an event to every ACTIVE webhook that wants it. A forged one is tried once and never counts as a failure:
   * it does not come from the service.
   * @param merchantId whose event it is; only webhooks of this node are told. Left out: all.
   * @returns to how many webhooks.
   */
  fire(event: string, data: unknown, merchantId?: string, forgery: Forgery = {}): number {
    const webhooks = [...this.environment.webhooks.values()].filter((webhook) => wants(webhook, event, merchantId));
    for (const webhook of webhooks) {
      const delivery = this.delivery(webhook, event, data);
      const request = this.posting(webhook, delivery, forgery);
      if (request.forged) void this.onDemand(webhook, delivery, request);
      else this.queue.add(delivery);
    }
    this.work();
    return webhooks.length;
  }

  /** Posts one delivery outside of the queue, whatever the status of the webhook. Returns the HTTP status. */
  async send(webhookId: number, event: string, data: unknown, forgery: Forgery = {}): Promise<number> {
    const webhook = findWebhook(this.environment, webhookId);
    const delivery = this.delivery(webhook, event, data);
    return await this.onDemand(webhook, delivery, this.posting(webhook, delivery, forgery));
  }

  /** Posts copies of the last delivery, body byte for byte. Returns their HTTP statuses. */
  async copy({ webhookId, copies = 1, concurrent, sameHeaders, ...forgery }: CopyOrder): Promise<number[]> {
    const last = webhookId === undefined ? this.last : this.lastOf.get(webhookId);
    if (!last?.posted) throw noSuchResource('Delivery');
    const webhook = findWebhook(this.environment, last.webhook_id);
    const request = sameHeaders ? last.posted : this.posting(webhook, last, forgery);
    const one = async () => await this.onDemand(webhook, last, request);
    if (concurrent) return await Promise.all(Array.from({ length: copies }, one));
    const statuses: number[] = [];
    for (let copy = 0; copy < copies; copy += 1) statuses.push(await one());
    return statuses;
  }

  /** Makes everything that waits due now: of one webhook, which was enabled, or of all. */
  retryNow(webhookId?: number): void {
    const now = this.environment.clock.now();
    if (webhookId !== undefined) this.failures.forget(webhookId);
    for (const delivery of this.queue)
      if (webhookId === undefined || delivery.webhook_id === webhookId) delivery.due = now;
    this.work();
  }

  /** Starts what is due, and drops what has expired. What is for a webhook that is not ACTIVE is held. */
  work(): void {
    if (this.stopped.signal.aborted) return;
    const now = this.environment.clock.now();
    for (const delivery of this.queue) {
      if (delivery.underWay) continue;
      if (delivery.expires <= now) this.queue.delete(delivery);
      else if (delivery.due <= now && this.running.size < MOST_UNDER_WAY) this.start(delivery);
    }
  }

  /** Resolves when no try is under way. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  list(): Attempt[] {
    return structuredClone(this.attempts);
  }

  /** How many deliveries wait to be tried, or to be tried again. */
  get waiting(): number {
    return this.queue.size;
  }

  private start(delivery: Delivery): void {
    const webhook = this.environment.webhooks.get(delivery.webhook_id);
    if (webhook?.status !== 'ACTIVE') return;
    delivery.underWay = true;
    void this.track(this.deliver(webhook, delivery)).then(() => this.work());
  }

  private async deliver(webhook: Webhook, delivery: Delivery): Promise<void> {
    const { signal } = this.stopped;
    const status = await this.attempt(webhook, delivery, this.posting(webhook, delivery), false);
    delivery.underWay = false;
    if (signal.aborted) return;
    if (isSuccess(status)) {
      this.failures.forget(webhook.webhook_id);
      this.queue.delete(delivery);
      return;
    }
    const now = this.environment.clock.now();
    delivery.due = now.plus({ seconds: this.settings.retrySeconds });
    // One that was switched off meanwhile stays as it is.
    if (webhook.status !== 'ACTIVE') return;
    if (this.failures.note(webhook.webhook_id, delivery.delivery_id, now, this.settings))
      suspend(this.environment, webhook);
  }

  private async onDemand(webhook: Webhook, delivery: Delivery, request: Posting): Promise<number> {
    return await this.track(this.attempt(webhook, delivery, request, true));
  }

  private async track<Result>(work: Promise<Result>): Promise<Result> {
    this.running.add(work);
    try {
      return await work;
    } finally {
      this.running.delete(work);
    }
  }

  private async attempt(webhook: Webhook, delivery: Delivery, request: Posting, on_demand: boolean): Promise<number> {
    const { signal } = this.stopped;
    const { delivery_id, event } = delivery;
    const time = this.environment.clock.now().toISO() ?? '';
    delivery.attempts += 1;
    const attempt = delivery.attempts;
    if (!request.forged) this.remember(delivery, request);
    const status = await post(request, this.settings.timeoutMilliseconds, signal);
    const { url, signed } = request;
    if (!signal.aborted)
      this.attempts.push({
        delivery_id,
        webhook_id: webhook.webhook_id,
        event,
        url,
        time,
        status,
        attempt,
        signed,
        on_demand,
      });
    return status;
  }

  /** For copies: what a test forged is nothing that the service sent. */
  private remember(delivery: Delivery, request: Posting): void {
    delivery.posted = request;
    this.last = delivery;
    this.lastOf.set(delivery.webhook_id, delivery);
  }

  private posting(webhook: Webhook, { body }: Delivery, forgery?: Forgery): Posting {
    return posting(webhook, signingKeys(webhook, this.environment.clock.now()), body, forgery);
  }

  private delivery({ webhook_id }: Webhook, event: string, data: unknown): Delivery {
    const now = this.environment.clock.now();
    this.counter += 1;
    return {
      delivery_id: this.counter,
      webhook_id,
      event,
      body: deliveryBody(this.environment, webhook_id, event, data),
      expires: now.plus({ seconds: this.settings.expirySeconds }),
      due: now,
      underWay: false,
      attempts: 0,
    };
  }
}
