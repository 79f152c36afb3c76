import type { IDataObject } from 'n8n-workflow';

import { credentialFor } from '../credential';
import { clientFor } from '../sandbox/client';
import { bodyOf, call, noted, openTriggerBench, webhookIdOf, type TriggerBench } from './bench';

const PRODUCTION = 'production' as const;
/** Parameters for another merchant, who needs a new webhook. */
const MOVED = { events: ['*'], options: { webhook_node: '100000000002' } };

let bench: TriggerBench;
let testWebhook: number;

beforeEach(async () => {
  bench = await openTriggerBench();
  testWebhook = webhookIdOf(bench);
});

afterEach(async () => await bench.close());

const clientOf = (environment: 'test' | 'production') => {
  const { sandbox } = bench;
  const baseUrl = environment === 'test' ? sandbox.baseUrl : sandbox.productionBaseUrl;
  return clientFor(baseUrl, `Basic ${sandbox.credentials[environment].token}`);
};

const webhooks = async (environment: 'test' | 'production') =>
  (await clientOf(environment).get<{ data: IDataObject[] }>('/platform/webhook?count=100')).data.data;

/** Makes the IDs of the webhooks in production differ from the IDs in the test environment. */
async function skipIds(): Promise<void> {
  const webhook = { notification_url: 'https://x.example/', label: 'By hand' };
  for (let created = 0; created < 3; created += 1) await clientOf(PRODUCTION).post('/platform/webhook', webhook);
}

const useProduction = () => {
  bench.host.credential = credentialFor(bench.sandbox, PRODUCTION);
};

const sendTest = async (data: object = { invoice_id: 1 }, forgery: object = {}) =>
  await bench.sandbox.control.sendDelivery({ webhookId: testWebhook, event: 'invoice_paid', data, ...forgery });

async function sendProduction(data: object = { invoice_id: 1 }): Promise<number> {
  const webhookId = Number((await webhooks(PRODUCTION)).find(({ label }) => label !== 'By hand')?.webhook_id);
  return await bench.sandbox.control.sendDelivery({
    environment: PRODUCTION,
    webhookId,
    event: 'invoice_paid',
    data,
  });
}

const environments = async () => {
  await bench.host.idle();
  return bench.host.executions.map(([item]) => item?.json.environment);
};

describe.each([
  ['equal IDs', async () => await Promise.resolve()],
  ['different IDs', skipIds],
])('a change from the test account to the production account, whose webhooks have %s', (_, prepare) => {
  beforeEach(async () => {
    await prepare();
    useProduction();
  });

  test.each([{}, { verifyCredentials: false }, { verifyCredentials: false, signature: 'whenPresent' }])(
    'after a publication, only events of the production account start the workflow, with %j',
    async (options) => {
      bench.host.parameters = { events: ['*'], options };
      await bench.host.activate();
      for (let invoice_id = 0; invoice_id < 4; invoice_id += 1) expect(await sendTest({ invoice_id })).toBe(401);
      expect(await sendProduction()).toBe(200);
      expect(await environments()).toEqual(['production']);
      await noted(bench);
      expect(bench.host.problems).toEqual([]);
    },
  );

  test("deliveries of the test account don't make the trigger replace the production webhook", async () => {
    await bench.host.activate();
    const before = await webhooks(PRODUCTION);
    for (let invoice_id = 0; invoice_id < 4; invoice_id += 1) expect(await sendTest({ invoice_id })).toBe(401);
    await bench.host.activate();
    expect(await webhooks(PRODUCTION)).toEqual(before);
  });

  test('before a publication, only events of the test account start the workflow', async () => {
    expect(await sendTest()).toBe(200);
    await noted(bench);
    expect(await environments()).toEqual(['test']);
    expect(bench.host.problems).toEqual([]);
  });

  test('before the publication of a change back, only events of the production account start the workflow', async () => {
    await bench.host.activate();
    bench.host.credential = credentialFor(bench.sandbox);
    // The password is that of the credential, so the service repeats the event until a person publishes the workflow.
    expect(await sendTest()).toBe(503);
    expect(await sendProduction()).toBe(200);
    expect(await environments()).toEqual(['production']);
    await noted(bench);
    expect(bench.host.problems).toEqual([
      expect.stringContaining(`deliveries of webhook ${testWebhook} with status 503`),
    ]);
  });

  test('after a change back to the test account, its events start the workflow again', async () => {
    await bench.host.activate();
    bench.host.credential = credentialFor(bench.sandbox);
    await bench.host.activate();
    expect(await sendTest()).toBe(200);
    expect(await sendProduction()).toBe(401);
    expect(await environments()).toEqual(['test']);
  });

  test('the remaining events of a replaced webhook arrive only from the account of the credential', async () => {
    bench.host.credential = credentialFor(bench.sandbox);
    const held = bodyOf(bench);
    bench.host.parameters = MOVED;
    await bench.host.activate();
    expect((await call(bench, { body: held, webhookId: testWebhook })).status).toBe(200);
    useProduction();
    bench.host.parameters = { events: ['*'] };
    await bench.host.activate();
    const late = { ...held, data: { invoice_id: 'late' } };
    expect((await call(bench, { body: late, webhookId: testWebhook })).status).toBe(401);
    expect(await environments()).toEqual(['test']);
  });

  test('the draining of a replaced test webhook changes no webhook in production', async () => {
    bench.host.credential = credentialFor(bench.sandbox);
    bench.host.parameters = MOVED;
    await bench.host.activate();
    useProduction();
    bench.host.parameters = { events: ['invoice_paid'] };
    await bench.host.activate();
    expect((await webhooks(PRODUCTION)).at(-1)).toMatchObject({ status: 'ACTIVE', events: ['invoice_paid'] });
    expect(await sendProduction()).toBe(200);
  });
});

test('events arrive after a change of only the base URL', async () => {
  bench.host.credential = { ...bench.host.credential, baseUrl: `${bench.sandbox.baseUrl}/v1` };
  expect(await sendTest()).toBe(200);
  expect(await environments()).toEqual(['test']);
});

test('with an unusable credential, only events of the last registered account start the workflow', async () => {
  await skipIds();
  useProduction();
  await bench.host.activate();
  bench.host.credential = { ...bench.host.credential, baseUrl: '' };
  expect(await sendTest()).toBe(401);
  expect(await sendProduction()).toBe(200);
  expect(await environments()).toEqual(['production']);
});
