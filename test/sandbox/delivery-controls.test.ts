import type { EventOrder } from '../../sandbox/control/orders';
import { clientFor } from './client';
import { BASIC, signature, hooksForEachTest, type Received } from './receiver';

const SIGNATURE = 'x-sandbox-webhook-signature';

describe('Deliveries on demand', () => {
  const hooks = hooksForEachTest();

  const only = (): Received => {
    expect(hooks.receiver.received).toHaveLength(1);
    return hooks.receiver.received[0] as Received;
  };
  async function forge(forgery: Partial<EventOrder>): Promise<{ key: string; right: string; sent: Received }> {
    const { key } = await hooks.create(BASIC);
    hooks.control.fireEvent({ event: 'invoice_paid', data: { a: 1 }, ...forgery });
    await hooks.control.settleDeliveries();
    const sent = only();
    return { key, right: signature(key, sent.body), sent };
  }

  test('the list of attempts shows a missing or wrong signature', async () => {
    expect((await forge({ withoutSignature: true })).sent.headers[SIGNATURE]).toBeUndefined();
    expect(hooks.control.deliveries()).toMatchObject([{ signed: false, on_demand: true }]);
    hooks.reset();
    const { sent, right } = await forge({ wrongSignature: true });
    expect(sent.headers[SIGNATURE]).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(sent.headers[SIGNATURE]).not.toBe(right);
    expect(hooks.control.deliveries()).toMatchObject([{ signed: true }]);
  });

  test('a delivery with missing or wrong credentials has a valid signature', async () => {
    const without = await forge({ withoutAuthorization: true });
    expect([without.sent.headers.authorization, without.sent.headers[SIGNATURE]]).toEqual([undefined, without.right]);
    hooks.reset();
    const { sent, right } = await forge({ wrongPassword: true });
    const credentials = Buffer.from(String(sent.headers.authorization).slice('Basic '.length), 'base64').toString();
    expect([credentials, sent.headers[SIGNATURE]]).toEqual(['n8n:pass-1x', right]);
  });

  test('an altered body keeps the original signature and is valid JSON', async () => {
    const { sent, right, key } = await forge({ alterBody: true });
    const { altered, ...original } = JSON.parse(sent.body) as Record<string, unknown>;
    expect(altered).toBe(true);
    expect(sent.headers[SIGNATURE]).not.toBe(right);
    expect(sent.headers[SIGNATURE]).toBe(signature(key, JSON.stringify(original)));
  });

  test('raw bytes are sent unchanged with a valid signature in the specified header', async () => {
    const { sent, right } = await forge({ rawBody: '[1, 2]', headerName: 'x-other-webhook-signature' });
    expect(sent.body).toBe('[1, 2]');
    expect(sent.headers['x-other-webhook-signature']).toBe(right);
    expect(sent.headers[SIGNATURE]).toBeUndefined();
  });

  test('a forged delivery is sent once and never suspends a webhook', async () => {
    const { id } = await hooks.create();
    hooks.receiver.answer = 401;
    for (let index = 0; index < 12; index += 1)
      hooks.control.fireEvent({ event: 'invoice_paid', wrongSignature: true, data: { index } });
    await hooks.control.settleDeliveries();
    await hooks.advance({ minutes: 5 });
    expect(hooks.receiver.received).toHaveLength(12);
    expect(await hooks.record(id)).toMatchObject({ status: 'ACTIVE' });
  });

  test('copies repeat the last delivery byte for byte, simultaneously or one after another, and optionally for one webhook', async () => {
    const first = await hooks.create({ events: ['invoice_paid'] });
    const second = await hooks.create({ events: ['dispute_update'] });
    await hooks.fire('invoice_paid');
    await hooks.fire('dispute_update');
    expect(await hooks.control.duplicate({ copies: 3 })).toEqual([200, 200, 200]);
    expect(await hooks.control.duplicate({ webhookId: first.id, copies: 20, concurrent: true })).toEqual(
      Array(20).fill(200),
    );
    const count = (id: number) => hooks.receiver.payloads().filter(({ webhook_id }) => webhook_id === id).length;
    expect([count(first.id), count(second.id)]).toEqual([21, 4]);
    expect(new Set(hooks.receiver.received.map(({ body }) => body)).size).toBe(2);
    expect(hooks.control.deliveries().at(-1)).toMatchObject({ webhook_id: first.id, attempt: 21, on_demand: true });
  });

  test('a replay keeps the old headers, and a copy has a new signature', async () => {
    const { id, key } = await hooks.create();
    await hooks.fire('invoice_paid');
    hooks.control.rotateSecret({ webhookId: id });
    await hooks.control.duplicate({ sameHeaders: true });
    await hooks.control.duplicate();
    const { security_key } = hooks.control.webhookSecrets(id);
    const body = hooks.receiver.received[0]?.body;
    const keys = [key, key, security_key];
    expect(hooks.receiver.received.map(({ headers }) => headers[SIGNATURE])).toEqual(
      keys.map((one) => signature(one, body)),
    );
  });

  test("a copy can use a different signature header, and forged deliveries aren't copied", async () => {
    const { id } = await hooks.create();
    await hooks.fire('invoice_paid');
    await hooks.control.sendDelivery({ webhookId: id, event: 'dispute_update', alterBody: true });
    await hooks.control.duplicate({ headerName: 'x-other-webhook-signature' });
    expect(hooks.receiver.events()).toEqual(['invoice_paid', 'dispute_update', 'invoice_paid']);
    expect(hooks.receiver.received[2]?.headers).toHaveProperty('x-other-webhook-signature');
  });

  test("a probe of a webhook in any status posts validate_url with the webhook's record without secrets", async () => {
    const { id, key } = await hooks.create({ ...BASIC, events: ['invoice_paid'] });
    await hooks.call('PUT', `/${id}/disable`);
    expect(await hooks.control.probe(id)).toBe(200);
    expect(hooks.receiver.payloads()).toMatchObject([{ event: 'validate_url', data: { webhook_id: id } }]);
    expect(only().headers[SIGNATURE]).toBe(signature(key, only().body));
    expect(only().body).not.toMatch(/pass-1|security_key/);
    hooks.receiver.answer = 410;
    expect(await hooks.control.probe(id)).toBe(410);
  });

  test('a copy without an earlier delivery and a copy for an unknown webhook are refused', async () => {
    await expect(hooks.control.duplicate()).rejects.toThrow('Delivery not found');
    await expect(hooks.control.probe(1)).rejects.toThrow('Webhook not found');
    expect(() => hooks.control.rotateSecret({ webhookId: 1 })).toThrow('Webhook not found');
  });

  test('the controls work over HTTP, refuse unknown properties, and return no secret', async () => {
    const controls = clientFor(hooks.bench.sandbox.controlUrl);
    const { id, key } = await hooks.create(BASIC);
    const answers: unknown[] = [];
    const send = async (method: 'post' | 'put', path: string, body: object) => {
      const { status, data } = await controls.request<unknown>({ method, url: path, data: body });
      answers.push(data);
      return [status, data];
    };
    hooks.receiver.answer = 500;
    expect(await send('post', '/events', { event: 'invoice_paid', data: { a: 1 } })).toEqual([200, { webhooks: 1 }]);
    expect(await send('post', '/deliveries/settle', {})).toEqual([200, {}]);
    hooks.receiver.answer = 200;
    expect(await send('post', '/deliveries/retry', {})).toEqual([200, {}]);
    await send('post', '/deliveries/settle', {});
    expect(await send('post', '/deliveries/duplicate', { webhookId: id, copies: 2 })).toEqual([
      200,
      { statuses: [200, 200] },
    ]);
    expect(await send('post', '/webhooks/probe', { webhookId: id })).toEqual([200, { status: 200 }]);
    expect(await send('post', '/webhooks/rotate', { webhookId: id, overlapSeconds: 5 })).toEqual([200, {}]);
    const order = { webhookId: id, event: 'invoice_paid', wrongPassword: true };
    expect(await send('post', '/deliveries', order)).toEqual([200, { status: 200 }]);
    expect(await send('put', '/deliveries/settings', { expirySeconds: 5 })).toMatchObject([200, { expirySeconds: 5 }]);
    const { data: tries } = await controls.get<object[]>('/deliveries');
    expect(tries).toHaveLength(6);
    answers.push(tries);
    const { security_key } = hooks.control.webhookSecrets(id);
    const shown = JSON.stringify(answers);
    expect([key, security_key, 'pass-1'].filter((secret) => shown.includes(secret))).toEqual([]);
    expect((await controls.post('/events', { event: 'invoice_paid', withoutAuth: true })).status).toBe(400);
    expect((await controls.post('/webhooks/probe', { webhookId: 1 })).status).toBe(404);
    expect((await controls.get('/webhooks/secrets')).status).toBe(404);
  });
});
