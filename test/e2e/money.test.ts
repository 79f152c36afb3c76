import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INode } from 'n8n-workflow';

import { itemsOf, type Execution } from '../../host/rest';
import { startHost, type Host } from './host';
import { inLine, node, own, rowsInto, rowsNodes } from './workflows';

let host: Host;
beforeAll(async () => {
  host = await startHost();
});
afterAll(async () => await host.stop());

const control = () => host.sandbox.control;
beforeEach(() => control().reset());

function sales(count: number): IDataObject[] {
  control().addCustomers(1);
  const ids = control().addCapturedSales({ count, amountCents: 1000 });
  control().closeBatch();
  control().sendDeposits();
  return ids.map((id, row) => ({ id, amount: 4, row }));
}

const REFUND = 'Refund';
const refundNode = (options: object = {}, more: Partial<INode> = {}, amount = '={{ $json.amount }}'): INode =>
  own(
    host,
    REFUND,
    {
      resource: 'transaction',
      operation: 'refund',
      pg_id: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
      amt_tran: amount,
      options,
    },
    more,
  );
const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
const declines = (row: IDataObject | undefined, calls: 'all' | number[]) =>
  control().addFault({ kind: 'status', status: 402, code: '005', path: pathOf(row), calls });

const pathOf = (row?: IDataObject) => `/pg/refund/${row?.id as string}`;
const entries = (row: IDataObject) =>
  control()
    .journal()
    .filter(({ path }) => path === pathOf(row));
const sent = (rows: IDataObject[]) => rows.map((row) => entries(row).length);
const applied = (rows: IDataObject[]) =>
  rows.map((row) => entries(row).filter((entry) => entry.applied !== null).length);
const once = (rows: IDataObject[]) => rows.map(() => 1);
const errorOf = (execution: Execution) =>
  execution.data.resultData.error as unknown as IDataObject & { message: string; context: { data: IDataObject } };

const execute = async (workflow: Parameters<Host['rest']['saveWorkflow']>[0]) =>
  await host.rest.execute(await host.rest.saveWorkflow(workflow));

test('the service applies each of 20 refunds once if the seventh refund fails twice with Retry On Fail', async () => {
  const rows = sales(20);
  declines(rows[6], [1, 2]);
  const execution = await execute(rowsInto('retry on fail', rows, refundNode({}, retryOnFail)));
  expect(execution.status).toBe('success');
  const refunds = control()
    .state()
    .transactions.filter(({ request_type }) => request_type === 'refund');
  const made = rows.map(({ id }) => refunds.find(({ pg_id_linked }) => pg_id_linked === id)?.pg_id);
  expect(itemsOf(execution, REFUND).map(({ pg_id }) => pg_id)).toEqual(made);
  expect(applied(rows)).toEqual(once(rows));
  expect(sent(rows)).toEqual(rows.map((_, index) => (index === 6 ? 3 : 1)));
});

describe.each([true, false])('A retry of a failed execution with saved progress %s', (saveExecutionProgress) => {
  test.each(['original', 'edited'] as const)(
    "a retry with the %s workflow doesn't resend completed refunds",
    async (version) => {
      const rows = sales(20);
      declines(rows[6], 'all');
      declines(rows[11], 'all');
      const workflow = rowsInto('api retry', rows, refundNode(), { saveExecutionProgress });
      const id = await host.rest.saveWorkflow(workflow);
      const failed = await host.rest.execute(id);
      expect(failed.status).toBe('error');
      expect(Math.max(...applied(rows))).toBe(1);
      control().clearFaults();
      if (version === 'edited')
        await host.rest.updateWorkflow(id, {
          nodes: rowsInto('api retry', rows, refundNode({ sending: { maxParallelRequests: 3 } })).nodes,
        });
      const retried = await host.rest.executions.retry(failed.id, { loadWorkflow: version === 'edited' });
      expect(retried.status).toBe('success');
      expect(applied(rows)).toEqual(once(rows));
      expect(new Set(itemsOf(retried, REFUND).map(({ pg_id }) => pg_id)).size).toBe(20);
    },
  );
});

test('a retry recognizes completed items even if their invoice numbers contain the time of day', async () => {
  const rows = [{ row: 0 }, { row: 1 }, { row: 2 }];
  const create = own(host, 'Create Invoice', {
    resource: 'invoice',
    operation: 'create',
    customer_id: { __rl: true, mode: 'id', value: control().state().customers[0]?.customer_id },
    invoice_number: '={{ "T" + $json.row + "-" + $now.toMillis() }}',
    line_items: { item: [{ quantity: 1, description: 'Service', unit_cost: 5 }] },
    options: { sending: { maxParallelRequests: 1 } },
  });
  control().addFault({ kind: 'status', status: 400, code: 2, operationId: 'createInvoice', calls: [3] });
  const failed = await execute(rowsInto('time of day', rows, create));
  expect(failed.status).toBe('error');
  const retried = await host.rest.executions.retry(failed.id, { loadWorkflow: false });
  expect(itemsOf(retried, 'Create Invoice')).toHaveLength(3);
  // The rows contain no contact, so the node must read the contact from the customer.
  for (const { what_happened: told } of itemsOf(retried, 'Create Invoice'))
    expect(told).toMatch(/^Created draft invoice .+ for .+@.+\.$/);
  const made = control()
    .state()
    .invoices.filter(({ invoice_number }) => invoice_number?.startsWith('T'));
  expect(made).toHaveLength(3);
});

test('the node refuses an edited item until the user resolves the item by its code', async () => {
  const rows = sales(5);
  declines(rows[4], 'all');
  const id = await host.rest.saveWorkflow(rowsInto('edited item', rows, refundNode()));
  const failed = await host.rest.execute(id);
  control().clearFaults();
  const edited = async (options: object) => {
    const last = refundNode(options, {}, '={{ $json.row === 0 ? 1 : $json.amount }}');
    await host.rest.updateWorkflow(id, { nodes: rowsInto('edited item', rows, last).nodes });
  };
  await edited({});
  const refused = await host.rest.executions.retry(failed.id, { loadWorkflow: true });
  expect(refused.status).toBe('error');
  expect(applied(rows)).toEqual(once(rows));
  const [told] = errorOf(refused).context.data.failed as IDataObject[];
  expect(told).toMatchObject({ item: 0, outcome: 'doneBefore' });
  await edited({ unknownOutcome: 'resolve', resolve: { item: [{ code: told?.resolveCode, finding: 'notApplied' }] } });
  expect((await host.rest.executions.retry(refused.id, { loadWorkflow: true })).status).toBe('success');
  expect(applied(rows)).toEqual([2, 1, 1, 1, 1]);
  expect(entries(rows[0] as IDataObject).map(({ body }) => (body as IDataObject).amt_tran)).toEqual([4, 1]);
});

test('the node sends equal refunds in later rounds of a loop, but repeats no refund when n8n retries a round', async () => {
  const [row] = sales(1) as [IDataObject];
  const rows = Array.from({ length: 6 }, () => ({ ...row, amount: 1 }));
  declines(row, [5]);
  const workflow = {
    ...rowsInto('loop', rows, refundNode()),
    nodes: [
      ...rowsNodes(rows),
      node('Loop', 'n8n-nodes-base.splitInBatches', { batchSize: 2, options: {} }, { typeVersion: 3 }),
      refundNode(),
    ],
    connections: {
      ...inLine('Start', 'Data', 'Rows', 'Loop'),
      Loop: { main: [[], [{ node: REFUND, type: 'main' as const, index: 0 }]] },
      [REFUND]: { main: [[{ node: 'Loop', type: 'main' as const, index: 0 }]] },
    },
  };
  const id = await host.rest.saveWorkflow(workflow);
  const failed = await host.rest.execute(id);
  expect(failed.status).toBe('error');
  const retried = await host.rest.executions.retry(failed.id, { loadWorkflow: false });
  expect(retried.status).toBe('success');
  expect(entries(row).filter((entry) => entry.applied !== null)).toHaveLength(6);
});

describe('A connection that breaks after a refund', () => {
  const modes = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
  test.each(modes.flatMap((onError) => [1, 5, 20].map((parallel) => ({ onError, parallel }))))(
    'the unknown outcome is reported, and no refund is applied twice with $onError and Max Parallel Requests $parallel',
    async ({ onError, parallel }) => {
      control().reset();
      const last = refundNode(
        { sending: { maxParallelRequests: parallel }, unknownOutcome: 'refuse' },
        { ...retryOnFail, onError },
      );
      const id = await host.rest.saveWorkflow(rowsInto('broken connection', sales(20), last));
      for (let broken = 0; broken < 20; broken += 1) {
        // After a reset, the sandbox assigns the same IDs again, so the saved workflow refunds the new sales.
        control().reset();
        const rows = sales(20);
        control().addFault({ kind: 'reset_after_apply', path: pathOf(rows[broken]) });
        const execution = await host.rest.execute(id);
        expect(applied(rows)).toEqual(once(rows));
        expect(sent(rows)).toEqual(once(rows));
        if (onError === 'stopWorkflow') {
          expect(errorOf(execution).message).toMatch(new RegExp(`^Row ${broken + 1} of 20 \\(`));
          expect(errorOf(execution).context.data.outcome).toBe('unknown');
        } else {
          const output = itemsOf(execution, REFUND, onError === 'continueErrorOutput' ? 1 : 0);
          const errors = output.flatMap(({ error }) => (error ? [error] : []));
          expect(errors).toMatchObject([{ outcome: 'unknown', references: { pg_id_linked: rows[broken]?.id } }]);
        }
      }
    },
  );
});

test('the node completes a refund with a lost response if the report contains the refund', async () => {
  // After a reset, the sandbox repeats IDs, and records with these IDs belong to earlier executions.
  control().addCapturedSales({ count: 3000, amountCents: 100 });
  const rows = sales(5);
  control().addFault({ kind: 'reset_after_apply', path: pathOf(rows[2]) });
  const execution = await execute(rowsInto('looked up', rows, refundNode({}, retryOnFail)));
  expect(execution.status).toBe('success');
  expect(itemsOf(execution, REFUND).map(({ found_at_service: found }) => typeof found)).toEqual(
    rows.map((_, index) => (index === 2 ? 'string' : 'undefined')),
  );
  expect(sent(rows)).toEqual(once(rows));
});

test('the node completes a subscription with a lost response if the list contains a new subscription', async () => {
  control().addCustomers(1);
  const subscribe = own(host, 'Subscribe', {
    resource: 'subscription',
    operation: 'create',
    customerSource: 'existing',
    customer_id: { __rl: true, mode: 'id', value: control().state().customers[0]?.customer_id },
    termsSource: 'offPlan',
    recur_amt: '={{ $json.amount }}',
    endsAfter: 'cancellation',
    date_start: '2099-01-01',
  });
  control().addFault({ kind: 'reset_after_apply', operationId: 'addSubscription', calls: [2] });
  const rows = [{ amount: 5 }, { amount: 6 }];
  const execution = await execute(rowsInto('subscription looked up', rows, subscribe));
  expect(execution.status).toBe('success');
  expect(itemsOf(execution, 'Subscribe').map(({ found_at_service: found }) => found)).toEqual([
    undefined,
    'same generated reference, not there before',
  ]);
  expect(control().state().subscriptions).toHaveLength(2);
});

test('the node creates each of 1,000 invoices once at 50 requests per second', async () => {
  control().addCustomers(1);
  control().setRateLimit(50);
  const rows = Array.from({ length: 1000 }, (_, index) => ({ number: `R${index}` }));
  const create = own(host, 'Create Invoice', {
    resource: 'invoice',
    operation: 'create',
    customer_id: { __rl: true, mode: 'id', value: control().state().customers[0]?.customer_id },
    invoice_number: '={{ $json.number }}',
    line_items: { item: [{ quantity: 1, description: 'Service', unit_cost: 5 }] },
    options: { sending: { retryTime: 600 } },
  });
  const execution = await execute(rowsInto('rate limit', rows, create));
  expect(execution.status).toBe('success');
  expect(itemsOf(execution, 'Create Invoice').map(({ invoice_number }) => invoice_number)).toEqual(
    rows.map(({ number }) => number),
  );
  const created = control()
    .state()
    .invoices.filter(({ invoice_number }) => /^R\d+$/.test(invoice_number ?? ''));
  expect(created).toHaveLength(1000);
});

test('no refund is sent twice if n8n is killed during a run and restarted', async () => {
  const rows = sales(40);
  control().addLatency({ milliseconds: 100 });
  const id = await host.rest.saveWorkflow(
    rowsInto('killed', rows, refundNode({ sending: { maxParallelRequests: 2 } })),
  );
  await host.rest.start(id);
  while (control().journal({ operationId: 'refund' }).length < 10) await sleep(20);
  await host.n8n.kill();
  // Waits for the request in transit, which takes effect even after n8n is killed.
  await sleep(500);
  const atKill = sent(rows);
  expect(atKill.reduce((sum, count) => sum + count)).toBeLessThan(40);
  await host.n8n.restart();
  // Waits, because n8n may resume interrupted executions after a restart.
  await sleep(5000);
  expect(sent(rows)).toEqual(atKill);
  expect(Math.max(...applied(rows))).toBe(1);
});

test('the node creates one link per key in two executions and releases the key after a decline', async () => {
  const rows = [{ deal: 'D-1' }, { deal: 'D-2' }, { deal: 'D-3' }];
  const link = own(
    host,
    'Link',
    {
      resource: 'api',
      operation: 'request',
      method: 'POST',
      path: '/platform/checkout',
      body: '{ "amt_tran": 12.5, "checkout_profile_id": 3002 }',
      options: { oncePerKey: '={{ $json.deal }}', sending: { maxParallelRequests: 1 } },
    },
    { onError: 'continueRegularOutput' },
  );
  control().addFault({ kind: 'status', status: 400, code: 2, path: '/platform/checkout', calls: [2] });
  const id = await host.rest.saveWorkflow(rowsInto('once per key', rows, link));
  const outcomes = async () =>
    itemsOf(await host.rest.execute(id), 'Link').map(
      ({ error }) => (error as IDataObject | undefined)?.outcome ?? 'done',
    );
  expect(await outcomes()).toEqual(['done', 'declined', 'done']);
  expect(await outcomes()).toEqual(['doneBefore', 'done', 'doneBefore']);
  expect(await outcomes()).toEqual(['doneBefore', 'doneBefore', 'doneBefore']);
  expect(control().journal({ operationId: 'addCheckout' })).toHaveLength(4);
});
