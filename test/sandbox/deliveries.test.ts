import Ajv2020 from 'ajv/dist/2020';

import { InterfaceDocument } from '../../sandbox/contract/document';
import { timeIsSimulated } from '../simulated-time';
import { clientFor } from './client';
import { BASIC, signature, hooksForEachTest, WebhookBench } from './receiver';

const SIGNATURE = 'x-sandbox-webhook-signature';

timeIsSimulated();

describe('Deliveries', () => {
  const hooks = hooksForEachTest();

  const received = () => hooks.receiver.received;
  const bodies = () => received().map(({ body }) => body);
  const statusOf = async (id: number) => (await hooks.record(id)).status;

  test('a delivery has the documented payload, BASIC credentials and a signature over its exact bytes', async () => {
    const { id, key } = await hooks.create(BASIC);
    await hooks.fire('invoice_paid', { invoice_id: 7, text: 'Größe €' });
    const [{ headers, body }] = received() as [(typeof hooks.receiver.received)[number]];
    const [payload] = hooks.receiver.payloads();
    const data = { invoice_id: 7, text: 'Größe €' };
    expect(payload).toMatchObject({ webhook_id: id, event: 'invoice_paid', is_test: true, data });
    expect(payload?.db_timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(headers['content-type']).toBe('application/json');
    expect(headers.authorization).toBe(`Basic ${Buffer.from('n8n:pass-1').toString('base64')}`);
    expect(headers[SIGNATURE]).toBe(signature(key, body));
    const document = new InterfaceDocument();
    const { required } = document.resolve('#/components/schemas/WebhookDelivery') as { required: string[] };
    expect(Object.keys(payload as object).sort()).toEqual([...required].sort());
    const described = (name: string) => ({ $ref: `interface#/components/schemas/WebhookDelivery/properties/${name}` });
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document.root, 'interface');
    const properties = Object.fromEntries(['data', 'webhook_id', 'is_test'].map((name) => [name, described(name)]));
    expect(ajv.validate({ type: 'object', properties }, payload)).toBe(true);
  });

  test("without auth_type, a delivery has no Authorization header, and production deliveries aren't marked as tests", async () => {
    const { productionBaseUrl, credentials } = hooks.bench.sandbox;
    const production = clientFor(productionBaseUrl, `Basic ${credentials.production.token}`);
    await production.post('/platform/webhook', {
      notification_url: hooks.url,
      label: 'Test',
      events: ['invoice_paid'],
    });
    hooks.control.fireEvent({ environment: 'production', event: 'invoice_paid' });
    await hooks.control.settleDeliveries();
    expect(hooks.receiver.payloads()).toMatchObject([{ is_test: false }]);
    expect(received()[0]?.headers.authorization).toBeUndefined();
    expect(hooks.control.deliveries()).toEqual([]);
    expect(hooks.control.deliveries('production')).toHaveLength(1);
  });

  test('only webhooks that subscribe to an event receive the event, and a webhook without events receives nothing', async () => {
    await hooks.create({ events: ['invoice_paid'] });
    await hooks.create({ events: [] });
    await hooks.create({ events: undefined });
    const named = await hooks.create({ events: ['dispute_update', 'invoice_paid'] });
    await hooks.fire('dispute_update');
    await hooks.fire('some_later_event');
    expect(hooks.receiver.payloads().map(({ webhook_id }) => webhook_id)).toEqual([named.id]);
  });

  test.each([200, 201, 204, 299])('a response of %d completes a delivery', async (status) => {
    await hooks.create();
    hooks.receiver.answer = status;
    await hooks.fire('invoice_paid');
    expect(hooks.control.waitingDeliveries()).toBe(0);
  });

  test.each([301, 302, 307, 401, 404, 500])(
    "a response of %d is a failure, and the sandbox doesn't follow redirects",
    async (status) => {
      await hooks.create();
      hooks.receiver.answer = status;
      hooks.receiver.answerHeaders = { location: `${hooks.url}/elsewhere` };
      await hooks.fire('invoice_paid');
      expect(received().map(({ path }) => path)).toEqual(['/hook']);
      expect(hooks.control.waitingDeliveries()).toBe(1);
    },
  );

  test('a failed delivery is retried every minute with the same bytes until it succeeds', async () => {
    const { id } = await hooks.create();
    hooks.receiver.answer = 500;
    await hooks.fire('invoice_paid');
    await hooks.advance({ seconds: 50 });
    expect(received()).toHaveLength(1);
    await hooks.advance({ seconds: 10 });
    hooks.receiver.answer = 200;
    await hooks.advance({ seconds: 60 });
    await hooks.advance({ seconds: 60 });
    expect(new Set(bodies()).size).toBe(1);
    expect(hooks.control.deliveries()).toMatchObject([
      { webhook_id: id, event: 'invoice_paid', url: hooks.url, status: 500, attempt: 1, signed: true },
      { status: 500, attempt: 2 },
      { status: 200, attempt: 3 },
    ]);
  });

  test('a failing delivery expires an hour after its event', async () => {
    await hooks.create();
    hooks.receiver.answer = 500;
    await hooks.fire('invoice_paid');
    await hooks.advance({ minutes: 59 });
    expect(received()).toHaveLength(60);
    await hooks.advance({ minutes: 2 });
    hooks.receiver.answer = 200;
    hooks.control.retryNow();
    await hooks.control.settleDeliveries();
    expect(received()).toHaveLength(60);
    expect(hooks.control.waitingDeliveries()).toBe(0);
  });

  test('retryNow retries waiting deliveries immediately without moving the clock', async () => {
    await hooks.create();
    hooks.receiver.answer = 503;
    await hooks.fire('invoice_paid');
    hooks.receiver.answer = 200;
    hooks.control.retryNow();
    await hooks.control.settleDeliveries();
    expect(hooks.control.deliveries().map(({ status }) => status)).toEqual([503, 200]);
  });

  test('a timeout or a missing receiver is a failure with status 0', async () => {
    await hooks.create();
    await hooks.create({ notification_url: 'http://127.0.0.1:9/hook' });
    hooks.control.setDeliverySettings({ timeoutMilliseconds: 200 });
    hooks.receiver.answer = 'nothing';
    await hooks.fire('invoice_paid');
    expect(hooks.control.deliveries().map(({ status }) => status)).toEqual([0, 0]);
    expect(hooks.control.waitingDeliveries()).toBe(2);
  });

  test('ten failed events suspend a webhook and notify the recipients, and enabling the webhook delivers the held events', async () => {
    const { id } = await hooks.create({ email_address: ['ops@example.com'] });
    hooks.receiver.answer = 500;
    for (let index = 0; index < 9; index += 1) await hooks.fire('invoice_paid', { index });
    expect(await statusOf(id)).toBe('ACTIVE');
    await hooks.fire('invoice_paid', { index: 9 });
    expect(await statusOf(id)).toBe('SUSPENDED');
    expect(hooks.control.state().notices).toMatchObject([{ webhook_id: id, email_address: ['ops@example.com'] }]);
    const page = (await clientFor('').get<string>(hooks.bench.sandbox.overviewUrl)).data;
    expect(page).toContain(`Your webhook for ${hooks.url} is suspended`);
    await hooks.fire('invoice_paid', { index: 10 });
    await hooks.advance({ minutes: 5 });
    expect(received()).toHaveLength(10);
    hooks.receiver.answer = 200;
    await hooks.call('PUT', `/${id}/enable`);
    await hooks.control.settleDeliveries();
    expect(received()).toHaveLength(20);
    expect(new Set(bodies()).size).toBe(10);
    expect(hooks.control.waitingDeliveries()).toBe(0);
  });

  test("repeated failures of one event don't suspend a webhook, and a successful delivery resets the count", async () => {
    const { id } = await hooks.create();
    hooks.receiver.answer = 500;
    await hooks.fire('invoice_paid');
    for (let time = 0; time < 12; time += 1) await hooks.advance({ minutes: 1 });
    for (let index = 0; index < 8; index += 1) await hooks.fire('invoice_paid', { index });
    hooks.receiver.answer = 200;
    await hooks.fire('dispute_update');
    hooks.receiver.answer = 500;
    for (let index = 0; index < 9; index += 1) await hooks.fire('subscription_complete', { index });
    expect(await statusOf(id)).toBe('ACTIVE');
  });

  test('24 hours of uninterrupted failure suspend a webhook', async () => {
    const { id } = await hooks.create();
    hooks.receiver.answer = 500;
    await hooks.fire('invoice_paid');
    await hooks.advance({ hours: 23 });
    await hooks.fire('invoice_paid');
    expect(await statusOf(id)).toBe('ACTIVE');
    await hooks.advance({ hours: 1 });
    await hooks.fire('invoice_paid');
    expect(await statusOf(id)).toBe('SUSPENDED');
  });

  test('a DISABLED webhook gets no new events, and queued deliveries wait until the webhook is enabled or the deliveries expire', async () => {
    const { id } = await hooks.create();
    hooks.receiver.answer = 500;
    await hooks.fire('invoice_paid', { queued: true });
    await hooks.call('PUT', `/${id}/disable`);
    hooks.receiver.answer = 200;
    await hooks.fire('invoice_paid', { queued: false });
    await hooks.advance({ minutes: 30 });
    expect(received()).toHaveLength(1);
    await hooks.call('PUT', `/${id}/enable`);
    await hooks.control.settleDeliveries();
    expect(hooks.receiver.payloads().map(({ data }) => data)).toEqual([{ queued: true }, { queued: true }]);
    hooks.receiver.answer = 500;
    await hooks.fire('invoice_paid');
    await hooks.call('PUT', `/${id}/disable`);
    await hooks.advance({ hours: 1 });
    await hooks.call('PUT', `/${id}/enable`);
    await hooks.control.settleDeliveries();
    expect(received()).toHaveLength(3);
  });

  test('a webhook disabled during failing attempts stays DISABLED', async () => {
    const { id } = await hooks.create();
    hooks.control.setDeliverySettings({ timeoutMilliseconds: 400, mostFailedEvents: 1 });
    hooks.receiver.answer = 'nothing';
    hooks.control.fireEvent({ event: 'invoice_paid' });
    await hooks.call('PUT', `/${id}/disable`);
    await hooks.control.settleDeliveries();
    expect(hooks.control.deliveries()).toHaveLength(1);
    expect(await statusOf(id)).toBe('DISABLED');
  });

  test('during a rotation, both secrets sign deliveries, and afterward only the new secret signs', async () => {
    const { id, key } = await hooks.create();
    hooks.control.rotateSecret({ webhookId: id, overlapSeconds: 60 });
    const { security_key } = hooks.control.webhookSecrets(id);
    await hooks.fire('invoice_paid');
    await hooks.advance({ seconds: 60 });
    await hooks.fire('invoice_paid');
    const [first, second] = received();
    expect(first?.headers[SIGNATURE]).toBe(`${signature(security_key, first?.body)},${signature(key, first?.body)}`);
    expect(second?.headers[SIGNATURE]).toBe(signature(security_key, second?.body));
  });

  test('the receiver gets each event of a burst once', async () => {
    await hooks.create();
    for (let index = 0; index < 500; index += 1) hooks.control.fireEvent({ event: 'invoice_paid', data: { index } });
    await hooks.control.settleDeliveries();
    expect(new Set(hooks.receiver.payloads().map(({ data }) => data.index)).size).toBe(500);
    expect(received()).toHaveLength(500);
  });

  test('a reset or stop aborts deliveries in progress and cancels all waiting deliveries', async () => {
    // Exceeds the test's time limit, unless the sandbox aborts the request.
    const timeoutMilliseconds = 3_600_000;
    await hooks.create();
    hooks.receiver.answer = 'nothing';
    hooks.control.setDeliverySettings({ timeoutMilliseconds });
    hooks.control.fireEvent({ event: 'invoice_paid' });
    hooks.control.reset(false);
    await hooks.control.settleDeliveries();
    expect(hooks.control.deliveries()).toEqual([]);
    const other = await WebhookBench.open();
    other.receiver.answer = 'nothing';
    await other.create();
    other.control.setDeliverySettings({ timeoutMilliseconds });
    other.control.fireEvent({ event: 'invoice_paid' });
    await other.close();
    await other.control.settleDeliveries();
    other.control.retryNow();
    expect(other.control.waitingDeliveries()).toBe(0);
  });
});
