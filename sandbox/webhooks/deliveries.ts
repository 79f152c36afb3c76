import type { DateTime } from 'luxon';

import { noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Webhook } from '../state/records';
import { post, type Forgery } from './delivery';

/** How long a delivery is repeated, and how often: the expiry is the service's default, the interval our choice. */
const EXPIRY = { hours: 1 };
const RETRY_INTERVAL = { seconds: 60 };
/** A webhook is suspended after so many events failed in a row, or so long without a success (facts.md section 1). */
const MOST_FAILED_EVENTS = 10;
const LONGEST_FAILURE = { hours: 24 };
/** How often the queue looks whether something is due, in milliseconds. */
const POLL_MS = 1000;

interface Delivery {
  delivery_id: number;
  webhook_id: number;
  event: string;
  body: Buffer;
  expires: DateTime;
  due: DateTime;
  underWay: boolean;
}

/** One try to deliver, as a test or a person sees it. */
export interface Attempt {
  delivery_id: number;
  webhook_id: number;
  event: string;
  url: string;
  time: string;
  /** HTTP status; 0 when there was no answer. */
  status: number;
}

/** Delivers the events of one environment: repeats until success or expiry, suspends what fails for too long. */
export class Deliveries {
  private queue: Delivery[] = [];
  private last: Delivery | undefined;
  private attempts: Attempt[] = [];
  private readonly failures = new Map<number, { events: Set<number>; since: DateTime }>();
  private readonly running = new Set<Promise<unknown>>();
  private counter = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly environment: Environment) {
    this.timer = setInterval(() => this.work(), POLL_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.queue = [];
  }

  reset(): void {
    this.queue = [];
    this.attempts = [];
    this.last = undefined;
    this.failures.clear();
  }

  /** Queues an event for every ACTIVE webhook that wants it, and starts delivering. Returns for how many. */
  fire(event: string, data: unknown): number {
    const webhooks = [...this.environment.webhooks.values()].filter(
      ({ status, request: { events = [] } }) =>
        status === 'ACTIVE' && (events.length === 0 || (events as readonly string[]).includes(event)),
    );
    for (const webhook of webhooks) this.queue.push(this.delivery(webhook, event, data));
    this.work();
    return webhooks.length;
  }

  /** Posts one delivery that is not queued, forged or not. Returns its HTTP status. */
  async send(webhookId: number, event: string, data: unknown, forgery: Forgery): Promise<number> {
    const webhook = this.webhook(webhookId);
    const delivery = this.delivery(webhook, event, data);
    return await this.attempt(webhook, delivery, forgery);
  }

  /** Posts copies of the last delivery, byte for byte, at once or one after the other. Returns their HTTP statuses. */
  async repeatLast(copies: number, concurrent: boolean): Promise<number[]> {
    const { last } = this;
    if (!last) throw noSuchResource('Delivery');
    const webhook = this.webhook(last.webhook_id);
    const one = async () => await this.attempt(webhook, last);
    if (concurrent) return await Promise.all(Array.from({ length: copies }, one));
    const statuses: number[] = [];
    for (let copy = 0; copy < copies; copy += 1) statuses.push(await one());
    return statuses;
  }

  /** Starts every delivery that is due, and drops those that have expired. */
  work(): void {
    const now = this.environment.clock.now();
    this.queue = this.queue.filter(({ expires, underWay }) => underWay || expires > now);
    for (const delivery of this.queue) {
      const webhook = this.environment.webhooks.get(delivery.webhook_id);
      if (delivery.underWay || delivery.due > now || webhook?.status !== 'ACTIVE') continue;
      delivery.underWay = true;
      const running = this.deliver(webhook, delivery).finally(() => this.running.delete(running));
      this.running.add(running);
    }
  }

  /** Resolves when no try is under way. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  list(): Attempt[] {
    return structuredClone(this.attempts);
  }

  private async deliver(webhook: Webhook, delivery: Delivery): Promise<void> {
    const status = await this.attempt(webhook, delivery);
    delivery.underWay = false;
    if (status >= 200 && status < 300) {
      this.failures.delete(webhook.webhook_id);
      this.queue = this.queue.filter((other) => other !== delivery);
      return;
    }
    delivery.due = this.environment.clock.now().plus(RETRY_INTERVAL);
    this.noteFailure(webhook, delivery);
  }

  private noteFailure(webhook: Webhook, { delivery_id }: Delivery): void {
    const now = this.environment.clock.now();
    const failing = this.failures.get(webhook.webhook_id) ?? { events: new Set<number>(), since: now };
    failing.events.add(delivery_id);
    this.failures.set(webhook.webhook_id, failing);
    if (failing.events.size >= MOST_FAILED_EVENTS || failing.since.plus(LONGEST_FAILURE) <= now) {
      webhook.status = 'SUSPENDED';
      this.failures.delete(webhook.webhook_id);
    }
  }

  private async attempt(webhook: Webhook, delivery: Delivery, forgery?: Forgery): Promise<number> {
    const status = await post(webhook, this.secretsOf(webhook), delivery.body, forgery);
    this.last = delivery;
    this.attempts.push({
      delivery_id: delivery.delivery_id,
      webhook_id: webhook.webhook_id,
      event: delivery.event,
      url: webhook.request.notification_url,
      time: this.environment.clock.now().toISO() ?? '',
      status,
    });
    return status;
  }

  private delivery(webhook: Webhook, event: string, data: unknown): Delivery {
    const now = this.environment.clock.now();
    this.counter += 1;
    const body = {
      webhook_id: webhook.webhook_id,
      db_timestamp: now.toFormat('yyyy-MM-dd HH:mm:ss'),
      event,
      is_test: this.environment.name === 'test',
      data,
    };
    return {
      delivery_id: this.counter,
      webhook_id: webhook.webhook_id,
      event,
      body: Buffer.from(JSON.stringify(body)),
      expires: now.plus(EXPIRY),
      due: now,
      underWay: false,
    };
  }

  /** The secret, and during a rotation the one before it. */
  private secretsOf({ security_key, former }: Webhook): string[] {
    return former && former.until > this.environment.clock.now() ? [security_key, former.key] : [security_key];
  }

  private webhook(id: number): Webhook {
    const webhook = this.environment.webhooks.get(id);
    if (!webhook) throw noSuchResource('Webhook');
    return webhook;
  }
}
