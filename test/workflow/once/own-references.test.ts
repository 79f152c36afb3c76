import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { recovered } from '../../loop-node';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, sandboxForFile } from '../bench';
import { crashedData, type RunInput } from '../harness';

timeIsSimulated();

const sandbox = sandboxForFile();
const customers = () => sandbox.control.state().customers.slice(0, 3);
const creating = ({ generateReference, ...options }: IDataObject): INodeParameters =>
  ({
    resource: 'invoice',
    operation: 'create',
    customer_id: '={{ $json.customer_id }}',
    invoice_number: '={{ $json.number }}',
    line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 5 }] },
    additionalFields: { ...(generateReference !== undefined && { generateReference }) },
    options,
  }) as INodeParameters;
const rows = (): IDataObject[] =>
  customers().map(({ customer_id }, row) => ({ customer_id, ...(row === 2 && { number: 'OWN-3' }) }));
const bench = benchOf(sandbox, { looksUp: true });
const run = async (parameters: INodeParameters, more?: Partial<RunInput>) => await bench.run(parameters, rows(), more);
const numbers = () =>
  sandbox.control
    .state()
    .invoices.map(({ invoice_number }) => invoice_number ?? '')
    .filter((number) => /^[0-9A-F]{20}$|^OWN/.test(number));

test('generates a different reference for each invoice without a number', async () => {
  const { error } = await run(creating({ generateReference: true }));
  expect(error).toBeUndefined();
  expect(new Set(numbers()).size).toBe(3);
  expect(numbers()).toContain('OWN-3');
});

test('lets the service number invoices without the field', async () => {
  await run(creating({}));
  expect(numbers()).toEqual(['OWN-3']);
});

test('uses the same reference in every attempt and finds a lost write by it', async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply', path: '/platform/invoice', method: 'POST', calls: [1] });
  const off = creating({ generateReference: true, unknownOutcome: 'refuse', sending: { maxParallelRequests: 1 } });
  const failed = await run(off);
  expect(failed.error).toBeDefined();
  const retried = await run(creating({ generateReference: true, sending: { maxParallelRequests: 1 } }), {
    retryOf: failed.run,
  });
  expect(retried.error).toBeUndefined();
  expect(retried.items[0]?.json.found_at_service).toMatch(/^same generated reference/);
  expect(numbers()).toHaveLength(3);
});

test('uses the same references in a retry after n8n was killed and finds a lost write by its reference', async () => {
  const parameters = creating({ generateReference: true, sending: { maxParallelRequests: 1 } });
  const input: RunInput = { rows: rows(), parameters, credential: credentialFor(sandbox), looksUp: true };
  const crashed = crashedData(input);
  sandbox.control.addFault({ kind: 'reset_after_apply', path: '/platform/invoice', method: 'POST', calls: [2] });
  const refusing = creating({ generateReference: true, unknownOutcome: 'refuse', sending: { maxParallelRequests: 1 } });
  await run(refusing, { from: crashed });
  const before = numbers();
  expect(before).toHaveLength(2);
  const retried = await run(parameters, { retryOf: crashed });
  expect(retried.error).toBeUndefined();
  expect(retried.items[1]?.json).toMatchObject({ invoice_number: before[1] });
  expect(retried.items[1]?.json.found_at_service).toMatch(/^same generated reference/);
  expect(numbers()).toHaveLength(3);
});

test('generates different references for two executions that began at the same moment', async () => {
  const parameters = creating({ generateReference: true });
  const input: RunInput = { rows: rows(), parameters, credential: credentialFor(sandbox) };
  const now = Date.now();
  const [one, other] = [crashedData(input, now), crashedData(input, now)];
  await run(parameters, { from: one });
  await run(parameters, { from: other });
  expect(new Set(numbers().filter((number) => number !== 'OWN-3')).size).toBe(4);
});

test('uses the same reference in a retry that n8n counts as another run', async () => {
  sandbox.control.addFault({ kind: 'status', status: 400, code: 2, path: '/platform/invoice', calls: [1] });
  const parameters = creating({ generateReference: true, sending: { maxParallelRequests: 1 } });
  const { run: failed } = await run(parameters);
  // A recovery by n8n adds an artificial run of the node.
  delete failed.data.resultData.runData['Payment Platform'];
  await run(parameters, { retryOf: recovered(failed, ['Payment Platform', 'Done']) });
  const [declined, retried] = sandbox.control.journal({ operationId: 'addInvoice' }).map(({ body }) => body);
  expect(retried).toEqual(declined);
});

test('refuses Generate Reference together with If It Already Exists for an item without a number', async () => {
  const { error } = await run(creating({ generateReference: true, ifExists: { then: 'return' } }));
  expect(error?.message).toContain('"Generate Reference" requires your own reference');
  expect(numbers()).toEqual([]);
});

test('sends the reference as the purchase ID of a subscription', async () => {
  const parameters = {
    resource: 'subscription',
    operation: 'create',
    customer_id: customers()[0]?.customer_id ?? '',
    termsSource: 'plan',
    plan_code: 'MONTHLY25',
    date_start: '2031-01-01',
    additionalFields: { generateReference: true },
  } as INodeParameters;
  const { error } = await run(parameters, { rows: [{}] });
  expect(error).toBeUndefined();
  const [post] = sandbox.control.journal({ operationId: 'addSubscription' });
  expect(post?.body).toMatchObject({ purchase_id: expect.stringMatching(/^[0-9A-F]{20}$/) as string });
});
