import { sleep } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox/control/faults';
import { credentialFor } from '../credential';
import { timeIsSimulated } from '../simulated-time';
import { sandboxForFile } from '../workflow/bench';
import { TriggerHost } from './host';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const statuses = () => sandbox.control.state().webhooks.map(({ status }) => status);
const idOf = (index: number) => sandbox.control.state().webhooks[index]?.webhook_id ?? 0;

let host: TriggerHost;
beforeEach(async () => {
  host = await TriggerHost.open(credentialFor(sandbox));
});
afterEach(async () => await host.close());

const logged = () => host.log.map(({ text }) => text).join('\n');
const answer = (body: object): FaultRule => ({
  kind: 'status',
  status: 200,
  body: { code: 0, message: 'Success', ...body },
});
/** Replaces the list of webhooks. */
const list = (fault: FaultRule) =>
  void sandbox.control.addFault({ ...fault, method: 'GET', path: '/platform/webhook' });
const another = { notification_url: 'https://x.example/', label: 'By hand', status: 'ACTIVE' };

const UNREADABLE: Array<[string, FaultRule]> = [
  ['no data', answer({})],
  ['text', answer({ data: 'x' })],
  ['a number', answer({ data: 5 })],
  ['null', answer({ data: null })],
  ['entries that are no webhooks', answer({ data: [null, null] })],
  ['an entry that is no webhook', answer({ data: [{ ...another, webhook_id: 1 }, null] })],
  ['a webhook without an ID', answer({ data: [another] })],
  ['a webhook with an unusable ID', answer({ data: [{ ...another, webhook_id: true }], totalPages: 1 })],
  ['an object that is no webhook', answer({ data: { webhooks: [] } })],
  ['no webhooks although it announces one', answer({ data: [], totalRecords: 1, totalPages: 1 })],
  ['incomplete JSON', { kind: 'truncated_json' }],
  ['the page of a proxy', { kind: 'html_error_page', status: 200 }],
];

describe.each(UNREADABLE)('a list of webhooks that contains %s', (_, fault) => {
  test('a deactivation leaves the webhook unchanged and says so, and the next deactivation disables the webhook', async () => {
    await host.activate();
    list(fault);
    expect(await host.deactivate()).toBe(false);
    expect(statuses()).toEqual(['ACTIVE']);
    expect(JSON.stringify(host.state)).toContain('"leftActive":"The node could not read the response');
    expect(logged()).toMatch(/could not look for leftover webhooks: The node could not read the response/);
    expect(logged()).toContain(`Webhook ${idOf(0)} may still be active at the service`);
    sandbox.control.clearFaults();
    expect(await host.deactivate()).toBe(true);
    expect(statuses()).toEqual(['DISABLED']);
    expect(JSON.stringify(host.state)).not.toContain('leftActive');
  });

  test('a first activation fails and creates no webhook', async () => {
    list(fault);
    await expect(host.activate()).rejects.toThrow(/could not list its webhooks: The node could not read the response/);
    expect(statuses()).toEqual([]);
  });

  test('an activation keeps the active webhook if its settings are unchanged, and says so', async () => {
    await host.activate();
    list(fault);
    for (let again = 0; again < 2; again += 1) await host.activate();
    expect(statuses()).toEqual(['ACTIVE']);
    expect(logged()).toContain('The trigger kept its webhook without a check, because it could not list its webhooks');
    expect(host.state.notices).toEqual([expect.stringContaining('kept its webhook without a check')]);
    expect(host.state).not.toHaveProperty('management');
    sandbox.control.clearFaults();
    await host.activate();
    expect(statuses()).toEqual(['ACTIVE']);
    expect(host.state).not.toHaveProperty('notices');
  });

  test('an activation fails after a restart, because another process may have disabled the webhook', async () => {
    await host.activate();
    await host.restart();
    list(fault);
    await expect(host.activate()).rejects.toThrow(/could not list its webhooks/);
    expect(statuses()).toEqual(['ACTIVE']);
  });

  test('an activation with other settings or after a deactivation fails', async () => {
    await host.activate();
    list(fault);
    host.parameters = { events: ['invoice_paid'] };
    await expect(host.activate()).rejects.toThrow(/could not list its webhooks/);
    expect(statuses()).toEqual(['ACTIVE']);
    host.parameters = { events: ['*'] };
    await sleep(5000);
    await host.deactivate();
    await expect(host.activate()).rejects.toThrow(/could not list its webhooks/);
    expect(statuses()).toEqual(['ACTIVE']);
  });
});

test.each<[string, () => void]>([
  ['shows new webhooks later', () => sandbox.control.setListLag(60_000)],
  ['is empty', () => list(answer({ data: [] }))],
  ['is empty and has no data', () => list(answer({ totalRecords: 0, totalPages: 0 }))],
  ['is empty and has the data null', () => list(answer({ data: null, totalRecords: 0 }))],
  [
    'contains only a webhook of another client',
    () => list(answer({ data: { ...another, webhook_id: 1 }, totalPages: 1 })),
  ],
])('a deactivation disables the stored webhook if the list %s', async (_, change) => {
  change();
  await host.activate();
  expect(await host.deactivate()).toBe(true);
  sandbox.control.setListLag(0);
  expect(statuses()).toEqual(['DISABLED']);
});

test('a deactivation disables a replaced webhook that the list shows later', async () => {
  await host.activate();
  sandbox.control.setListLag(60_000);
  host.parameters = { events: ['*'], options: { webhook_node: '100000000002' } };
  await host.activate();
  expect(await host.deactivate()).toBe(true);
  sandbox.control.setListLag(0);
  expect(statuses()).toEqual(['DISABLED', 'DISABLED']);
});

test('a deactivation has nothing left to do if the service has lost the webhook', async () => {
  await host.activate();
  sandbox.control.reset(false);
  expect(await host.deactivate()).toBe(true);
  expect(JSON.stringify(host.state)).not.toContain('leftActive');
});

test("a webhook belongs to the node if the list shows neither the webhook's label nor its address", async () => {
  await host.activate();
  const webhook_id = idOf(0);
  list(answer({ data: [{ webhook_id, status: 'ACTIVE' }], totalPages: 1 }));
  await host.activate();
  expect(statuses()).toEqual(['ACTIVE']);
  expect(await host.deactivate()).toBe(true);
  expect(statuses()).toEqual(['DISABLED']);
});

test.each([{ label: 'Renamed' }, { label: '' }, { notification_url: 'https://x.example/' }])(
  'a deactivation leaves a webhook unchanged that the list shows with %j',
  async (change) => {
    await host.activate();
    list(answer({ data: [{ webhook_id: String(idOf(0)), status: 'ACTIVE', ...change }], totalPages: 1 }));
    expect(await host.deactivate()).toBe(true);
    expect(statuses()).toEqual(['ACTIVE']);
  },
);

test('an activation fails if the list may lack a webhook', async () => {
  await host.activate();
  list(answer({ data: sandbox.control.state().webhooks, totalRecords: 2 }));
  await expect(host.activate()).rejects.toThrow('announced 2 records but returned 1');
});

test('an activation fails if the list announces no totals and returns the same page for each page number', async () => {
  list(answer({ data: [{ ...another, webhook_id: 1 }] }));
  await expect(host.activate()).rejects.toThrow('returned a page a second time');
  expect(statuses()).toEqual([]);
});

test('a list with a single webhook can be an object', async () => {
  await host.activate();
  list(answer({ data: sandbox.control.state().webhooks[0], totalPages: 1 }));
  await host.activate();
  expect(statuses()).toEqual(['ACTIVE']);
});

test('a deactivation succeeds with unusable parameters', async () => {
  await host.activate();
  host.parameters = { events: [], options: { webhook_node: 'abc' } };
  expect(await host.deactivate()).toBe(true);
  expect(statuses()).toEqual(['DISABLED']);
});
