import axios from 'axios';

import { bodyOf, call, openTriggerBench, webhookIdOf, type TriggerBench } from './bench';

const matching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown;

let bench: TriggerBench;

beforeEach(async () => {
  bench = await openTriggerBench();
});

afterEach(async () => await bench.close());

const send = async (forgery: object, event = 'invoice_paid', data: object = { invoice_id: 1 }) =>
  await bench.sandbox.control.sendDelivery({ webhookId: webhookIdOf(bench), event, data, ...forgery });

const set = (options: object) => {
  bench.host.parameters = { events: ['*'], options: { ...options } };
};

/** What was refused is logged, with its reason and without a secret. */
function expectRefusal(reason: RegExp): void {
  const { security_key, auth_settings } = bench.sandbox.control.webhookSecrets(webhookIdOf(bench));
  const log = bench.host.log.map(({ text }) => text).join('\n');
  expect(bench.host.executions).toEqual([]);
  expect(log).toMatch(reason);
  for (const secret of [security_key, auth_settings?.user_name, auth_settings?.user_password, 'invoice_id'])
    expect(log).not.toContain(secret);
}

test('a delivery of the service is emitted whole, beside what the node knows about it', async () => {
  expect(await bench.deliver('invoice_paid', { invoice_id: 7, amount: 1.1, customer: 'Zoë' })).toEqual([200]);
  const webhook_id = String(webhookIdOf(bench));
  expect(bench.host.executions).toMatchObject([
    [
      {
        json: {
          event: 'invoice_paid',
          environment: 'test',
          webhook_id,
          db_timestamp: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
          received_at: matching(/Z$/),
          payload: {
            webhook_id,
            event: 'invoice_paid',
            is_test: true,
            data: { invoice_id: '7', amount: 1.1, customer: 'Zoë' },
          },
        },
      },
    ],
  ]);
});

test.each([
  ['without an Authorization header', { withoutAuthorization: true }],
  ['with a wrong password', { wrongPassword: true }],
])('a call %s is refused', async (_, forgery) => {
  expect(await send(forgery)).toBe(401);
  expectRefusal(/refused with 401: the user name and password/);
});

test.each([
  ['signed with another key', { wrongSignature: true }],
  ['with a body that was altered after signing', { alterBody: true }],
  [
    'signed with another key in a header of another vendor',
    { wrongSignature: true, headerName: 'x-else-webhook-signature' },
  ],
])('a call with the right password %s is refused', async (_, forgery) => {
  expect(await send(forgery)).toBe(401);
  expectRefusal(/refused with 401: the signature does not match/);
});

test('a call without a signature is refused unless a person lets it in', async () => {
  expect(await send({ withoutSignature: true })).toBe(401);
  set({ signature: 'required' });
  expect(await send({ withoutSignature: true })).toBe(401);
  expect(await bench.emitted()).toBe(0);
  set({ signature: 'whenPresent' });
  expect(await send({ withoutSignature: true })).toBe(200);
  expect(await bench.emitted()).toBe(1);
});

test.each([
  ['another webhook', { webhook_id: 99 }],
  ['the other environment', { is_test: false }],
])('a signed body that names %s is refused', async (what, more) => {
  expect((await call(bench, { body: bodyOf(bench, more) })).status).toBe(401);
  expectRefusal(new RegExp(`names ${what.replace('the other', 'another')}`));
});

test('a signed event that is older than the service repeats is refused, unless a person sets another limit', async () => {
  const body = bodyOf(bench, { db_timestamp: '2026-01-01 00:00:00' });
  expect((await call(bench, { body })).status).toBe(401);
  expectRefusal(/older than 60 minutes/);
  set({ maxAge: 0 });
  expect((await call(bench, { body })).status).toBe(200);
});

test('a body that begins with a byte order mark is read', async () => {
  expect((await call(bench, { body: `\uFEFF${JSON.stringify(bodyOf(bench))}` })).status).toBe(200);
  expect(await bench.emitted()).toBe(1);
});

test('a person can name the header, and can switch signatures off', async () => {
  set({ signature: 'required', signatureHeader: 'X-Own' });
  expect(await send({ headerName: 'x-own' })).toBe(200);
  expect(await send({}, 'invoice_paid', { invoice_id: 2 })).toBe(401);
  set({ signature: 'off' });
  expect(await send({ wrongSignature: true }, 'invoice_paid', { invoice_id: 3 })).toBe(200);
});

test('only a person can switch the delivery credentials off', async () => {
  set({ verifyCredentials: false });
  expect(await send({ withoutAuthorization: true })).toBe(200);
  expect(await send({ withoutAuthorization: true, wrongSignature: true }, 'invoice_paid', { invoice_id: 2 })).toBe(401);
});

test('while the key is being changed both signatures count; afterwards a replay with the old one is refused', async () => {
  const webhookId = webhookIdOf(bench);
  bench.sandbox.control.rotateSecret({ webhookId, overlapSeconds: 60 });
  expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toEqual([200]);
  await bench.sandbox.control.advanceClock({ seconds: 61 });
  expect(await send({}, 'invoice_paid', { invoice_id: 2 })).toBe(401);
  expect(bench.host.executions).toHaveLength(1);
});

test('after the key was changed, the next activation replaces the webhook', async () => {
  const old = webhookIdOf(bench);
  bench.sandbox.control.rotateSecret({ webhookId: old });
  for (let delivery = 0; delivery < 3; delivery += 1) expect(await send({}, 'invoice_paid', { delivery })).toBe(401);
  await bench.host.deactivate();
  await bench.host.activate();
  expect(webhookIdOf(bench)).not.toBe(old);
  expect(await bench.deliver('invoice_paid', { invoice_id: 9 })).toEqual([200]);
});

test('one forged signature between true ones does not replace the webhook', async () => {
  const old = webhookIdOf(bench);
  for (let round = 0; round < 4; round += 1) {
    expect(await send({ wrongSignature: true }, 'invoice_paid', { round })).toBe(401);
    expect(await bench.deliver('invoice_paid', { round, signed: true })).toEqual([200]);
  }
  await bench.host.activate();
  expect(webhookIdOf(bench)).toBe(old);
});

test.each(['', 'x', '[1]', 'null', '"invoice_paid"', '{"data":{}}'])(
  'the body %p is refused as a bad request',
  async (rawBody) => {
    expect(await send({ rawBody })).toBe(400);
    expect(bench.host.executions).toEqual([]);
  },
);

test('a body that is too large is refused before it is read', async () => {
  set({ maxDeliverySize: 0.01 });
  expect(await send({}, 'invoice_paid', { text: 'x'.repeat(10_000) })).toBe(200);
  expect(await send({}, 'invoice_paid', { text: 'x'.repeat(11_000) })).toBe(413);
  expect(await bench.emitted()).toBe(1);
});

test('a new API key in n8n does not shut out deliveries of the webhook that is registered', async () => {
  bench.host.credential = { ...bench.host.credential, apiKey: 'changed' };
  expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toEqual([200]);
});

test('a probe of the address is answered and never emitted, even before the key is known', async () => {
  set({ signature: 'required' });
  expect(await bench.sandbox.control.probe(webhookIdOf(bench))).toBe(200);
  const webhookId = webhookIdOf(bench);
  bench.host.state = {};
  await bench.host.restart();
  expect(await bench.sandbox.control.sendDelivery({ webhookId, event: 'validate_url' })).toBe(200);
  expect(await bench.sandbox.control.sendDelivery({ webhookId, event: 'validate_url', wrongPassword: true })).toBe(401);
  expect(bench.host.executions).toEqual([]);
});

test('while what was registered is not known yet, the service is asked to come again, and nobody else is', async () => {
  const webhookId = webhookIdOf(bench);
  const state = { ...bench.host.state };
  const body = bodyOf(bench);
  bench.host.state = {};
  await bench.host.restart();
  const { status, headers } = await call(bench, { body, webhookId });
  expect([status, headers['retry-after']]).toEqual([503, '5']);
  expect(await bench.sandbox.control.sendDelivery({ webhookId, event: 'invoice_paid', wrongPassword: true })).toBe(401);
  bench.host.state = state;
  expect((await call(bench, { body })).status).toBe(200);
});

test('a call that names no caller learns nothing but that it was refused', async () => {
  const { status, headers } = await axios.post(bench.host.url, '{"event":"invoice_paid"}', {
    proxy: false,
    validateStatus: () => true,
  });
  expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="webhook"']);
});
