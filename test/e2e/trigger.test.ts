import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { itemsOf, type Execution } from '../../host/rest';
import type { DeliveryOrder } from '../../sandbox/control/control';
import { major, startHost, version, type Host } from './host';
import { inLine, node, own } from './workflows';

const TRIGGER = 'Payment Platform Trigger';
const QUIET_MS = 400;

describe(`the trigger in ${version}`, () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(async () => await host.stop());
  beforeEach(() => host.sandbox.control.reset());

  const control = () => host.sandbox.control;
  const webhooks = () => control().state().webhooks;
  const only = () => {
    const list = webhooks();
    expect(list).toHaveLength(1);
    return list[0] as (typeof list)[number];
  };

  let counter = 0;
  async function workflow(parameters: object = {}): Promise<string> {
    counter += 1;
    const trigger = own(
      host,
      TRIGGER,
      { events: ['invoice_paid', 'subscription_suspended'], ...parameters },
      { type: `${host.n8n.typePrefix}paymentPlatformTrigger`, webhookId: `hook-${major}-${counter}` },
    );
    const done = node('Done', 'n8n-nodes-base.noOp');
    const connections = inLine(TRIGGER, 'Done');
    return await host.rest.saveWorkflow({
      name: `Trigger ${counter}`,
      nodes: [trigger, done],
      connections,
      settings: { executionOrder: 'v1' },
    });
  }
  async function active(parameters: object = {}): Promise<string> {
    const id = await workflow(parameters);
    await host.rest.activate(id);
    await until(() => webhooks().some(({ status }) => status === 'ACTIVE'));
    return id;
  }
  async function until(holds: () => boolean, limitMs = 15_000): Promise<void> {
    const end = Date.now() + limitMs;
    while (!holds() && Date.now() < end) await sleep(50);
    expect(holds()).toBe(true);
  }
  /** Returns the executions of a workflow after waiting for the last one. */
  async function allExecutions(id: string): Promise<Execution[]> {
    await control().settleDeliveries();
    await sleep(QUIET_MS);
    const list = await host.rest.executions.list(id);
    return await Promise.all(list.map(async ({ id: one }) => await host.rest.executions.waitFor(one)));
  }
  /** Returns the executions whose trigger output an event. An execution with a duplicate outputs nothing. */
  const executions = async (id: string) =>
    (await allExecutions(id)).filter((execution) => itemsOf(execution, TRIGGER).length > 0);
  const send = async (order: Partial<DeliveryOrder> = {}) =>
    await control().sendDelivery({
      webhookId: only().webhook_id,
      event: 'invoice_paid',
      data: { invoice_id: 7 },
      ...order,
    });

  test("registers one webhook on activation and starts the workflow with a delivery's payload", async () => {
    const id = await active();
    expect(only()).toMatchObject({
      status: 'ACTIVE',
      auth_type: 'BASIC',
      events: ['invoice_paid', 'subscription_suspended'],
      label: expect.stringContaining(`Trigger ${counter}`) as string,
    });
    expect(await send({ data: { invoice_id: 7, nested: { list: [1, 2] } } })).toBe(200);
    const [execution, ...others] = await executions(id);
    expect(others).toEqual([]);
    const [item] = itemsOf(execution as Execution, TRIGGER);
    expect(item).toMatchObject({
      event: 'invoice_paid',
      environment: 'test',
      webhook_id: String(only().webhook_id),
      db_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/) as string,
      payload: { event: 'invoice_paid', is_test: true, data: { invoice_id: '7', nested: { list: [1, 2] } } },
    });
    await host.rest.deactivate(id);
    await until(() => only().status === 'DISABLED');
    await host.rest.activate(id);
    await until(() => only().status === 'ACTIVE');
    expect(await send({ data: { invoice_id: 8 } })).toBe(200);
    expect(await executions(id)).toHaveLength(2);
    await host.rest.deactivate(id);
  });

  test('emits a delivery once if it arrives repeatedly, in parallel and after a restart', async () => {
    const id = await active();
    await send();
    expect(await control().repeatDelivery({ copies: 3 })).toEqual([200, 200, 200]);
    expect(await executions(id)).toHaveLength(1);
    await send({ data: { invoice_id: 9 } });
    expect(await control().repeatDelivery({ copies: 10, concurrent: true })).toEqual(Array(10).fill(200));
    expect(await executions(id)).toHaveLength(2);
    // n8n 1 doesn't notify nodes of the end of an execution, so the trigger checks after 1, 3 and 7 seconds.
    await sleep(8_000);
    await host.n8n.restart();
    await host.rest.signIn('Local-run-1');
    await until(() => only().status === 'ACTIVE');
    expect(await control().repeatDelivery({ copies: 2 })).toEqual([200, 200]);
    expect(await executions(id)).toHaveLength(2);
    await host.rest.deactivate(id);
  });

  test('starts the workflow once for copies that arrive first and in parallel', async () => {
    const id = await active();
    control().fireEvent({ event: 'invoice_paid', data: { invoice_id: 10 } });
    await control().settleDeliveries();
    await control().repeatDelivery({ copies: 20, concurrent: true });
    expect(await executions(id)).toHaveLength(1);
    await host.rest.deactivate(id);
  });

  test.each<[string, Partial<DeliveryOrder>, number]>([
    ['no user name and password', { withoutAuthorization: true }, 401],
    ['a wrong password', { wrongPassword: true }, 401],
    ['the right password and a wrong signature', { wrongSignature: true }, 401],
    ['a body that was altered after signing', { alterBody: true }, 401],
    ['a body that is no JSON object', { rawBody: '[1]' }, 400],
  ])('refuses a call with %s and starts nothing', async (_, forgery, status) => {
    const id = await active();
    expect(await send(forgery)).toBe(status);
    expect(await executions(id)).toEqual([]);
    await host.rest.deactivate(id);
  });

  test('refuses an unsigned call unless the user chose When Present', async () => {
    const id = await active();
    expect(await send({ withoutSignature: true })).toBe(401);
    expect(await send()).toBe(200);
    expect(await executions(id)).toHaveLength(1);
    await host.rest.deactivate(id);
    control().reset();
    const lenient = await active({ options: { signature: 'whenPresent' } });
    expect(await send({ withoutSignature: true })).toBe(200);
    expect(await executions(lenient)).toHaveLength(1);
    await host.rest.deactivate(lenient);
  });

  test('refuses calls after a key change until the user enters the new key in the credential', async () => {
    const id = await active();
    const { webhook_id } = only();
    control().rotateSecret({ webhookId: webhook_id });
    for (let invoice_id = 1; invoice_id < 4; invoice_id += 1) expect(await send({ data: { invoice_id } })).toBe(401);
    const [told, ...more] = await allExecutions(id);
    expect(more).toEqual([]);
    expect(told?.status).toBe('error');
    expect(JSON.stringify(told?.data)).toContain(`The security key of webhook ${webhook_id}`);
    const { security_key } = control().webhookSecrets(webhook_id);
    await host.rest.saveCredential('Sandbox', { ...host.credential, webhookSecretKeys: security_key });
    expect(await send({ data: { invoice_id: 4 } })).toBe(200);
    expect(await executions(id)).toHaveLength(1);
    await host.rest.saveCredential('Sandbox', host.credential);
    await host.rest.deactivate(id);
  });

  test('responds to strangers with 401 and to the service with 503 while the credential is invalid', async () => {
    const id = await active();
    await host.rest.saveCredential('Sandbox', { ...host.credential, baseUrl: 'http://api.example.com' });
    // The process that created the webhook has the key in memory, so it doesn't need the credential.
    await host.n8n.restart();
    await host.rest.signIn('Local-run-1');
    await host.rest.waitUntilActive(id);
    try {
      expect(await send({ withoutAuthorization: true })).toBe(401);
      expect(await send({ wrongPassword: true })).toBe(401);
      expect(await allExecutions(id)).toEqual([]);
      expect(await send()).toBe(503);
      const [told, ...more] = await allExecutions(id);
      expect(more).toEqual([]);
      expect(told?.status).toBe('error');
      expect(JSON.stringify(told?.data)).toContain('the Base URL must start with https://');
    } finally {
      await host.rest.saveCredential('Sandbox', host.credential);
    }
    expect(await send()).toBe(200);
    expect(await executions(id)).toHaveLength(1);
    await host.rest.deactivate(id);
  });

  test('stores neither the security key nor the password with the workflow', async () => {
    const id = await active();
    await send();
    const { security_key, auth_settings } = control().webhookSecrets(only().webhook_id);
    const stored = JSON.stringify([await host.rest.getWorkflow(id), await allExecutions(id)]);
    for (const secret of [security_key, auth_settings?.user_name, auth_settings?.user_password])
      expect(stored).not.toContain(secret);
    expect(stored).toContain('sealedKey');
    await host.rest.deactivate(id);
  });

  test('emits a repeated delivery if its execution failed and not if it succeeded', async () => {
    const id = await active();
    const { name, nodes, connections, settings } = await host.rest.getWorkflow(id);
    await host.rest.deactivate(id);
    const failing = node('Done', 'n8n-nodes-base.stopAndError', { errorMessage: 'The CRM is down' });
    await host.rest.updateWorkflow(id, { name, nodes: [...nodes.slice(0, 1), failing], connections, settings });
    await host.rest.activate(id);
    await until(() => only().status === 'ACTIVE');
    await send();
    expect(await executions(id)).toHaveLength(1);
    // The trigger treats a copy within ten seconds as an automatic retry, not as resent by a user.
    await sleep(12_000);
    expect(await control().repeatDelivery()).toEqual([200]);
    expect(await executions(id)).toHaveLength(2);
    await host.rest.deactivate(id);
  });

  test('accepts both keys during a rotation and refuses calls with only the new key', async () => {
    const id = await active();
    control().rotateSecret({ webhookId: only().webhook_id, overlapSeconds: 60 });
    expect(await send({ data: { invoice_id: 1 } })).toBe(200);
    await control().advanceClock({ minutes: 2 });
    expect(await send({ data: { invoice_id: 2 } })).toBe(401);
    expect(await executions(id)).toHaveLength(1);
    await host.rest.deactivate(id);
  });

  test('refuses a replayed call after a rotation with either key', async () => {
    const id = await active();
    const { webhook_id, notification_url } = only();
    const { security_key, auth_settings } = control().webhookSecrets(webhook_id);
    const db_timestamp = new Date().toISOString().slice(0, 19).replace('T', ' ');
    const body = JSON.stringify({ webhook_id, db_timestamp, event: 'invoice_paid', data: { invoice_id: 1 } });
    const caller = `${auth_settings?.user_name}:${auth_settings?.user_password}`;
    const headers = {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(caller).toString('base64')}`,
      'x-service-webhook-signature': createHmac('sha256', security_key).update(body).digest('base64'),
    };
    const call = async () => (await axios.post(notification_url, body, { headers, validateStatus: () => true })).status;
    expect(await call()).toBe(200);
    expect(await executions(id)).toHaveLength(1);
    control().rotateSecret({ webhookId: webhook_id });
    expect(await call()).toBe(200);
    for (let invoice_id = 2; invoice_id < 5; invoice_id += 1) expect(await send({ data: { invoice_id } })).toBe(401);
    await host.rest.deactivate(id);
    await host.rest.activate(id);
    await until(() => webhooks().some((one) => one.status === 'ACTIVE' && one.webhook_id !== webhook_id));
    expect(await call()).toBe(401);
    expect(await executions(id)).toHaveLength(1);
    await host.rest.deactivate(id);
  });

  test('responds to a probe of the address and starts nothing', async () => {
    const id = await active();
    expect(await send({ event: 'validate_url' })).toBe(200);
    expect(await executions(id)).toEqual([]);
    await host.rest.deactivate(id);
  });

  test('turns a list of records into items and looks up the record of an event', async () => {
    const id = await active({ events: ['*'], enrich: true, options: { split: true } });
    control().addCapturedSales({ count: 3, amountCents: 500 });
    const submitted = await axios.post<{ data: { request_id: string } }>(
      `${host.sandbox.baseUrl}/platform/aus/add`,
      { data: [{ card_number: '4111111111111111', exp_date: '1230' }] },
      { headers: { authorization: `Basic ${host.sandbox.credentials.test.token}` } },
    );
    await until(() => control().deliveries().length === 1);
    const [updater] = await executions(id);
    expect(itemsOf(updater as Execution, TRIGGER)).toMatchObject([
      { event: 'account_updater_request_created', record: { request_id: String(submitted.data.data.request_id) } },
    ]);
    const batch = control().closeBatch();
    const [updated] = await executions(id);
    const items = itemsOf(updated as Execution, TRIGGER);
    expect(items.map(({ entry }) => (entry as IDataObject).pg_id).sort()).toEqual([...batch].sort());
    await host.rest.deactivate(id);
  });

  test('reports an event name that the service refuses and leaves no webhook behind', async () => {
    const id = await workflow({ customEvents: 'no_such_event' });
    await expect(host.rest.activate(id)).rejects.toThrow(/no_such_event|events|Validation/);
    expect(webhooks().filter(({ status }) => status === 'ACTIVE')).toEqual([]);
    await host.rest.deactivate(id).catch(() => undefined);
  });

  test("repairs a user's changes at the service with the next activation", async () => {
    const id = await active();
    const { webhook_id } = only();
    await host.rest.deactivate(id);
    await axios.put(
      `${host.sandbox.baseUrl}/platform/webhook/${webhook_id}`,
      { events: ['dispute_update'], label: only().label },
      { headers: { authorization: `Basic ${host.sandbox.credentials.test.token}` } },
    );
    await host.rest.activate(id);
    await until(() => only().status === 'ACTIVE');
    expect(only()).toMatchObject({ webhook_id, events: ['invoice_paid', 'subscription_suspended'] });
    await host.rest.deactivate(id);
  });

  test('never changes a webhook that a user created', async () => {
    const id = await active();
    const foreign = await axios.post<{ data: { webhook_id: number } }>(
      `${host.sandbox.baseUrl}/platform/webhook`,
      { notification_url: only().notification_url, label: 'Made by hand' },
      { headers: { authorization: `Basic ${host.sandbox.credentials.test.token}` } },
    );
    await host.rest.deactivate(id);
    await host.rest.activate(id);
    await host.rest.deactivate(id);
    await until(() => webhooks().filter(({ status }) => status === 'ACTIVE').length === 1);
    expect(webhooks().find(({ status }) => status === 'ACTIVE')?.webhook_id).toBe(foreign.data.data.webhook_id);
  });

  test('deactivates while the service is unreachable and cleans up with the next activation', async () => {
    const id = await active();
    control().addFault({ kind: 'status', status: 503, operationId: 'disableWebhook' });
    await host.rest.deactivate(id);
    expect((await host.rest.getWorkflow(id)).active).toBe(false);
    control().clearFaults();
    await host.rest.activate(id);
    await until(() => webhooks().filter(({ status }) => status === 'ACTIVE').length === 1);
    expect(webhooks()).toHaveLength(1);
    await host.rest.deactivate(id);
    await until(() => only().status === 'DISABLED');
  });

  test("works for an account that can't manage webhooks", async () => {
    control().webhookManagement = false;
    const id = await active();
    expect(await send()).toBe(200);
    expect(await executions(id)).toHaveLength(1);
    await host.rest.deactivate(id);
  });

  test('starts the test run and the published workflow while n8n listens for a test event', async () => {
    const id = await active();
    const production = only().webhook_id;
    await host.rest.listenForTestEvent(id, TRIGGER);
    control().fireEvent({ event: 'invoice_paid', data: { invoice_id: 77 } });
    await control().settleDeliveries();
    expect(
      control()
        .deliveries()
        .map(({ status }) => status),
    ).toEqual([200, 200]);
    const started = await executions(id);
    expect(started.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
    const published = started.find(({ mode }) => mode === 'webhook') as Execution;
    expect(itemsOf(published, TRIGGER)).toMatchObject([{ webhook_id: String(production) }]);
    await host.rest.deactivate(id);
  });

  /** Activates a workflow. Returns the error message, or empty text. */
  const activation = async (id: string) =>
    await host.rest.activate(id).then(
      () => '',
      (error: unknown) => String(error),
    );
  const receives = async (id: string) => {
    expect([await host.rest.isPublished(id), only().status]).toEqual([true, 'ACTIVE']);
    expect(await send({ data: { invoice_id: 404 } })).toBe(200);
    expect(await executions(id)).toHaveLength(1);
    await host.rest.deactivate(id);
  };
  const REFUSED =
    /The service did not list its webhooks: The (?:record or path does not exist|service responded with HTTP status 404)/;

  describe.each([
    ['with the code of the service', { kind: 'status', status: 404 }],
    ['of a proxy', { kind: 'html_error_page', status: 404 }],
  ] as const)('a workflow that is activated again during a 404 %s', (_, fault) => {
    let id: string;
    beforeEach(async () => {
      id = await active();
      await host.rest.deactivate(id);
      await until(() => only().status === 'DISABLED');
    });

    test('the workflow is active in n8n 2, which retries, and inactive with a message in n8n 1', async () => {
      control().addFault({ ...fault, operationId: 'getWebhooks', calls: [1] });
      const told = await activation(id);
      const state = [await host.rest.isPublished(id), only().status];
      if (major === 1) {
        expect(told).toMatch(REFUSED);
        expect(state).toEqual([false, 'DISABLED']);
        await host.rest.activate(id);
      } else expect([told, ...state]).toEqual(['', true, 'ACTIVE']);
      await receives(id);
    });

    test('the workflow is not active until the service lists the webhooks, and n8n shows the reason', async () => {
      control().addFault({ ...fault, operationId: 'getWebhooks' });
      expect(await activation(id)).toMatch(REFUSED);
      expect([await host.rest.isPublished(id), only().status]).toEqual([false, 'DISABLED']);
      control().clearFaults();
      await host.rest.activate(id);
      await receives(id);
    });
  });

  describe('a delivery of a canceled execution', () => {
    const ids = async (id: string) => (await host.rest.executions.list(id)).map((one) => one.id);
    const untilStarted = async (id: string, count: number) => {
      for (let tries = 0; tries < 100 && (await ids(id)).length < count; tries += 1) await sleep(100);
      expect(await ids(id)).toHaveLength(count);
    };
    /** Creates a workflow whose execution takes several seconds. */
    const waiting = async (seconds: number, settings: object = {}) => {
      const id = await workflow();
      const { nodes } = await host.rest.getWorkflow(id);
      const wait = node('Done', 'n8n-nodes-base.wait', { amount: seconds, unit: 'seconds' }, { typeVersion: 1.1 });
      await host.rest.updateWorkflow(id, {
        nodes: [...nodes.slice(0, 1), wait],
        settings: { executionOrder: 'v1', ...settings },
      });
      await host.rest.activate(id);
      await until(() => only().status === 'ACTIVE');
      return id;
    };

    test('starts the workflow again after a user stopped the execution', async () => {
      const id = await waiting(8);
      expect(await send()).toBe(200);
      await untilStarted(id, 1);
      await sleep(1_500);
      const [first = ''] = await ids(id);
      await host.rest.post(`/executions/${first}/stop`);
      await sleep(2_000);
      expect(await control().repeatDelivery()).toEqual([200]);
      await untilStarted(id, 2);
      const [second = ''] = await ids(id);
      expect((await host.rest.executions.waitFor(second)).status).toBe('success');
      expect(itemsOf(await host.rest.executions.get(second), 'Done')).toHaveLength(1);
      // The second execution succeeded, so another copy starts nothing.
      await control().repeatDelivery();
      await sleep(QUIET_MS);
      expect(await executions(id).then((all) => all.filter(({ status }) => status === 'success'))).toHaveLength(1);
      await host.rest.deactivate(id);
    });

    test("starts the workflow again after n8n's time limit ended the execution", async () => {
      const id = await waiting(20, { executionTimeout: 2 });
      expect(await send()).toBe(200);
      await untilStarted(id, 1);
      await sleep(4_000);
      expect(await control().repeatDelivery()).toEqual([200]);
      await untilStarted(id, 2);
      await sleep(3_000);
      await host.rest.deactivate(id);
    });
  });

  test('creates a separate webhook for a test event and disables it afterwards', async () => {
    const id = await active();
    const production = only().webhook_id;
    await host.rest.listenForTestEvent(id, TRIGGER);
    const test = webhooks().find(({ webhook_id }) => webhook_id !== production);
    expect(test?.notification_url).toContain('/webhook-test/');
    await control().sendDelivery({ webhookId: test?.webhook_id ?? 0, event: 'invoice_paid', data: { invoice_id: 3 } });
    await until(() => webhooks().find(({ webhook_id }) => webhook_id === test?.webhook_id)?.status === 'DISABLED');
    expect(webhooks().find(({ webhook_id }) => webhook_id === production)?.status).toBe('ACTIVE');
    await host.rest.deactivate(id);
  });
});
