import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import axios from 'axios';

import { startSandbox, type Sandbox } from '../../sandbox';
import type { EVENT_NAMES } from '../../sandbox/webhooks/events';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

let sandbox: Sandbox;
let receiver: Server;
let url: string;
let received: Received[] = [];
let answer = 200;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, seed: false });
  receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(answer).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  await sandbox.stop();
  receiver.close();
});
beforeEach(() => {
  sandbox.control.reset();
  received = [];
  answer = 200;
});

const call = async (method: string, path: string, data?: object) =>
  await axios.request<{ code: number; data: Record<string, unknown> & unknown[] }>({
    method,
    url: `${sandbox.baseUrl}/platform/webhook${path}`,
    ...(method !== 'GET' && { data: data ?? {} }),
    headers: { authorization: `Basic ${sandbox.credentials.test.token}` },
    validateStatus: () => true,
  });
const basic = { auth_type: 'BASIC', auth_settings: { user_name: 'n8n', user_password: 'pass-1' } };
async function create(more: object = {}): Promise<{ id: number; key: string }> {
  const { data } = await call('POST', '', { notification_url: url, label: 'Test', ...more });
  return { id: Number(data.data.webhook_id), key: String(data.data.security_key) };
}
async function fire(event: (typeof EVENT_NAMES)[number], data: object = { a: 1 }): Promise<void> {
  sandbox.control.fireEvent({ event, data });
  await sandbox.control.settleDeliveries();
}
const signature = (key: string, body: string) => createHmac('sha256', key).update(body).digest('base64');

test('a webhook is found by ID and in the list, and its secrets are shown at creation only', async () => {
  const { id, key } = await create(basic);
  expect(key).toHaveLength(32);
  const one = await call('GET', `/${id}`);
  expect(one.data.data).toMatchObject({ webhook_id: id, status: 'ACTIVE', notification_url: url });
  const list = await call('GET', '?filter=label,IS,Test');
  expect(list.data.data).toHaveLength(1);
  for (const { data } of [one, list]) expect(JSON.stringify(data)).not.toMatch(/security_key|pass-1/);
});

test('a change keeps what it does not name, replaces all events, and refuses the node and unknown events', async () => {
  const { id } = await create({ events: ['invoice_paid'] });
  expect((await call('PUT', `/${id}`, { events: ['dispute_update'] })).data.data).toMatchObject({
    label: 'Test',
    events: ['dispute_update'],
  });
  expect((await call('PUT', `/${id}`, { webhook_node: '1' })).status).toBe(400);
  expect((await call('PUT', `/${id}`, { events: ['nonsense'] })).status).toBe(400);
  expect((await call('POST', '', { notification_url: 'http://n8n.example.com/x', label: 'a' })).status).toBe(400);
});

test('events are added and removed one by one', async () => {
  const { id } = await create({ events: ['invoice_paid'] });
  await call('POST', `/${id}/event/dispute_update`);
  await call('DELETE', `/${id}/event/invoice_paid`);
  expect((await call('GET', `/${id}/event`)).data.data).toEqual({ events: ['dispute_update'] });
});

test('a delivery carries the payload, BASIC credentials and a signature over its exact bytes', async () => {
  const { id, key } = await create(basic);
  await fire('invoice_paid', { invoice_id: 7 });
  expect(received).toHaveLength(1);
  const [{ headers, body }] = received as [Received];
  expect(JSON.parse(body)).toMatchObject({
    webhook_id: id,
    event: 'invoice_paid',
    is_test: true,
    data: { invoice_id: 7 },
  });
  expect((JSON.parse(body) as { db_timestamp: string }).db_timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(headers.authorization).toBe(`Basic ${Buffer.from('n8n:pass-1').toString('base64')}`);
  expect(headers['x-sandbox-webhook-signature']).toBe(signature(key, body));
});

test('only webhooks that want the event are told; without events a webhook wants all', async () => {
  await create({ events: ['invoice_paid'] });
  await create();
  await fire('dispute_update');
  expect(received).toHaveLength(1);
});

test('a failed delivery is repeated unchanged until it succeeds, or an hour is over', async () => {
  await create();
  answer = 500;
  await fire('invoice_paid');
  sandbox.control.advanceClock({ minutes: 2 });
  await sandbox.control.settleDeliveries();
  answer = 200;
  sandbox.control.advanceClock({ minutes: 2 });
  await sandbox.control.settleDeliveries();
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  sandbox.control.advanceClock({ minutes: 2 });
  await sandbox.control.settleDeliveries();
  expect(received).toHaveLength(3);
  answer = 500;
  await fire('invoice_paid');
  sandbox.control.advanceClock({ hours: 2 });
  await sandbox.control.settleDeliveries();
  expect(received).toHaveLength(4);
});

test('ten failed events suspend a webhook; enabled again it gets what has not expired', async () => {
  const { id } = await create();
  answer = 500;
  for (let index = 0; index < 10; index += 1) await fire('invoice_paid', { index });
  expect((await call('GET', `/${id}`)).data.data.status).toBe('SUSPENDED');
  await fire('invoice_paid', { index: 10 });
  expect(received).toHaveLength(10);
  answer = 200;
  await call('PUT', `/${id}/enable`);
  sandbox.control.advanceClock({ minutes: 2 });
  await sandbox.control.settleDeliveries();
  expect(received).toHaveLength(20);
});

test('a disabled webhook gets nothing', async () => {
  const { id } = await create();
  await call('PUT', `/${id}/disable`);
  await fire('invoice_paid');
  expect(received).toHaveLength(0);
});

test('while a secret is rotated both sign, afterwards the new one alone', async () => {
  const { id, key } = await create();
  sandbox.control.rotateSecret({ webhookId: id, overlapSeconds: 60 });
  const { security_key } = sandbox.control.webhookSecrets(id);
  await fire('invoice_paid');
  sandbox.control.advanceClock({ seconds: 61 });
  await fire('invoice_paid');
  const headers = received.map(({ headers: all }) => all['x-sandbox-webhook-signature']);
  const bodies = received.map(({ body }) => body);
  expect(headers[0]).toBe(`${signature(security_key, bodies[0] ?? '')},${signature(key, bodies[0] ?? '')}`);
  expect(headers[1]).toBe(signature(security_key, bodies[1] ?? ''));
});

test('copies of a delivery are the same bytes, at once or one after the other', async () => {
  await create();
  await fire('invoice_paid');
  expect(await sandbox.control.repeatDelivery({ copies: 5, concurrent: true })).toEqual([200, 200, 200, 200, 200]);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
});

test('an account without the management paths can still create', async () => {
  sandbox.control.webhookManagement = false;
  const { id } = await create();
  expect((await call('GET', `/${id}`)).status).toBe(404);
  expect((await call('PUT', `/${id}/disable`)).status).toBe(404);
});

test('the state itself emits: updater requests, subscriptions, invoices, batches', async () => {
  await create();
  const { token, merchantId } = sandbox.credentials.test;
  const post = async (path: string, data: object) =>
    await axios.post<{ data: Record<string, unknown> }>(`${sandbox.baseUrl}${path}`, data, {
      headers: { authorization: `Basic ${token}` },
    });
  const [customer_id] = sandbox.control.addCustomers(1);
  await post('/platform/aus/add', { data: [{ card_number: '4111111111111111', exp_date: '1230' }] });
  const terms = { plan_frequency: 0, plan_duration: 5, interval: 1, date_start: sandbox.control.now() };
  await post('/platform/subscription', { customer_id, ...terms, amt_tran: 12 });
  await post('/platform/subscription', { customer_id, ...terms, amt_tran: 0.14 });
  const invoice = await post('/platform/invoice', {
    customer_id,
    invoice_number: 'E1',
    line_items: [{ quantity: 1, description: 'Hour', unit_cost: 5 }],
  });
  await post(`/platform/invoice/${String(invoice.data.data.invoice_id)}/payments`, {
    type: 'CHECK',
    amt_paid: 5,
    date_payment: sandbox.control.now(),
  });
  sandbox.control.addCapturedSales({ count: 2, amountCents: 500 });
  sandbox.control.closeBatch();
  sandbox.control.advanceClock({ days: 6 });
  await sandbox.control.settleDeliveries();
  const events = received.map(({ body }) => (JSON.parse(body) as { event: string }).event).sort();
  expect(merchantId).toBeTruthy();
  expect([...new Set(events)]).toEqual([
    'account_updater_request_completed',
    'account_updater_request_created',
    'invoice_paid',
    'invoice_payment_success',
    'subscription_payment_failure',
    'subscription_payment_success',
    'subscription_suspended',
    'transaction_status_updated',
  ]);
  expect(events.filter((event) => event === 'subscription_payment_success')).toHaveLength(1);
});
