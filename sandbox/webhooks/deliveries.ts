import type { DateTime } from 'luxon';

import { noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Webhook } from '../state/records';
import type { Attempt } from './attempts';
import type { Delivery } from './delivery';
import { Failures } from './failures';
import { deliveryBody } from './payload';
import { isSuccess, posting, type Forgery, type Posting } from './posting';
import { signingKeys } from './secret';
import { DEFAULT_SETTINGS, type DeliverySettings } from './settings';
import { findWebhook, suspend, wants } from './subscribers';
import { Tries } from './tries';

export interface CopyOrder extends Forgery {
  /** Webhook whose last delivery is copied. Defaults to the last receiver. */
  webhookId?: number;
  /** Number of copies. Defaults to 1. */
  copies?: number;
  concurrent?: boolean;
  /** Whether to repeat the original headers, as in a replay attack. By default, each copy gets a new signature. */
  sameHeaders?: boolean;
}

/** Delivers one environment's events. Retries failed deliveries and suspends webhooks after repeated failures. */
export class Deliveries {
  private readonly queue = new Set<Delivery>();
  private readonly failures = new Failures();
  private readonly tries: Tries;
  private settings: DeliverySettings = { ...DEFAULT_SETTINGS };
  private counter = 0;

  constructor(private readonly environment: Environment) {
    this.tries = new Tries(environment.clock);
  }

  /** Aborts attempts in progress and stops sending. The caller clears the timeline. */
  stop(): void {
    this.queue.clear();
    this.tries.stop();
  }

  /** Aborts attempts without recording them. The caller clears the timeline. */
  reset(): void {
    this.queue.clear();
    this.tries.reset();
    this.failures.clear();
    this.settings = { ...DEFAULT_SETTINGS };
  }

  configure(settings: Partial<DeliverySettings>): DeliverySettings {
    return { ...Object.assign(this.settings, settings) };
  }

  /**
   * Delivers an event to every ACTIVE webhook that subscribes to it. Never retries a forged event.
   * @param merchantId defaults to all merchants.
   * @returns the number of webhooks.
   */
  fire(event: string, data: unknown, merchantId?: string, forgery: Forgery = {}): number {
    const webhooks = [...this.environment.webhooks.values()].filter((webhook) => wants(webhook, event, merchantId));
    for (const webhook of webhooks) {
      const delivery = this.delivery(webhook, event, data);
      const request = this.posting(webhook, delivery, forgery);
      if (request.forged) void this.onDemand(delivery, request);
      else this.enqueue(delivery);
    }
    this.environment.timeline.wake();
    return webhooks.length;
  }

  /** Posts one delivery, even to a webhook that isn't ACTIVE. Returns the HTTP status. */
  async send(webhookId: number, event: string, data: unknown, forgery: Forgery = {}): Promise<number> {
    const webhook = findWebhook(this.environment, webhookId);
    const delivery = this.delivery(webhook, event, data);
    return await this.onDemand(delivery, this.posting(webhook, delivery, forgery));
  }

  async copy({ webhookId, copies = 1, concurrent, sameHeaders, ...forgery }: CopyOrder): Promise<number[]> {
    const last = this.tries.lastDelivery(webhookId);
    if (!last?.posted) throw noSuchResource('Delivery');
    const webhook = findWebhook(this.environment, last.webhook_id);
    const request = sameHeaders ? last.posted : this.posting(webhook, last, forgery);
    const one = async () => await this.onDemand(last, request);
    if (concurrent) return await Promise.all(Array.from({ length: copies }, one));
    const statuses: number[] = [];
    for (let copy = 0; copy < copies; copy += 1) statuses.push(await one());
    return statuses;
  }

  /**
   * Makes waiting deliveries due immediately.
   * @param webhookId defaults to all webhooks.
   */
  retryNow(webhookId?: number): void {
    const { clock, timeline } = this.environment;
    if (webhookId !== undefined) this.failures.forget(webhookId);
    for (const delivery of this.queue)
      if (!delivery.underWay && (webhookId === undefined || delivery.webhook_id === webhookId))
        this.planTry(delivery, clock.now());
    timeline.wake();
  }

  async settle(): Promise<void> {
    await this.tries.settle();
  }

  list(): Attempt[] {
    return this.tries.list();
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** Schedules the expiry first, so that a delivery expires if an attempt is due at the same time. */
  private enqueue(delivery: Delivery): void {
    const { clock, timeline } = this.environment;
    this.queue.add(delivery);
    delivery.callOffExpiry = timeline.at(delivery.expires, () => this.end(delivery), { byItself: true });
    this.planTry(delivery, clock.now());
  }

  private planTry(delivery: Delivery, due: DateTime): void {
    delivery.callOffTry?.();
    delivery.callOffTry = this.environment.timeline.at(due, () => this.begin(delivery), { byItself: true });
  }

  private end(delivery: Delivery): void {
    delivery.callOffTry?.();
    delivery.callOffExpiry?.();
    this.queue.delete(delivery);
  }

  private begin(delivery: Delivery): Promise<void> | undefined {
    const webhook = this.environment.webhooks.get(delivery.webhook_id);
    if (webhook?.status !== 'ACTIVE' || this.tries.signal.aborted) return undefined;
    delivery.underWay = true;
    return this.tries.track(this.deliver(webhook, delivery));
  }

  private async deliver(webhook: Webhook, delivery: Delivery): Promise<void> {
    const { signal, slots } = this.tries;
    if (!slots.tryTake()) await slots.take();
    const status = await this.tryOnce(webhook, delivery, signal).finally(() => slots.leave());
    delivery.underWay = false;
    if (signal.aborted) return;
    if (status === undefined) return;
    if (isSuccess(status)) {
      this.failures.forget(webhook.webhook_id);
      this.end(delivery);
      return;
    }
    const now = this.environment.clock.now();
    if (this.queue.has(delivery)) this.planTry(delivery, now.plus({ seconds: this.settings.retrySeconds }));
    // Keeps the status of a webhook that was disabled or suspended during the attempt.
    if (webhook.status !== 'ACTIVE') return;
    if (this.failures.note(webhook.webhook_id, delivery.delivery_id, now, this.settings))
      suspend(this.environment, webhook);
  }

  /** Sends a delivery. Returns undefined if the delivery ended or the webhook became inactive. */
  private async tryOnce(webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<number | undefined> {
    if (signal.aborted || !this.queue.has(delivery) || webhook.status !== 'ACTIVE') return undefined;
    return await this.tries.post(delivery, this.posting(webhook, delivery), this.settings.timeoutMilliseconds, false);
  }

  private async onDemand(delivery: Delivery, request: Posting): Promise<number> {
    return await this.tries.track(this.tries.post(delivery, request, this.settings.timeoutMilliseconds, true));
  }

  private posting(webhook: Webhook, { body }: Delivery, forgery?: Forgery): Posting {
    return posting(webhook, signingKeys(webhook, this.environment.clock.now()), body, forgery);
  }

  private delivery({ webhook_id }: Webhook, event: string, data: unknown): Delivery {
    this.counter += 1;
    return {
      delivery_id: this.counter,
      webhook_id,
      event,
      body: deliveryBody(this.environment, webhook_id, event, data),
      expires: this.environment.clock.now().plus({ seconds: this.settings.expirySeconds }),
      attempts: 0,
      underWay: false,
    };
  }
}
