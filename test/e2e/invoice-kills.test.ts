import { setTimeout as sleep } from 'node:timers/promises';

import { itemsOf } from '../../host/rest';
import { major, PASSWORD, startHost, type Host } from './host';
import { outcomeOf, report } from './refund-bench';
import { calledRowsInto, own } from './workflows';

const CREATE = 'Create Invoice';
/** Times of the kills after a preview's first request. */
const KILL_DELAYS_MS = [0, 100, 250, 400];
const rows = Array.from({ length: 24 }, (_, index) => ({ number: `KILL-${index}` }));

let host: Host;
beforeAll(async () => {
  host = await startHost();
});
afterAll(async () => await host.stop());

const control = () => host.sandbox.control;

/** Returns how many invoices of each row exist, and how often they were sent. */
function counts() {
  const { invoices, notices } = control().state();
  return rows.map(({ number }) => {
    const ids = new Set<unknown>(invoices.filter((one) => one.invoice_number === number).map((one) => one.invoice_id));
    return { created: ids.size, sent: notices.filter((one) => ids.has(one.invoice_id)).length };
  });
}

test.each(['createInvoice', 'sendInvoice'])(
  'each invoice is created and sent at most once in retries after n8n was killed during %s',
  async (operationId) => {
    control().reset();
    control().addCustomers(1);
    control().addLatency({ milliseconds: 150 });
    const node = own(
      host,
      CREATE,
      {
        resource: 'invoice',
        operation: 'create',
        customer_id: { __rl: true, mode: 'id', value: control().state().customers[0]?.customer_id },
        invoice_number: '={{ $json.number }}',
        line_items: { item: [{ quantity: 1, description: 'Service', unit_cost: 5 }] },
        sendNow: true,
        email_address: 'ana@example.com',
        options: { sending: { maxParallelRequests: 5 } },
      },
      { onError: 'continueRegularOutput' },
    );
    const id = await host.rest.saveWorkflow(calledRowsInto(`invoices-${operationId}`, rows, node));
    await host.rest.activate(id);
    void fetch(`${host.n8n.baseUrl}/webhook/invoices-${operationId}`, { method: 'POST' }).catch(() => undefined);
    while (control().journal({ operationId }).length < 8) await sleep(20);
    await host.n8n.kill();
    control().clearLatency();
    // Waits for the requests in transit, which take effect even after n8n was killed.
    await sleep(500);
    const before = counts();
    await host.n8n.restart();
    await host.rest.signIn(PASSWORD);
    const [crashed] = await host.rest.executions.list(id);
    if (!crashed) throw new Error('There is no execution');
    await host.rest.executions.waitFor(crashed.id);
    for (const attempt of [1, 2]) {
      const retried = await host.rest.executions.retry(crashed.id, { loadWorkflow: false });
      const items = itemsOf(retried, CREATE);
      const after = counts();
      report(`n8n ${major}, retry ${attempt}`, { before, after, items: items.map(outcomeOf) });
      expect(items).toHaveLength(rows.length);
      for (const [row, { created, sent }] of after.entries()) {
        expect([row, created <= 1, sent <= 1]).toEqual([row, true, true]);
        const item = items[row] ?? {};
        if (outcomeOf(item) === 'unknown') continue;
        // A row that is not unknown is done, and its output names its invoice.
        expect([row, outcomeOf(item), created, sent]).toEqual([row, 'done', 1, 1]);
        expect(item).toMatchObject({ invoice_id: expect.any(String) as string });
      }
    }
  },
);

test('a preview that was killed with n8n uses no key', async () => {
  control().reset();
  const customers = control().addCustomers(rows.length);
  const node = own(
    host,
    CREATE,
    {
      resource: 'invoice',
      operation: 'create',
      customer_id: '={{ $json.customer }}',
      invoice_number: '={{ $json.number }}',
      line_items: { item: [{ quantity: 1, description: 'Service', unit_cost: 5 }] },
      options: {
        oncePerKey: '={{ $json.number }}',
        previewOnly: "={{ $('Start').first().json.query.preview === 'yes' }}",
        sending: { maxParallelRequests: 5 },
      },
    },
    { onError: 'continueRegularOutput' },
  );
  const data = rows.map((row, index) => ({ ...row, customer: customers[index] }));
  const id = await host.rest.saveWorkflow(calledRowsInto('previewed-invoices', data, node));
  await host.rest.activate(id);
  const call = async (query: string) =>
    await fetch(`${host.n8n.baseUrl}/webhook/previewed-invoices${query}`, { method: 'POST' }).catch(() => undefined);
  for (const delayMs of KILL_DELAYS_MS) {
    control().clearJournal();
    control().addLatency({ milliseconds: 100 });
    void call('?preview=yes');
    while (control().journal({ operationId: 'getCustomer' }).length === 0) await sleep(5);
    await sleep(delayMs);
    await host.n8n.kill();
    control().clearLatency();
    await host.n8n.restart();
    await host.rest.signIn(PASSWORD);
  }
  expect(control().journal({ operationId: 'createInvoice' })).toEqual([]);
  await call('');
  const [execution] = await host.rest.executions.list(id);
  const items = itemsOf(await host.rest.executions.waitFor(execution?.id ?? ''), CREATE);
  expect(items.map(outcomeOf)).toEqual(rows.map(() => 'done'));
  expect(counts()).toEqual(rows.map(() => ({ created: 1, sent: 0 })));
});
