import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, sandboxForFile } from '../bench';
import { idOf } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const { runOperation: run } = benchOf(sandbox, { parameters: { resource: 'webhook' }, looksUp: true });

const URL = 'https://n8n.example.com/hook';
const PASSWORD = 'delivery-password';
const OF_TRIGGER = 'Payments (n8n 0123456789ab)';
const BASIC = { auth_type: 'BASIC', auth_settings: { item: { user_name: 'deliveries', user_password: PASSWORD } } };

async function newWebhook(label = 'Accounting', additionalFields: INodeParameters = {}): Promise<string> {
  const parameters = { notification_url: URL, label, events: ['invoice_paid'], additionalFields };
  const { items, error } = await run('create', parameters);
  expect(error).toBeUndefined();
  return asText(items[0]?.json.webhook_id);
}

const recordOf = (id: string) => sandbox.control.state().webhooks.find(({ webhook_id }) => String(webhook_id) === id);
const changes = () =>
  sandbox.control
    .journal()
    .filter(({ method, path }) => method !== 'GET' && path !== '/platform/webhook')
    .map(({ operationId }) => operationId);

const CHANGES: Array<[string, INodeParameters]> = [
  ['update', { label: 'Paid invoices' }],
  ['disable', {}],
  ['addEvent', { event: 'dispute_update' }],
  ['removeEvent', { event: 'invoice_paid' }],
];

describe('a webhook of a trigger', () => {
  test.each(CHANGES)(
    "%s refuses to change a trigger's webhook unless the user confirms the change",
    async (operation, parameters) => {
      const id = await newWebhook(OF_TRIGGER);
      const before = recordOf(id);
      const refused = await run(operation, { webhook_id: idOf(id), ...parameters });
      expect(refused.error?.message).toContain(
        `Webhook ${id} "${OF_TRIGGER}" belongs to an n8n trigger, so nothing was sent. To change the webhook anyway, turn on "Change a Trigger's Webhook"`,
      );
      expect(changes()).toEqual([]);
      expect(recordOf(id)).toEqual(before);
      const confirmed = { webhook_id: idOf(id), ...parameters, changeTriggerWebhook: true };
      expect((await run(operation, confirmed)).error).toBeUndefined();
      expect(recordOf(id)).not.toEqual(before);
    },
  );

  test("a trigger's webhook is recognized by the user name of its deliveries if a user changed the label", async () => {
    const settings = { item: { user_name: 'n8n0123456789abcdef', user_password: PASSWORD } };
    const id = await newWebhook('Renamed', { auth_type: 'BASIC', auth_settings: settings });
    expect((await run('disable', { webhook_id: idOf(id) })).error?.message).toContain('belongs to an n8n trigger');
  });

  test("a trigger's webhook is marked in the output of Get and Get Many", async () => {
    const ids = [await newWebhook(), await newWebhook(OF_TRIGGER)];
    const listed = await run('getAll', { returnAll: true });
    expect(listed.items.map(({ json }) => json.belongs_to_trigger)).toEqual([false, true]);
    const own = await run('get', { webhook_id: idOf(ids[1]) });
    expect(own.items[0]?.json).toMatchObject({ webhook_id: ids[1], belongs_to_trigger: true });
  });

  test("enabling a trigger's webhook needs a confirmation unless the webhook is already active", async () => {
    const id = await newWebhook(OF_TRIGGER);
    const { items } = await run('enable', { webhook_id: idOf(id) });
    expect(items[0]?.json.what_happened).toBe(`Nothing was sent, because webhook ${id} is already active.`);
    await run('disable', { webhook_id: idOf(id), changeTriggerWebhook: true });
    expect((await run('enable', { webhook_id: idOf(id) })).error?.message).toContain('belongs to an n8n trigger');
    expect(recordOf(id)?.status).toBe('DISABLED');
  });
});

test('an update of a webhook changes only the filled fields and replaces all events', async () => {
  const id = await newWebhook('Accounting', { email_address: ['ops@example.com'], ...BASIC });
  await run('update', { webhook_id: idOf(id), label: 'Paid invoices' });
  expect(recordOf(id)).toMatchObject({ label: 'Paid invoices', notification_url: URL, events: ['invoice_paid'] });
  const events = ['dispute_update', 'subscription_suspended'];
  const { items } = await run('update', { webhook_id: idOf(id), events });
  expect(items[0]?.json).toEqual({
    what_happened: `Updated webhook ${id}.`,
    webhook_id: id,
    updated_fields: ['events'],
  });
  expect(recordOf(id)).toMatchObject({ label: 'Paid invoices', events, email_address: '["ops@example.com"]' });
});

test.each<[string, INodeParameters, INodeParameters, string]>([
  ['nothing', {}, {}, 'is required, unless you enter a value in another field'],
  [
    'a password without a user of Basic',
    {},
    { auth_settings: BASIC.auth_settings },
    'set "Authentication Type" to Basic',
  ],
  ['Basic without a user', {}, { auth_type: 'BASIC' }, 'requires "Authentication Settings"'],
  ['a URL without https', { notification_url: 'http://n8n.example.com' }, {}, 'starts with https://'],
])('an update of a webhook with %s is refused before it is sent', async (_, parameters, additionalFields, reason) => {
  const id = await newWebhook();
  const { error } = await run('update', { webhook_id: idOf(id), ...parameters, additionalFields });
  expect(`${error?.message} ${error?.description ?? ''}`).toContain(reason);
  expect(changes()).toEqual([]);
});

test('an update of a webhook replaces the Basic password and shows no password', async () => {
  const id = await newWebhook('Accounting', BASIC);
  const { items, error } = await run('update', {
    webhook_id: idOf(id),
    additionalFields: { auth_settings: { item: { user_name: 'deliveries', user_password: 'another-password' } } },
  });
  expect(error).toBeUndefined();
  const { items: read } = await run('get', { webhook_id: idOf(id) });
  expect(JSON.stringify([items, read])).not.toMatch(/delivery-password|another-password/);
  expect(sandbox.control.webhookSecrets(Number(id))).toMatchObject({
    auth_settings: { user_password: 'another-password' },
  });
});

test.each<[string, string, INodeParameters, IDataObject]>([
  ['disable', 'disableWebhook', {}, { status: 'DISABLED' }],
  ['addEvent', 'addWebhookEvent', { event: 'dispute_update' }, { event: 'dispute_update', subscribed: true }],
  ['removeEvent', 'deleteWebhookEvent', { event: 'invoice_paid' }, { event: 'invoice_paid', subscribed: false }],
])(
  'a repeated change to the same webhook state sends nothing (%s)',
  async (operation, operationId, parameters, shown) => {
    const id = await newWebhook();
    for (const sentence of [/^(Disabled|Added|Removed) /, /^Nothing was sent, because webhook /]) {
      const { items } = await run(operation, { webhook_id: idOf(id), ...parameters });
      expect(items[0]?.json).toMatchObject({ webhook_id: id, ...shown });
      expect(items[0]?.json.what_happened).toMatch(sentence);
    }
    expect(changes()).toEqual([operationId]);
  },
);

test('a disabled webhook is enabled once', async () => {
  const id = await newWebhook();
  await run('disable', { webhook_id: idOf(id) });
  const { items } = await run('enable', { webhook_id: idOf(id) });
  expect(items[0]?.json).toEqual({
    what_happened: `Enabled webhook ${id}.`,
    webhook_id: id,
    status: 'ACTIVE',
  });
  await run('enable', { webhook_id: idOf(id) });
  expect(changes()).toEqual(['disableWebhook', 'enableWebhook']);
});

test.each([
  ['addEvent', 'addWebhookEvent', 'dispute_update', 'the webhook receives the event, changed since the request'],
  [
    'removeEvent',
    'deleteWebhookEvent',
    'invoice_paid',
    'the webhook does not receive the event, changed since the request',
  ],
])(
  'a lost change of an event is completed if the webhook shows the change (%s)',
  async (operation, operationId, event, agreement) => {
    const id = await newWebhook();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId });
    const { items, error } = await run(operation, { webhook_id: idOf(id), event });
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({ webhook_id: id, event, found_at_service: agreement });
    expect(changes()).toEqual([operationId]);
  },
);

test('a lost change of an event stays unknown and is not sent again if the webhook does not show the change', async () => {
  const id = await newWebhook();
  sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'addWebhookEvent' });
  const { error } = await run('addEvent', { webhook_id: idOf(id), event: 'dispute_update' });
  expect(`${error?.message} ${error?.description ?? ''}`).toMatch(/outcome is unknown|may have/i);
  expect(changes()).toHaveLength(1);
});

test('refuses an unknown webhook, and an account without the right to manage webhooks', async () => {
  const id = await newWebhook();
  const reason = "No webhook has this ID, or this account can't manage webhooks, so nothing was sent";
  expect((await run('disable', { webhook_id: idOf('99999') })).error?.message).toContain(reason);
  sandbox.control.webhookManagement = false;
  expect((await run('disable', { webhook_id: idOf(id) })).error?.message).toContain(reason);
  sandbox.control.webhookManagement = true;
});

test('returns the names of the events of a webhook in one item', async () => {
  const id = await newWebhook();
  await run('addEvent', { webhook_id: idOf(id), event: 'dispute_update' });
  const { items } = await run('getEvents', { webhook_id: idOf(id) });
  expect(items.map(({ json }) => json)).toEqual([{ webhook_id: id, events: ['invoice_paid', 'dispute_update'] }]);
});
