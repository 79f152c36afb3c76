import type { IDataObject } from 'n8n-workflow';

import { exampleFiles, readExample } from '../../host/examples';
import type { Execution } from '../../host/rest';
import { itemsOf } from '../../host/rest';
import type { Host } from './host';
import { CREDENTIAL, hosts, startHost } from './host';

describe.each(hosts)('the examples in $name', ({ major }) => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost({ major });
  });
  afterAll(async () => await host.stop());
  beforeEach(() => host.sandbox.control.reset());

  async function execute(file: string): Promise<Execution> {
    const { rest, n8n, credentialId } = host;
    const workflow = readExample(file, n8n.typePrefix, { id: credentialId, name: CREDENTIAL });
    const execution = await rest.execute(await rest.saveWorkflow(workflow), 'Start');
    expect(execution.data.resultData.error?.message).toBeUndefined();
    expect(execution.status).toBe('success');
    return execution;
  }

  test('sign-ups become subscriptions, and a declined one-time fee becomes an invoice', async () => {
    const execution = await execute('subscription-sign-up.json');
    const created = itemsOf(execution, 'Create Subscription');
    const { subscriptions } = host.sandbox.control.state();
    expect(created).toHaveLength(3);
    for (const { subscription_id } of created)
      expect(subscriptions.map((one) => one.subscription_id)).toContain(subscription_id);
    expect(itemsOf(execution, 'Invoice the Fee')).toHaveLength(1);
    expect(itemsOf(execution, 'Welcome')).toHaveLength(2);
  });

  test('the nightly report adds up the transactions of the service', async () => {
    host.sandbox.control.addCapturedSales({ count: 230, amountCents: 1015 });
    const execution = await execute('nightly-transactions.json');
    const report = itemsOf(execution, 'Report');
    const records = itemsOf(execution, 'Transactions Since Yesterday');
    expect(records.length).toBeGreaterThanOrEqual(230);
    expect(new Set(records.map(({ pg_id }) => pg_id)).size).toBe(records.length);
    const sum = (list: IDataObject[], field: string) => list.reduce((all, row) => all + Number(row[field]), 0);
    expect(sum(report, 'transactions')).toBe(records.length);
    expect(sum(report, 'amount')).toBeCloseTo(sum(records, 'amt_tran'), 2);
    expect(sum(report, 'amount')).toBeGreaterThan(2334);
  });

  test('orders become checkout links, an email text with each, and a look-up of what became of them', async () => {
    const execution = await execute('checkout-link.json');
    const emails = itemsOf(execution, 'Email Text');
    expect(emails.map(({ to }) => to)).toEqual(['ana@example.com', 'chidi@example.com', 'maja@example.com']);
    for (const { text, link } of emails) expect(text).toContain(link);
    expect(itemsOf(execution, 'Status')).toMatchObject([
      { order: 'ORDER-5001', paid: false, left_to_pay: 48.5 },
      { order: 'ORDER-5002', paid: false, left_to_pay: 120 },
      { order: 'ORDER-5003', paid: false, left_to_pay: 19.99 },
    ]);
  });

  test('members become one account updater request, whose summary names its cards', async () => {
    const execution = await execute('cards-to-updater.json');
    expect(itemsOf(execution, 'Status')).toMatchObject([
      { status: 'QUEUED', cards: 4, members: ['member-17', 'member-18', 'member-21', 'member-34'], rejected: [] },
    ]);
    expect(host.sandbox.control.journal({ operationId: 'submitAccountUpdater' })).toHaveLength(1);
  });
});

test('every example is executed by a test', () => {
  expect(exampleFiles().sort()).toEqual([
    'cards-to-updater.json',
    'crm-invoices.json',
    'nightly-transactions.json',
    'subscription-sign-up.json',
  ]);
});
