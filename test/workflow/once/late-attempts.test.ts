import { sleep, type IDataObject } from 'n8n-workflow';

import { KeyRow } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { timeIsSimulated } from '../../simulated-time';
import { charging, sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';
import { keyBench, keyed, outcomes, some } from './key-bench';

timeIsSimulated();
const sandbox = sandboxForFile();
const { input, run, applied } = keyBench(sandbox);

test('a run that stops frees no key of a payment that it never sent and that another process paid', async () => {
  sandbox.control.addCustomers(60);
  const customers = sandbox.control.state().customers.map(({ customer_id }) => customer_id);
  const rows = some(60).map((row, index) => ({ ...row, customer: customers[index] ?? '' }));
  const charges = (options: IDataObject = {}) =>
    keyed({ sending: { maxParallelRequests: 2 }, ...options }, charging({}, { customer_id: '={{ $json.customer }}' }));
  // The connection of the first payment breaks, and its look-up takes minutes.
  sandbox.control.addFault({ kind: 'timeout', operationId: 'sale', calls: [1], holdMilliseconds: 3_000 });
  const stopped = run(rows, charges(), { onError: undefined, looksUp: true });
  await sleep(2_000);
  sandbox.control.addFault({ kind: 'timeout', method: 'GET', calls: 'all' });
  await sleep(168_000);
  sandbox.control.clearFaults();
  for (const options of [{ unknownOutcome: 'resend' }, {}]) {
    // Another process has its own memory.
    KeyRow.workflows.clear();
    await run(rows, charges(options), { looksUp: true });
    await stopped;
  }
  const references = sandbox.control
    .journal({ operationId: 'sale' })
    .flatMap(({ body, applied: one }) => (one === null ? [] : [(body as IDataObject).merch_ref_num]));
  expect(references.filter((one, index) => references.indexOf(one) < index)).toEqual([]);
  // The outcome of the first payment can stay unknown.
  expect(references.length).toBeGreaterThan(58);
});

describe('payments whose search for duplicates fails after minutes', () => {
  const own = { additionalFields: { merch_ref_num: '={{ $json.deal }}' } };
  const once = charging({ ifExists: { then: 'return' } }, own);
  const withKey = keyed({ ifExists: { then: 'return' } }, charging({}, own));

  /** The first page of the report takes 50 seconds, and the second page never comes. */
  async function slowPages(calls: number[]) {
    sandbox.control.addCapturedSales({ count: 250, amountCents: 1000 });
    sandbox.control.addLatency({ method: 'GET', milliseconds: 50_000 });
    await sleep(20_000);
    sandbox.control.addFault({ kind: 'timeout', method: 'GET', calls });
    await sleep(60_000);
    sandbox.control.clearLatency();
  }

  test('are sent by the next attempt', async () => {
    const running = run(some(4), withKey, { looksUp: true });
    await slowPages([1, 2]);
    expect(outcomes(await running)).toEqual(['done', 'done', 'done', 'done']);
    expect(applied()).toBe(4);
  });

  test.each([
    ['a key', withKey],
    ['no key', once],
  ])('can be sent by a retry if the service declines the next attempt (%s)', async (_, parameters) => {
    // The next attempt begins at once.
    jest.spyOn(Math, 'random').mockReturnValue(0.02);
    const given = input(some(4), parameters, { looksUp: true, onError: undefined });
    sandbox.control.addFault({ kind: 'status', status: 400, code: 2, operationId: 'sale', calls: [1] });
    const running = runWorkflow(given);
    await slowPages([1]);
    const stopped = await running;
    await sleep(3_600_000);
    const retried = await runWorkflow({ ...given, onError: 'continueRegularOutput', retryOf: stopped.run });
    expect(outcomes(retried)).toEqual(['done', 'done', 'done', 'done']);
    jest.restoreAllMocks();
  });
});
