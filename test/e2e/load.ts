import { createHmac } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';

import { poll } from '../../host/executions';
import type { Sandbox } from '../../sandbox';
import type { Host } from './host';
import { inLine, node, own } from './workflows';

/** Pause between delivery attempts in milliseconds, shorter than the service's pause. */
const PAUSE_MS = 250;
const TIMEOUT_MS = 20_000;
const START_PAGE = 'n8n is starting up';
const ACTIVATION_LIMIT_MS = 30_000;

/** Name of the node after the trigger. */
export const AFTER_TRIGGER = 'Done';

export interface Delivery {
  /** Text that identifies the delivery in execution data. */
  mark: string;
  body: string;
  acknowledged: boolean;
  /** Whether n8n acknowledged the delivery with n8n's start page, before any node ran. */
  startPage: boolean;
  /** HTTP statuses of the failed attempts. 0 means a broken connection. */
  refusals: number[];
}

/** Sends events as the service does, and retries each event until n8n acknowledges it. */
export class Sender {
  private sequence = 0;
  private readonly agent = new Agent({ keepAlive: false });

  private constructor(
    readonly workflowId: string,
    readonly url: string,
    private readonly webhookId: number,
    private readonly secrets: { key: string; authorization: string },
  ) {}

  /**
   * Activates a workflow and returns a sender for its webhook.
   * @param work node after the trigger.
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

  at(baseUrl: string): string {
    return `${baseUrl}${new URL(this.url).pathname}`;
  }

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

  headers(body: string): Record<string, string> {
    const signature = createHmac('sha256', this.secrets.key).update(body).digest('base64');
    return {
      'content-type': 'application/json',
      authorization: this.secrets.authorization,
      'x-bench-webhook-signature': signature,
    };
  }

  /** Posts a body once, and returns status 0 if there is no response. */
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

  /** Delivers all events with limited concurrency across the URLs. */
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

  /** n8n may respond with 404 until it has loaded the new webhook. */
  private async untilTaken(): Promise<void> {
    const probe = JSON.stringify({ webhook_id: this.webhookId, event: 'validate_url', is_test: true, data: {} });
    const post = async () => (await this.post(probe)).status;
    await poll('The webhook', async () => ((await post()) === 200 ? true : undefined), ACTIVATION_LIMIT_MS);
  }
}
