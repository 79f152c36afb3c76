import { createHmac } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';

import { poll } from '../../host/executions';
import type { Sandbox } from '../../sandbox';
import type { Host } from './host';
import { inLine, node, own } from './workflows';

/** The service waits longer; what is repeated, and until when, is the same. */
const PAUSE_MS = 250;
const TIMEOUT_MS = 20_000;
/** With status 200, from every address of an n8n whose database is connected and not yet migrated. */
const START_PAGE = 'n8n is starting up';
const ACTIVATION_LIMIT_MS = 30_000;

/** The node that does the work of the workflow. */
export const AFTER_TRIGGER = 'Done';

/** One delivery: the same bytes at each try. */
export interface Delivery {
  /** Found again in the data of executions. */
  mark: string;
  body: string;
  acknowledged: boolean;
  /** n8n acknowledged it with its own page, "is starting up", before any node had a say. */
  startPage: boolean;
  /** What the tries before were answered: statuses, 0 for a call that broke. */
  refusals: number[];
}

/** The service as a sender of many events, to any process of n8n: each is repeated until it is acknowledged. */
export class Sender {
  private sequence = 0;
  private readonly agent = new Agent({ keepAlive: false });

  /** @param url the address that the webhook was registered with. */
  private constructor(
    readonly workflowId: string,
    readonly url: string,
    private readonly webhookId: number,
    private readonly secrets: { key: string; authorization: string },
  ) {}

  /**
   * Makes and activates a workflow of the trigger and one more node; gives the sender for it once it is registered.
   * @param work the node that does the work, one that does nothing unless given.
   */
  static async activate(host: Host, work = node(AFTER_TRIGGER, 'n8n-nodes-base.noOp')): Promise<Sender> {
    const trigger = own(
      host,
      'Trigger',
      { events: ['invoice_paid'] },
      { type: `${host.n8n.typePrefix}paymentPlatformTrigger`, webhookId: 'load' },
    );
    const id = await host.rest.saveWorkflow({
      name: 'Load',
      nodes: [trigger, work],
      connections: inLine('Trigger', AFTER_TRIGGER),
      settings: { executionOrder: 'v1' },
    });
    const known = new Set(host.sandbox.control.state().webhooks.map(({ webhook_id }) => webhook_id));
    await host.rest.activate(id);
    const webhookId = await poll(
      'The registration of the webhook',
      () =>
        Promise.resolve(
          host.sandbox.control
            .state()
            .webhooks.find(({ webhook_id, status }) => !known.has(webhook_id) && status === 'ACTIVE')?.webhook_id,
        ),
      ACTIVATION_LIMIT_MS,
    );
    const sender = Sender.of(host.sandbox, id, webhookId);
    await sender.untilTaken();
    return sender;
  }

  private static of({ control }: Sandbox, workflowId: string, webhookId: number): Sender {
    const url = control.state().webhooks.find(({ webhook_id }) => webhook_id === webhookId)?.notification_url ?? '';
    const { security_key, auth_settings } = control.webhookSecrets(webhookId);
    const caller = `${auth_settings?.user_name}:${auth_settings?.user_password}`;
    const authorization = `Basic ${Buffer.from(caller).toString('base64')}`;
    return new Sender(workflowId, url, webhookId, { key: security_key, authorization });
  }

  /** The address of the webhook at another process of n8n: what a load balancer would make of it. */
  at(baseUrl: string): string {
    return `${baseUrl}${new URL(this.url).pathname}`;
  }

  /** The next events, in the form of the service's deliveries. */
  next(count: number): Delivery[] {
    return Array.from({ length: count }, () => {
      this.sequence += 1;
      const mark = `load-${String(this.sequence).padStart(6, '0')}`;
      const body = JSON.stringify({
        webhook_id: this.webhookId,
        db_timestamp: new Date().toISOString().slice(0, 19).replace('T', ' '),
        event: 'invoice_paid',
        is_test: true,
        data: { invoice_id: this.sequence, mark },
      });
      return { mark, body, acknowledged: false, startPage: false, refusals: [] };
    });
  }

  /** The headers of a delivery with these bytes. */
  headers(body: string): Record<string, string> {
    const signature = createHmac('sha256', this.secrets.key).update(body).digest('base64');
    return {
      'content-type': 'application/json',
      authorization: this.secrets.authorization,
      'x-bench-webhook-signature': signature,
    };
  }

  /** Posts a body once. Returns the HTTP status, 0 without an answer, and the text of the answer. */
  async post(body: string, url = this.url): Promise<{ status: number; text: string }> {
    try {
      const { status, data } = await axios.post<string>(url, body, {
        responseType: 'text',
        headers: this.headers(body),
        proxy: false,
        httpAgent: this.agent,
        timeout: TIMEOUT_MS,
        validateStatus: () => true,
      });
      return { status, text: data };
    } catch {
      return { status: 0, text: '' };
    }
  }

  /**
   * Delivers all, so many at the same time, in turn to each of the addresses, and repeats each until it is acknowledged.
   * @param onStart called with the index of each delivery as it is tried first.
   */
  async deliver(
    deliveries: Delivery[],
    {
      urls = [this.url],
      parallel = 30,
      onStart,
    }: { urls?: string[]; parallel?: number; onStart?: (index: number) => void },
  ): Promise<void> {
    let started = 0;
    let tries = 0;
    const worker = async () => {
      for (let index = started++; index < deliveries.length; index = started++) {
        const delivery = deliveries[index] as Delivery;
        onStart?.(index);
        while (!delivery.acknowledged) {
          const { status, text } = await this.post(delivery.body, urls[tries++ % urls.length]);
          delivery.acknowledged = status >= 200 && status < 300;
          delivery.startPage = delivery.acknowledged && text.includes(START_PAGE);
          if (delivery.acknowledged) break;
          delivery.refusals.push(status);
          await sleep(PAUSE_MS);
        }
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
  }

  /** A process that has just learned of the webhook may still answer 404. */
  private async untilTaken(): Promise<void> {
    const probe = JSON.stringify({ webhook_id: this.webhookId, event: 'validate_url', is_test: true, data: {} });
    const post = async () => (await this.post(probe)).status;
    await poll('The webhook', async () => ((await post()) === 200 ? true : undefined), ACTIVATION_LIMIT_MS);
  }
}
