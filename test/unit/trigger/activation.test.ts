import type { IDataObject } from 'n8n-workflow';

import { removeWebhook } from '../../../nodes/PaymentPlatform/trigger/disabling';
import { activateWebhook, checkWebhook, registerWebhook } from '../../../nodes/PaymentPlatform/trigger/registration';
import { noSuchPath, refused, reply, triggerNode, WebhookServiceFake } from './webhook-service';

let service: WebhookServiceFake;
let node: ReturnType<typeof triggerNode>;

beforeEach(() => {
  service = new WebhookServiceFake();
  node = triggerNode(service);
});
afterEach(() => void jest.useRealTimers());

const statuses = () => service.webhooks.map(({ status }) => status);
/** Settings for a different merchant, for which the node must create a new webhook. */
const ELSEWHERE = { events: ['invoice_paid'], options: { webhook_node: '7' } };
const UNREADABLE = () => reply({ code: 0, message: 'Success', data: 'x' });
const laterThanTakeBack = () =>
  jest.useFakeTimers({ now: Date.now() + 60_000, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
/** Creates a webhook of this node in another n8n process while this process creates its own. */
const createElsewhere = (more: IDataObject) => {
  service.instead = {
    GET: () => {
      service.instead = {};
      const [{ label, notification_url } = {}] = service.webhooks;
      service.webhooks.push({ label, notification_url, status: 'ACTIVE', events: [], webhook_id: 2, ...more });
      return service.answer({ method: 'GET', url: '/platform/webhook', qs: {} });
    },
  };
};

describe('an activation', () => {
  test('creates a webhook once and keeps it afterward', async () => {
    expect(await activateWebhook(node.context())).toBe(true);
    expect(service.calls).toEqual(['GET', 'POST', 'GET']);
    expect(await activateWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['POST']);
  });

  test('runs after the other hooks of its node', async () => {
    await Promise.all([
      activateWebhook(node.context()),
      activateWebhook(node.context()),
      removeWebhook(node.context()),
      activateWebhook(node.context()),
      removeWebhook(node.context()),
    ]);
    expect(service.changes).toEqual(['POST', 'PUT /1/disable', 'PUT /1/enable', 'PUT /1/disable']);
    expect(statuses()).toEqual(['DISABLED']);
  });

  test('runs after a failed hook of its node', async () => {
    service.instead = { POST: refused };
    const failed = activateWebhook(node.context());
    const next = activateWebhook(node.context());
    await expect(failed).rejects.toThrow('register the webhook');
    service.instead = {};
    expect(await next).toBe(true);
    expect(statuses()).toEqual(['ACTIVE']);
  });

  test('that fails leaves no mark on a later deactivation', async () => {
    await activateWebhook(node.context());
    service.instead = { GET: refused };
    await expect(activateWebhook(node.context())).rejects.toThrow('list its webhooks');
    service.instead = {};
    expect(await removeWebhook(node.context())).toBe(true);
    expect(statuses()).toEqual(['ACTIVE']);
    expect(await removeWebhook(node.context())).toBe(true);
    expect(statuses()).toEqual(['DISABLED']);
  });

  test('that failed a minute ago has no effect on a deactivation', async () => {
    await activateWebhook(node.context());
    service.instead = { GET: refused };
    await expect(activateWebhook(node.context())).rejects.toThrow('list its webhooks');
    service.instead = {};
    laterThanTakeBack();
    await removeWebhook(node.context());
    expect(statuses()).toEqual(['DISABLED']);
  });

  test('in the editor has no effect on a deactivation if it fails', async () => {
    await activateWebhook(node.context());
    const { url } = node;
    Object.assign(node, { mode: 'manual', url: 'https://n8n.example.com/webhook-test/a' });
    service.instead = { GET: refused };
    await expect(activateWebhook(node.context())).rejects.toThrow('list its webhooks');
    service.instead = {};
    Object.assign(node, { mode: 'internal', url });
    await removeWebhook(node.context());
    expect(statuses()).toEqual(['DISABLED']);
  });
});

describe('a newer webhook of another n8n process', () => {
  test.each(['ACTIVE', 'SUSPENDED'])('stays unchanged and is named if its status is %s', async (status) => {
    createElsewhere({ status });
    await registerWebhook(node.context());
    expect(service.changes).toEqual(['POST']);
    const text =
      'Another n8n process created webhook 2 of this node at the same time. To keep only one webhook, deactivate and activate the workflow (in n8n 2: unpublish and publish it).';
    expect(node.staticData.notices).toEqual([text]);
    expect(node.log).toEqual([`warn Payment Platform Trigger: ${text}`]);
  });

  test('is not named if it is disabled or belongs to another client', async () => {
    createElsewhere({ status: 'DISABLED' });
    await registerWebhook(node.context());
    expect(node.staticData).not.toHaveProperty('notices');
    service = new WebhookServiceFake();
    node = triggerNode(service);
    createElsewhere({ label: 'By hand' });
    await registerWebhook(node.context());
    expect(node.staticData).not.toHaveProperty('notices');
    expect(service.changes).toEqual(['POST']);
  });

  test('is disabled by the next activation', async () => {
    createElsewhere({});
    await registerWebhook(node.context());
    expect(await checkWebhook(node.context())).toBe(true);
    expect(statuses()).toEqual(['ACTIVE', 'DISABLED']);
  });

  test('is recognized by its ID as a number, not as text', async () => {
    createElsewhere({ webhook_id: '0' });
    await registerWebhook(node.context());
    expect(service.changes).toEqual(['POST', 'PUT /0/disable']);
    createElsewhere({ webhook_id: 10 });
    await registerWebhook(node.context());
    expect(node.staticData.notices).toEqual([expect.stringContaining('created webhook 10 ')]);
  });
});

describe('an unreadable list', () => {
  beforeEach(async () => {
    await activateWebhook(node.context());
    service.calls = [];
    service.instead = { GET: UNREADABLE };
    node.log = [];
  });

  const text =
    'The trigger kept its webhook without a check, because it could not list its webhooks: The node could not read the response, because it contains a string instead of records.';

  test('keeps the webhook that the process activated, with a notice', async () => {
    const { revision, ...before } = node.registration() ?? {};
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual([]);
    expect(node.staticData.notices).toEqual([text]);
    expect(node.log).toEqual([`warn Payment Platform Trigger: ${text}`]);
    expect(node.registration()).toMatchObject(before);
    expect(revision).toBeDefined();
    expect(node.staticData).not.toHaveProperty('management');
  });

  test.each<[string, () => void]>([
    ['other events', () => (node.parameters = { events: ['dispute_update'] })],
    ['another merchant', () => (node.parameters = ELSEWHERE)],
    ['another address', () => (node.url = 'https://n8n.example.com/webhook/b')],
    ['another API key', () => (node.credential = { ...node.credential, apiKey: 'another-key' })],
    ['a changed security key', () => node.store({ mismatches: 3 })],
    ['stored data of another process', () => node.store({})],
  ])('fails an activation with %s', async (_, change) => {
    change();
    await expect(checkWebhook(node.context())).rejects.toThrow(/list its webhooks: The node could not read/);
    expect(service.changes).toEqual([]);
  });

  test('fails an activation after a deactivation', async () => {
    laterThanTakeBack();
    expect(await removeWebhook(node.context())).toBe(false);
    expect(Object.values(node.staticData.registrations ?? {})).toMatchObject([
      { active: false, leftActive: expect.stringContaining('could not read the response') as string },
    ]);
    await expect(checkWebhook(node.context())).rejects.toThrow('list its webhooks');
  });

  test('does not stop the creation of a webhook, and names the replaced webhook', async () => {
    node.parameters = ELSEWHERE;
    node.staticData.notices = ['An earlier notice'];
    await registerWebhook(node.context());
    const replaced = 'Webhook 1 was replaced and may still be active. Disable the webhook in the merchant portal.';
    expect(node.staticData.notices).toEqual(['An earlier notice', replaced]);
    expect(node.log).toEqual([`warn Payment Platform Trigger: ${replaced}`]);
  });
});

describe('a deactivation', () => {
  beforeEach(async () => {
    await activateWebhook(node.context());
    service.calls = [];
  });

  test("an account that can't manage webhooks any more can't use a webhook that the trigger switched off", async () => {
    await removeWebhook(node.context());
    service.instead = { GET: noSuchPath };
    await expect(checkWebhook(node.context())).rejects.toMatchObject({
      message: expect.stringContaining('could not list its webhooks') as string,
      description: expect.stringMatching(
        /switched off webhook 1 and can't switch it on again.*which creates its own/,
      ) as string,
    });
    expect(node.staticData).not.toHaveProperty('management');
  });

  test('an account that could not switch off its webhook can still use the webhook', async () => {
    service.instead = { GET: noSuchPath, PUT: noSuchPath };
    expect(await removeWebhook(node.context())).toBe(false);
    expect(await checkWebhook(node.context())).toBe(true);
    expect(node.registration()).toMatchObject({ webhook_id: '1', active: true });
    expect(node.registration()).not.toHaveProperty('leftActive');
  });
});
