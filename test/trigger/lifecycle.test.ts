import axios from 'axios';
import { sleep, type IDataObject } from 'n8n-workflow';

import { credentialFor } from '../credential';
import { timeIsSimulated } from '../simulated-time';
import { sandboxForFile } from '../workflow/bench';
import { TriggerHost } from './host';

const matching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown;
const containing = (text: string) => expect.stringContaining(text) as unknown;

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });

let host: TriggerHost;

beforeEach(async () => {
  host = await TriggerHost.open(credentialFor(sandbox));
});

afterEach(async () => {
  await host.close();
});

async function call(method: string, path: string, data?: object, environment: 'test' | 'production' = 'test') {
  const baseURL = environment === 'test' ? sandbox.baseUrl : sandbox.productionBaseUrl;
  const { token } = sandbox.credentials[environment];
  const response = await axios.request<{ data: unknown }>({
    method,
    baseURL,
    url: path,
    data,
    headers: { authorization: `Basic ${token}` },
    proxy: false,
  });
  return response.data.data;
}

const webhooks = async (environment: 'test' | 'production' = 'test') =>
  (await call('GET', '/platform/webhook?count=100', undefined, environment)) as IDataObject[];

const statuses = async () => (await webhooks()).map(({ status }) => status);

test("an activation registers one webhook with the workflow's name and delivery credentials", async () => {
  host.parameters = {
    events: ['invoice_paid', 'subscription_suspended'],
    options: { email_address: 'a@b.com, c@d.com' },
  };
  await host.activate();
  expect(await webhooks()).toMatchObject([
    {
      status: 'ACTIVE',
      notification_url: host.url,
      label: matching(/^Paid invoices to CRM \(n8n [0-9a-f]{12}\)$/),
      events: ['invoice_paid', 'subscription_suspended'],
      auth_type: 'BASIC',
      email_address: '["a@b.com","c@d.com"]',
    },
  ]);
});

test('neither the user name nor the password of deliveries is stored', async () => {
  await host.activate();
  const [webhook] = await webhooks();
  const { auth_settings } = sandbox.control.webhookSecrets(Number(webhook?.webhook_id));
  expect(auth_settings?.user_password).toHaveLength(64);
  expect(host.stored).not.toContain(auth_settings?.user_name);
  expect(host.stored).not.toContain(auth_settings?.user_password);
});

test('repeated activations use one webhook', async () => {
  await host.activate();
  const [first] = await webhooks();
  expect(await host.deactivate()).toBe(true);
  expect(await statuses()).toEqual(['DISABLED']);
  await host.restart();
  await host.activate();
  expect(await webhooks()).toEqual([first]);
});

test('a second activation without changes writes nothing', async () => {
  await host.activate();
  sandbox.control.clearJournal();
  await host.activate();
  expect(sandbox.control.journal().map(({ method }) => method)).toEqual(['GET']);
});

test.each<[string, (id: number) => Promise<unknown>]>([
  ['disabled', async (id) => await call('PUT', `/platform/webhook/${id}/disable`, {})],
  ['without an event', async (id) => await call('DELETE', `/platform/webhook/${id}/event/invoice_paid`)],
  ['with another event', async (id) => await call('POST', `/platform/webhook/${id}/event/dispute_update`, {})],
  ['without credentials', async (id) => await call('PUT', `/platform/webhook/${id}`, { auth_type: 'NONE' })],
  [
    'with another e-mail address',
    async (id) => await call('PUT', `/platform/webhook/${id}`, { email_address: ['x@y.com'] }),
  ],
])('a webhook that is %s is repaired instead of replaced', async (_, change) => {
  host.parameters = { events: ['invoice_paid', 'invoice_payment_success'] };
  await host.activate();
  const before = await webhooks();
  await change(Number(before[0]?.webhook_id));
  expect(await webhooks()).not.toEqual(before);
  await host.activate();
  expect(await webhooks()).toEqual(before);
});

test('changed events, a new name or a new API key update the same webhook', async () => {
  host.parameters = { events: ['invoice_paid'] };
  await host.activate();
  await host.deactivate();
  const [{ webhook_id } = {}] = await webhooks();
  host.parameters = { events: ['dispute_update'], customEvents: 'invoice_paid, invoice_paid' };
  host.name = 'Renamed';
  await host.activate();
  expect(await webhooks()).toMatchObject([
    {
      webhook_id,
      status: 'ACTIVE',
      events: ['dispute_update', 'invoice_paid'],
      label: matching(/^Renamed/),
    },
  ]);
});

test("a user's own webhook is never changed, even at the same address", async () => {
  await call('POST', '/platform/webhook', { notification_url: host.url, label: 'By hand (n8n 123456789012)' });
  const [byHand] = await webhooks();
  await host.activate();
  await host.deactivate();
  await host.activate();
  await host.deactivate();
  expect((await webhooks())[0]).toEqual(byHand);
});

test('a webhook whose security key was lost in a kill is disabled when a new one is created', async () => {
  await host.activate({ killed: true });
  await host.activate();
  expect(await statuses()).toEqual(['DISABLED', 'ACTIVE']);
  await host.deactivate({ killed: true });
  expect(await statuses()).toEqual(['DISABLED', 'DISABLED']);
});

test('a webhook left active by a killed n8n is disabled by the next deactivation', async () => {
  await host.activate({ killed: true });
  await host.deactivate();
  expect(await statuses()).toEqual(['DISABLED']);
});

test('a webhook whose creation got no response is disabled, and another one is created', async () => {
  sandbox.control.addFault({ kind: 'truncated_json', method: 'POST', path: '/platform/webhook', calls: [1] });
  await host.activate();
  expect(await statuses()).toEqual(['DISABLED', 'ACTIVE']);
});

test.each([undefined, null, '', true, 1.5, -1, 'x', {}, [7]])(
  'an activation fails if the created webhook has the ID %j, and leaves no active webhook',
  async (webhook_id) => {
    const body = { code: 0, message: 'Success', data: { webhook_id, security_key: 'k' } };
    sandbox.control.addFault({ kind: 'status', status: 200, method: 'POST', applied: true, body });
    await expect(host.activate()).rejects.toThrow(/could not register the webhook: .*could not read the response/);
    expect(await statuses()).toEqual(['DISABLED', 'DISABLED']);
    expect(host.state).not.toHaveProperty('registrations');
  },
);

test('an ID with more digits than JavaScript can represent is kept exactly', async () => {
  const webhook_id = '912345678901234567';
  const body = { code: 0, message: 'Success', data: { webhook_id, security_key: 'k' } };
  sandbox.control.addFault({ kind: 'status', status: 200, method: 'POST', body });
  await host.activate();
  expect(JSON.stringify(host.state)).toContain(`"webhook_id":"${webhook_id}"`);
  await host.deactivate();
  const changes = sandbox.control.journal().filter(({ method }) => method === 'PUT');
  expect(changes.map(({ path }) => path)).toEqual([`/platform/webhook/${webhook_id}/disable`]);
});

test('each node, environment and kind of run has its own webhook', async () => {
  const other = await TriggerHost.open(host.credential, host.parameters);
  await other.activate();
  await host.activate();
  await host.listen();
  host.credential = credentialFor(sandbox, 'production');
  await host.activate();
  await other.close();
  const all = [...(await webhooks()), ...(await webhooks('production'))];
  const ids = (await webhooks()).map(({ webhook_id }) => sandbox.control.webhookSecrets(Number(webhook_id)));
  expect(all).toHaveLength(4);
  expect(new Set(all.map(({ label }) => label)).size).toBe(3);
  expect(new Set(ids.map(({ auth_settings }) => auth_settings?.user_password)).size).toBe(3);
});

test('a test run keeps the production webhook unchanged and disables its own', async () => {
  await host.activate();
  const [production] = await webhooks();
  await host.listen();
  expect(await statuses()).toEqual(['ACTIVE', 'ACTIVE']);
  await host.stopListening();
  expect(await statuses()).toEqual(['ACTIVE', 'DISABLED']);
  expect((await webhooks())[0]).toEqual(production);
});

test('a test run reuses the webhook of the last test run', async () => {
  for (let run = 0; run < 3; run += 1) {
    await host.listen();
    await host.stopListening();
  }
  expect(await statuses()).toEqual(['DISABLED']);
});

test('a test run can be ended safely after a failed registration', async () => {
  await host.activate();
  host.parameters = { events: ['no_such_event'] };
  await expect(host.listen()).rejects.toThrow(/could not register the webhook/);
  host.parameters = { events: ['*'] };
  await host.stopListening();
  expect(await statuses()).toEqual(['ACTIVE']);
});

describe('an unreachable service', () => {
  const unreachable = () => {
    host.credential = { ...host.credential, baseUrl: 'http://127.0.0.1:9/test' };
  };

  test('an activation fails with the reason while the service is unreachable', async () => {
    unreachable();
    await expect(host.activate()).rejects.toThrow(/could not list its webhooks: The node could not reach the service/);
  });

  test('a deactivation succeeds while the service is unreachable, and the next deactivation disables the webhook', async () => {
    await host.activate();
    sandbox.control.addFault({ kind: 'status', status: 503, method: 'PUT' });
    expect(await host.deactivate()).toBe(false);
    expect(JSON.stringify(host.state)).toContain('"leftActive"');
    expect(host.log.map(({ text }) => text).join()).toContain('may still be active');
    sandbox.control.clearFaults();
    expect(await host.deactivate()).toBe(true);
    expect(await statuses()).toEqual(['DISABLED']);
    expect(JSON.stringify(host.state)).not.toContain('"leftActive"');
  });
});

describe('one stray 404 on activation', () => {
  const NOT_FOUND = [
    ['with the code of the service', { kind: 'status', status: 404 }],
    ['of a proxy', { kind: 'html_error_page', status: 404 }],
  ] as const;

  beforeEach(async () => {
    await host.activate();
    await host.deactivate();
  });
  afterEach(() => void sandbox.control.clearFaults());

  test.each(NOT_FOUND)(
    'a stray 404 %s for the list of webhooks fails the activation, and the next activation enables the webhook',
    async (_, fault) => {
      sandbox.control.addFault({ ...fault, method: 'GET', path: '/platform/webhook', calls: [1] });
      await expect(host.activate()).rejects.toThrow(/could not list its webhooks/);
      expect(await statuses()).toEqual(['DISABLED']);
      await host.activate();
      expect(await statuses()).toEqual(['ACTIVE']);
      expect(host.state).not.toHaveProperty('management');
    },
  );

  test.each(NOT_FOUND)(
    'a stray 404 %s for a webhook change leaves one webhook ACTIVE or fails the activation',
    async (_, fault) => {
      sandbox.control.addFault({ ...fault, method: 'PUT', calls: [1] });
      const isActivated = await host.activate().then(
        () => true,
        () => false,
      );
      const active = (await statuses()).filter((status) => status === 'ACTIVE');
      expect(active).toHaveLength(isActivated ? 1 : 0);
      if (!isActivated) await host.activate();
      expect((await statuses()).filter((status) => status === 'ACTIVE')).toHaveLength(1);
    },
  );

  test("a 404 with the service's code is reported with the disabled webhook and a fix", async () => {
    const [{ webhook_id } = {}] = await webhooks();
    sandbox.control.webhookManagement = false;
    await expect(host.activate()).rejects.toMatchObject({
      description: matching(
        new RegExp(`switched off webhook ${Number(webhook_id)} and can't switch it on again.*new one`),
      ),
    });
    sandbox.control.webhookManagement = true;
  });

  test('the log states that the next activation repairs a failed disabling after a 404 from a proxy', async () => {
    await host.activate();
    sandbox.control.addFault({ kind: 'html_error_page', status: 404, method: 'PUT', calls: [1] });
    expect(await host.deactivate()).toBe(false);
    expect(host.log.map(({ text }) => text).join()).toContain(
      'The trigger tries again when you next activate the workflow.',
    );
  });

  test('a stray 404 at the first activation is ignored once webhooks can be listed', async () => {
    const other = await TriggerHost.open(host.credential, host.parameters);
    sandbox.control.addFault({ kind: 'status', status: 404, method: 'GET', path: '/platform/webhook', calls: [1] });
    await other.activate();
    expect(other.state).not.toHaveProperty('management');
    await other.close();
  });
});

describe("an account that can't manage webhooks", () => {
  beforeEach(() => {
    sandbox.control.webhookManagement = false;
  });

  test("the trigger creates one webhook, reports the limitation, and doesn't create another", async () => {
    await host.activate();
    await host.deactivate();
    await host.activate();
    await host.restart();
    await host.activate();
    sandbox.control.webhookManagement = true;
    expect(await statuses()).toEqual(['ACTIVE']);
    expect(host.state.management).toBe('unavailable');
    expect(host.log.map(({ text }) => text).join()).toContain('merchant portal');
  });

  test('a changed security key makes the next activation create a webhook and name the old one', async () => {
    await host.activate();
    const of = () =>
      Number(Object.values(host.state.registrations as Record<string, { webhook_id: string }>)[0]?.webhook_id);
    const old = of();
    sandbox.control.rotateSecret({ webhookId: old });
    const deliver = async () => await sandbox.control.sendDelivery({ webhookId: of(), event: 'invoice_paid' });
    for (let delivery = 0; delivery < 3; delivery += 1) expect(await deliver()).toBe(401);
    await sleep(500);
    expect(host.problems.join()).toContain('which creates a new webhook');
    await host.deactivate();
    await host.activate();
    expect(of()).not.toBe(old);
    expect(await deliver()).toBe(200);
    await host.idle();
    const replaced = `Webhook ${old} was replaced and may still be active. Disable the webhook in the merchant portal.`;
    expect(host.executions[0]?.[0]?.json.notice).toContain(replaced);
  });

  test("items mention that the account can't manage webhooks", async () => {
    await host.activate();
    sandbox.control.fireEvent({ event: 'invoice_paid', data: { invoice_id: 1 } });
    await sandbox.control.settleDeliveries();
    await host.idle();
    expect(host.executions[0]?.[0]?.json.notice).toContain('merchant portal');
  });
});

test('the activation refuses a URL without https and names the setting', async () => {
  host.credential = { ...host.credential, baseUrl: 'https://api.example.com' };
  await expect(host.activate()).rejects.toMatchObject({
    message: containing('does not start with https://'),
    description: containing('WEBHOOK_URL'),
  });
});

test('the activation refuses an unknown event and names the parameter', async () => {
  host.parameters = { events: [], customEvents: 'invoice_payed' };
  await expect(host.activate()).rejects.toMatchObject({
    message: matching(/could not register the webhook: .*events/),
    description: containing('Other Event Names'),
  });
  expect(await webhooks()).toEqual([]);
});

test('the activation refuses a trigger without an event and names the parameter', async () => {
  host.parameters = { events: [] };
  await expect(host.activate()).rejects.toThrow('No event is selected');
});
