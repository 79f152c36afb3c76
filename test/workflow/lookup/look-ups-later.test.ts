import type { INodeParameters } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, goOn, outcomes, sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';
import { box } from '../resources/plan-bench';
import { idOf, listedWrites, recordWrites, subscription } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const { input } = benchOf(sandbox);
const sent = (operationId: string) =>
  sandbox.control.journal().filter((entry) => entry.operationId === operationId).length;

async function retried({
  operationId,
  parameters,
}: {
  operationId: string;
  parameters: () => Promise<INodeParameters>;
}) {
  const given = await parameters();
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId });
  const failed = await runWorkflow(input(given));
  sandbox.control.clearFaults();
  const outcome = outcomes(await runWorkflow(input(given, [{}], { ...goOn, looksUp: true, retryOf: failed.run })));
  expect(sent(operationId)).toBe(1);
  return outcome;
}

const TOLD = new Set([
  'addSubscription',
  'sendInvoice',
  'cancelInvoice',
  'copyInvoice',
  'removeInvoicePayment',
  'updatePayeeAccount',
  'addPayee',
  'capture',
  'recharge',
  'voidTransaction',
]);
const WRITES = [...listedWrites(sandbox), ...recordWrites(sandbox)];

test.each(WRITES.filter(({ operationId }) => TOLD.has(operationId)))(
  'finds $operationId in a retry by values that identify it at any time',
  async (write) => expect(await retried(write)).toEqual(['found']),
);

test.each(WRITES.filter(({ operationId }) => !TOLD.has(operationId)))(
  'reports $operationId as unknown in a retry, because the earlier state is no longer known',
  async (write) => expect(await retried(write)).toEqual(['unknown']),
);

describe('a subscription that already exists', () => {
  const again = () => subscription(sandbox, { options: { ifExists: { then: 'return' } } });
  const subscriptions = () => sandbox.control.state().subscriptions.length;

  test('a subscription that already exists is returned for equal terms and created again for other terms', async () => {
    expect(outcomes(await runWorkflow(input(again())))).toEqual(['done']);
    expect(outcomes(await runWorkflow(input(again())))).toEqual(['found']);
    expect(subscriptions()).toBe(1);
    expect(outcomes(await runWorkflow(input({ ...again(), recur_amt: 11 })))).toEqual(['done']);
    expect(subscriptions()).toBe(2);
  });
});

describe('an API request with a look-up path', () => {
  const path = '/platform/vault/customer';
  const post = (id: string, lookUpPath = `${path}/${id}`): INodeParameters => ({
    resource: 'api',
    operation: 'request',
    method: 'POST',
    path,
    body: JSON.stringify({ customer_id: id, customer_first_name: 'Ana', customer_last_name: 'Silva' }),
    additionalFields: { lookUpPath },
  });
  const run = async (parameters: INodeParameters) =>
    await runWorkflow(input(parameters, [{}], { ...goOn, looksUp: true }));
  const cut = (kind: 'reset_after_apply' | 'reset_before_apply') => sandbox.control.addFault({ kind, method: 'POST' });

  test('an API request with a look-up path is done if a record appears at the path after a lost response', async () => {
    cut('reset_after_apply');
    const output = await run(post('NEW1'));
    expect(outcomes(output)).toEqual(['found']);
    expect(output.items[0]?.json).toMatchObject({
      customer_id: 'NEW1',
      found_at_service: 'a record exists at the path, not there before',
    });
  });

  test('an API request with a look-up path stays unknown if no record appears at the path', async () => {
    cut('reset_before_apply');
    const output = await run(post('NEW1'));
    expect(outcomes(output)).toEqual(['unknown']);
    expect(JSON.stringify(output.items)).toMatch(
      /the node had checked .* 3 times .* without finding a match\. The record may still appear/,
    );
  });

  test('an API request with a look-up path stays unknown if a record existed at the path before', async () => {
    await run(post('NEW1'));
    cut('reset_before_apply');
    const output = await run(post('NEW1'));
    expect(outcomes(output)).toEqual(['unknown']);
    expect(JSON.stringify(output.items)).toMatch(
      /can't tell which records are new: a record existed before the request/,
    );
  });

  test("an API request with a look-up path is refused if the look-up path isn't documented as a read", async () => {
    expect(outcomes(await run(post('NEW1', '/platform/dispute/1/accept')))).toEqual(['invalid']);
    expect(outcomes(await run(post('NEW1', 'https://example.com/x')))).toEqual(['invalid']);
    expect(sandbox.control.journal()).toEqual([]);
  });

  test('sends no look-up without a path', async () => {
    await run(post('NEW1', ''));
    expect(sandbox.control.journal().map(({ method }) => method)).toEqual(['POST']);
  });
});

describe.each<[string, INodeParameters]>([
  ['Plan > Create or Update of a new plan', { resource: 'plan', operation: 'upsert', ...box }],
  [
    'Plan > Create or Update of a plan that exists',
    { resource: 'plan', operation: 'upsert', ...box, own_plan_code: 'MONTHLY25' },
  ],
  ['Plan > Update', { resource: 'plan', operation: 'update', plan_code: idOf('MONTHLY25'), plan_name: 'Garden' }],
  ['Plan > Archive', { resource: 'plan', operation: 'archive', plan_code: idOf('MONTHLY25') }],
  ['Plan > Delete', { resource: 'plan', operation: 'delete', plan_id: idOf('401') }],
  [
    'Customer > Create or Update of a new customer',
    {
      ...{ resource: 'customer', operation: 'upsert', own_customer_id: 'NEW7' },
      ...{ customer_first_name: 'Ana', customer_last_name: 'Silva' },
    },
  ],
  [
    'Customer > Create or Update of a customer who exists',
    { resource: 'customer', operation: 'upsert', own_customer_id: 'CUST0001', customer_first_name: 'Ana' },
  ],
])('%s with a lost response', (_, parameters) => {
  const writes = () => sandbox.control.journal().filter(({ method }) => method !== 'GET');
  const lose = async (kind: 'reset_after_apply' | 'reset_before_apply') => {
    for (const method of ['POST', 'PUT', 'DELETE']) sandbox.control.addFault({ kind, method });
    const failed = await runWorkflow(input(parameters));
    sandbox.control.clearFaults();
    expect(failed.error?.description).toMatch(/Running this item again is safe/);
    return { ...goOn, looksUp: true, retryOf: failed.run };
  };

  test('a retry treats a change with a lost response as completed if the record equals the item', async () => {
    const retry = await lose('reset_after_apply');
    const retried = await runWorkflow(input(parameters, [{}], retry));
    expect(outcomes(retried)).toEqual(['found']);
    expect(retried.hints.join()).toMatch(/the node found a matching record at the service/);
    expect(writes()).toHaveLength(1);
  });

  test('a change with a lost response stays unknown in a retry if the record differs, and the message states the difference', async () => {
    const retry = await lose('reset_before_apply');
    const retried = await runWorkflow(input(parameters, [{}], retry));
    expect(outcomes(retried)).toEqual(['unknown']);
    expect(JSON.stringify(retried.items)).toMatch(
      /At \d{4}-\d\d-\d\d \d\d:\d\d [\w/]+, the service did not show the requested change/,
    );
    expect(writes()).toHaveLength(1);
  });

  test("a change with a lost response stays unknown in a retry and says so if the service doesn't respond", async () => {
    const retry = await lose('reset_after_apply');
    sandbox.control.addFault({ kind: 'status', status: 403, code: 6, method: 'GET' });
    const retried = await runWorkflow(input(parameters, [{}], retry));
    expect(outcomes(retried)).toEqual(['unknown']);
    expect(JSON.stringify(retried.items)).toMatch(/could not read the current records/);
    expect(writes()).toHaveLength(1);
  });
});
