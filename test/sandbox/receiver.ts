import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { AxiosResponse } from 'axios';

import { EVENT_NAMES } from '../../sandbox/core/event-names';
import { openedFor } from '../opened';
import { openBench, type Envelope, type TestBench } from './client';

export const BASIC = { auth_type: 'BASIC', auth_settings: { user_name: 'n8n', user_password: 'pass-1' } };

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  path: string;
}

export interface Payload {
  webhook_id: number;
  db_timestamp: string;
  event: string;
  is_test: boolean;
  data: Record<string, unknown>;
}

/** HTTP server on this machine that records the requests it receives. */
export class Receiver {
  received: Received[] = [];
  /** HTTP status of the server's responses. With 'nothing', the server doesn't respond. */
  answer: number | 'nothing' = 200;
  answerHeaders: Record<string, string> = {};
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      this.received.push({ headers: request.headers, body, path: request.url ?? '' });
      if (this.answer !== 'nothing') response.writeHead(this.answer, this.answerHeaders).end();
    });
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  reset(): void {
    this.received = [];
    this.answer = 200;
    this.answerHeaders = {};
  }

  payloads(): Payload[] {
    return this.received.map(({ body }) => JSON.parse(body) as Payload);
  }

  events(): string[] {
    return this.payloads().map(({ event }) => event);
  }
}

/** All events except batch events, which the service sends for each simulated day. */
export const BUT_BATCHES = EVENT_NAMES.filter((name) => name !== 'transaction_status_updated');

export class WebhookBench {
  readonly receiver = new Receiver();
  private constructor(
    readonly bench: TestBench,
    private readonly urls: { hook: string },
  ) {}

  static async open(): Promise<WebhookBench> {
    const opened = new WebhookBench(await openBench(), { hook: '' });
    opened.urls.hook = await opened.receiver.open();
    return opened;
  }

  get url(): string {
    return this.urls.hook;
  }

  get control() {
    return this.bench.sandbox.control;
  }

  reset(): void {
    this.control.reset(false);
    this.receiver.reset();
  }

  async close(): Promise<void> {
    await this.bench.sandbox.stop();
    this.receiver.close();
  }

  async call(method: string, path: string, data?: object): Promise<AxiosResponse<Envelope>> {
    return await this.bench.http.request<Envelope>({ method, url: `/platform/webhook${path}`, data });
  }

  /** Creates a webhook that by default subscribes to all events. */
  async create(more: object = {}): Promise<{ id: number; key: string }> {
    const body = { notification_url: this.url, label: 'Test', events: EVENT_NAMES, ...more };
    const { data } = await this.call('POST', '', body);
    const { webhook_id, security_key } = data.data as { webhook_id: number; security_key: string };
    return { id: webhook_id, key: security_key };
  }

  async record(id: number): Promise<Record<string, unknown>> {
    return (await this.call('GET', `/${id}`)).data.data as Record<string, unknown>;
  }

  async fire(event: string, data: object = { a: 1 }): Promise<void> {
    this.control.fireEvent({ event, data });
    await this.control.settleDeliveries();
  }

  async advance(duration: { days?: number; hours?: number; minutes?: number; seconds?: number }): Promise<void> {
    await this.control.advanceClock(duration);
    await this.control.settleDeliveries();
  }
}

/** Starts a sandbox and a receiver, which are reset before each test. */
export function hooksForEachTest(): WebhookBench {
  const hooks = openedFor(
    async () => await WebhookBench.open(),
    async (opened) => await opened.close(),
  );
  beforeEach(() => hooks.reset());
  return hooks;
}

export const signature = (key: string, body = ''): string => createHmac('sha256', key).update(body).digest('base64');
