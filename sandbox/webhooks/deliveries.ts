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
  /** Default: the webhook that was delivered to last. */
  webhookId?: number;
  /** Default 1. */
  copies?: number;
  /** All at once; default one after the other. */
  concurrent?: boolean;
  /** Repeats the old headers too, as somebody does who replays what they recorded; default: signed anew. */
  sameHeaders?: boolean;
}

/** Delivers the events of one environment: repeats until success or expiry, suspends what fails for too long. */
export class Deliveries {
  private readonly queue = new Set<Delivery>();
  private readonly failures = new Failures();
  private readonly tries: Tries;
  private settings: DeliverySettings = { ...DEFAULT_SETTINGS };
  private counter = 0;

  constructor(private readonly environment: Environment) {
    this.tries = new Tries(environment.clock);
  }

  /** Ends everything: what is under way is broken off, nothing is delivered any more. The timeline forgets the rest. */
  stop(): void {
    this.queue.clear();
    this.tries.stop();
  }

  /** Starts over; what is under way is broken off and leaves no footprint. The timeline forgets what was planned. */
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
      if (request.forged) void this.onDemand(delivery, request);
      else this.enqueue(delivery);
    }
    this.environment.timeline.wake();
    return webhooks.length;
  }

  /** Posts one delivery outside of the queue, whatever the status of the webhook. Returns the HTTP status. */
  async send(webhookId: number, event: string, data: unknown, forgery: Forgery = {}): Promise<number> {
    const webhook = findWebhook(this.environment, webhookId);
    const delivery = this.delivery(webhook, event, data);
    return await this.onDemand(delivery, this.posting(webhook, delivery, forgery));
  }

  /** Posts copies of the last delivery, body byte for byte. Returns their HTTP statuses. */
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

  /** Makes everything that waits due now: of one webhook, which was enabled, or of all. */
  retryNow(webhookId?: number): void {
    const { clock, timeline } = this.environment;
    if (webhookId !== undefined) this.failures.forget(webhookId);
    for (const delivery of this.queue)
      if (!delivery.underWay && (webhookId === undefined || delivery.webhook_id === webhookId))
        this.planTry(delivery, clock.now());
    timeline.wake();
  }

  /** Resolves when no try is under way. */
  async settle(): Promise<void> {
    await this.tries.settle();
  }

  list(): Attempt[] {
    return this.tries.list();
  }

  /** How many deliveries wait to be tried, or to be tried again. */
  get waiting(): number {
    return this.queue.size;
  }

  /** The expiry is planned first: of two things due at the same moment it comes first. */
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

  /** Nothing comes of it any more: it succeeded or expired. */
  private end(delivery: Delivery): void {
    delivery.callOffTry?.();
    delivery.callOffExpiry?.();
    this.queue.delete(delivery);
  }

  /** Begins a try that is due. What is for a webhook that is not ACTIVE is held until the webhook is enabled. */
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
    // One that was switched off meanwhile stays as it is.
    if (webhook.status !== 'ACTIVE') return;
    if (this.failures.note(webhook.webhook_id, delivery.delivery_id, now, this.settings))
      suspend(this.environment, webhook);
  }

  /** Undefined when there was nothing to try any more once its turn had come. */
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
