import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Stored = Record<string, unknown>;

export interface Arrived {
  method: string;
  path: string;
  body: Stored;
}

/** Closed connection or unexpected response from the service. */
export type Fault = 'cutAfter' | 'cutBefore' | { status: number; code?: number; retryAfter?: number };

/** In-memory service with plans, customers and primary cards. */
export class SteppedService {
  readonly plans = new Map<string, Stored>();
  readonly customers = new Map<string, Stored>();
  readonly primary = new Map<string, string>();
  journal: Arrived[] = [];
  /** Called before the service applies a request. May return a fault. */
  onRequest: (arrived: Arrived) => Fault | undefined = () => undefined;
  /** Maximum number of simultaneous requests for one record. */
  overlap = 0;
  private open = 0;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  reset(): void {
    for (const records of [this.plans, this.customers, this.primary]) records.clear();
    this.customers.set('C1', { customer_id: 'C1', customer_phone: '5550100', customer_email: 'a@example.com' });
    this.primary.set('C1', 'CARD1');
    this.journal = [];
    this.onRequest = () => undefined;
    [this.open, this.overlap] = [0, 0];
  }

  get sent(): string[] {
    return this.journal.map(({ method, path }) => `${method} ${path}`);
  }

  get writes(): string[] {
    return this.sent.filter((line) => !line.startsWith('GET'));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1;
    this.overlap = Math.max(this.overlap, this.open);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    const arrived = { method: request.method ?? '', path, body: (text ? JSON.parse(text) : {}) as Stored };
    const fault = this.onRequest(arrived);
    this.journal.push(arrived);
    this.open -= 1;
    if (fault === 'cutBefore') return void request.socket.destroy();
    if (typeof fault === 'object') return reply(response, { code: fault.code ?? 1, message: 'Fault' }, fault);
    const answer = this.apply(arrived);
    if (fault === 'cutAfter') return void request.socket.destroy();
    reply(response, answer, { status: answer.code === 0 ? 200 : 400 });
  }

  private apply({ method, path, body }: Arrived): { code: number; message: string; data?: unknown } {
    const [, resource, id = '', part] = /^\/platform\/(plan|vault\/customer)(?:\/(\w+))?(.*)$/.exec(path) ?? [];
    if (resource === 'plan') return this.plan(method, id, body);
    return part === '' ? this.customer(method, id, body) : this.card(method, id, body);
  }

  private plan(method: string, id: string, body: Stored) {
    if (method === 'GET') {
      const plans = [this.plans.get(id)].filter(Boolean);
      return { ...success(plans), totalRecords: plans.length };
    }
    const code = method === 'POST' ? String(body.plan_code) : id;
    if (this.plans.has(code) === (method === 'POST')) return refusal(2, 'Plan code is in use, or unknown');
    const plan = { status: 'E', plan_id: 100 + this.plans.size, ...this.plans.get(code), ...body, plan_code: code };
    this.plans.set(code, plan);
    return success(plan);
  }

  private customer(method: string, id: string, body: Stored) {
    const customer = this.customers.get(id);
    if (!customer) return refusal(11, 'Customer not found');
    // PUT replaces the whole record, so fields that the request omits are lost.
    if (method === 'PUT') this.customers.set(id, { customer_id: id, ...body });
    return success(this.customers.get(id));
  }

  private card(method: string, id: string, body: Stored) {
    if (method === 'PUT') this.primary.set(id, String(body.card_id));
    return success({ customer_id: id, card_id: this.primary.get(id) });
  }
}

const success = (data: unknown) => ({ code: 0, message: 'Success', data });
const refusal = (code: number, message: string) => ({ code, message });

function reply(
  response: ServerResponse,
  body: unknown,
  { status, retryAfter }: { status: number; retryAfter?: number },
): void {
  response.setHeader('content-type', 'application/json');
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  response.writeHead(status).end(JSON.stringify(body));
}
