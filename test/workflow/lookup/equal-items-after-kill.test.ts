import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { recovered } from '../../loop-node';
import { timeIsSimulated } from '../../simulated-time';
import { capturedSales, goOn, oneByOne, outcomes, refundBench, sandboxForFile } from '../bench';
import { crashedData, runWorkflow, type RunInput, type RunOutput } from '../harness';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const { input: inputOf, pathOf, appliedTo } = refundBench(sandbox, { looksUp: true, ...goOn });
const input = (rows: IDataObject[], options: IDataObject = {}) => inputOf(rows, { parameters: oneByOne(options) });

/** Runs equal refunds and simulates killing n8n afterwards. The service declines all refunds except one. */
async function killedAfter(count: number, completed: number) {
  const [sale] = capturedSales(sandbox, 1);
  const rows = Array.from({ length: count }, () => ({ ...sale, amount: 2 }));
  const calls = rows.flatMap((_, row) => (row === completed ? [] : [row + 1]));
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(sale), calls });
  const crashed = crashedData(input(rows));
  await runWorkflow({ ...input(rows), from: crashed });
  expect(appliedTo(sale)).toBe(1);
  return { sale, rows, crashed };
}

test.each([0, 1, 2])(
  'an item is refused if the existing record may belong to an equal item, and the killed execution completed item %i',
  async (completed) => {
    const { sale, rows, crashed } = await killedAfter(3, completed);
    const retried = await runWorkflow({ ...input(rows, { ifExists: { then: 'return' } }), retryOf: crashed });
    expect(outcomes(retried)).toEqual(rows.map((_, row) => (row === completed ? 'done before' : 'invalid')));
    const refused = retried.items[completed === 0 ? 1 : 0]?.json.error as IDataObject;
    expect(refused.message).toMatch(/^A matching record may already exist: pg_id \w+ is in the transaction report/);
    expect(appliedTo(sale)).toBe(1);
  },
);

test('an item with a lost response stays unknown if the record may belong to an equal item of the killed execution', async () => {
  const { sale, rows, crashed } = await killedAfter(2, 1);
  sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(sale), calls: [1] });
  const retried = await runWorkflow({ ...input(rows), retryOf: crashed });
  expect(outcomes(retried)).toEqual(['unknown', 'done before']);
  expect(appliedTo(sale)).toBe(1);
});

test('an item with a lost response stays unknown if another worker of n8n 1 completed an equal item', async () => {
  const [sale] = capturedSales(sandbox, 1);
  const rows = Array.from({ length: 2 }, () => ({ ...sale, amount: 2 }));
  const onWorker = async () => {
    const data = crashedData(input(rows));
    const { executionData } = data.data;
    if (executionData) executionData.runtimeData = { version: 1, establishedAt: Date.now(), source: 'trigger' };
    return await runWorkflow({ ...input(rows), from: data, executionId: 'stalled' });
  };
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(sale), calls: [1] });
  await onWorker();
  sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(sale), calls: [1] });
  expect(outcomes(await onWorker())).toEqual(['unknown', 'done before']);
  expect(appliedTo(sale)).toBe(1);
});

test('an item without a duplicate search is sent although an equal item of the killed execution is done', async () => {
  const { sale, rows, crashed } = await killedAfter(2, 1);
  const retried = await runWorkflow({ ...input(rows), retryOf: crashed });
  expect(outcomes(retried)[0]).toBe('done');
  expect(retried.items[1]?.json).not.toHaveProperty('error');
  expect(appliedTo(sale)).toBe(2);
});

test('an invoice without a number is refused if the existing record may belong to a numbered invoice of the killed execution', async () => {
  sandbox.control.addCustomers(1);
  const customer = sandbox.control.state().customers[0]?.customer_id;
  const invoices = (options: IDataObject): RunInput => ({
    ...input([{ customer }, { customer, number: 'INV-5' }]),
    parameters: {
      resource: 'invoice',
      operation: 'create',
      customer_id: '={{ $json.customer }}',
      invoice_number: '={{ $json.number }}',
      line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 10 }] },
      options: { ...options, sending: { maxParallelRequests: 1 } } as INodeParameters,
    },
  });
  sandbox.control.addFault({ kind: 'status', status: 400, code: 6, method: 'POST', calls: [1] });
  const crashed = crashedData(invoices({}));
  const killed = await runWorkflow({ ...invoices({}), from: crashed });
  expect(outcomes(killed)).toEqual(['declined', 'done']);
  const retried = await runWorkflow({ ...invoices({ ifExists: { then: 'return' } }), retryOf: crashed });
  expect(outcomes(retried)).toEqual(['invalid', 'done before']);
});

describe('a retry of a killed loop', () => {
  type Fault = Parameters<typeof sandbox.control.addFault>[0];
  const inLoop = (rows: IDataObject[], options: IDataObject = {}): RunInput => ({
    ...input(rows, options),
    batchSize: 1,
  });
  const runsOf = ({ run }: RunOutput) => run.data.resultData.runData['Payment Platform'] ?? [];
  const ended = (output: RunOutput) => {
    const items = runsOf(output).flatMap(({ data }) => data?.main?.[0] ?? []);
    return outcomes({ items: items.filter(({ json }) => !json.isArtificialRecoveredEventItem) });
  };
  const faultOf = (sale: IDataObject | undefined, ...calls: number[]) => ({ path: pathOf(sale), calls });
  const declined = { kind: 'status', status: 402, code: '005' } as const;
  const notApplied = { kind: 'reset_before_apply' } as const;
  const applied = { kind: 'reset_after_apply' } as const;

  /** Returns rows that differ only in a number that the node doesn't send. */
  function equalRows(count: number) {
    const [sale] = capturedSales(sandbox, 1);
    return { sale, rows: Array.from({ length: count }, (_, number) => ({ ...sale, amount: 2, number })) };
  }

  /** Runs a loop without look-ups, and simulates killing n8n after the last row. */
  async function killedLoop(rows: IDataObject[], ...faults: Fault[]) {
    for (const fault of faults) sandbox.control.addFault(fault);
    const crashed = crashedData(inLoop(rows));
    await runWorkflow({ ...inLoop(rows), looksUp: false, from: crashed });
    sandbox.control.clearFaults();
    return recovered(crashed, ['Rows', 'Payment Platform', 'Loop']);
  }

  test.each([
    [1, 1, [1]],
    [2, 1, [1, 2]],
    [4, 3, [1, 2, 3, 4]],
  ])(
    'leaves a lost response unknown if the record may belong to a later equal item (%i items before it, batch size %i)',
    async (before, batchSize, calls) => {
      const { sale, rows } = equalRows(before + 1);
      const crashed = await killedLoop(rows, { ...declined, ...faultOf(sale, ...calls) });
      expect(appliedTo(sale)).toBe(1);
      sandbox.control.addFault({ ...notApplied, ...faultOf(sale, 1) });
      const retried = await runWorkflow({ ...inLoop(rows), batchSize, retryOf: crashed });
      expect(ended(retried)).toEqual(['unknown', ...Array<string>(before - 1).fill('done'), 'done before']);
      expect(appliedTo(sale)).toBe(before);
    },
  );

  test('leaves an unknown item unknown if the record may belong to a later equal item', async () => {
    const { sale, rows } = equalRows(2);
    const crashed = await killedLoop(rows, { ...notApplied, ...faultOf(sale, 1) });
    const retried = await runWorkflow({ ...inLoop(rows), retryOf: crashed });
    expect(ended(retried)).toEqual(['unknown', 'done before']);
    expect(appliedTo(sale)).toBe(1);
  });

  test('refuses an item if the existing record may belong to a later equal item', async () => {
    const { sale, rows } = equalRows(2);
    const crashed = await killedLoop(rows, { ...declined, ...faultOf(sale, 1) });
    const retried = await runWorkflow({ ...inLoop(rows, { ifExists: { then: 'return' } }), retryOf: crashed });
    // The second item is done, and no other item got its record.
    expect(ended(retried)).toEqual(['invalid', 'found']);
    expect(appliedTo(sale)).toBe(1);
  });

  test('finds the records of different items', async () => {
    const rows = capturedSales(sandbox, 3).map((sale) => ({ ...sale, amount: 2 }));
    const crashed = await killedLoop(rows, { ...applied, ...faultOf(rows[0], 1) });
    sandbox.control.addFault({ ...applied, ...faultOf(rows[2], 1) });
    const retried = await runWorkflow({ ...inLoop(rows), retryOf: crashed });
    expect(ended(retried)).toEqual(['found', 'found', 'found']);
    expect(rows.map(appliedTo)).toEqual([1, 1, 1]);
  });

  test('sends an item again if a person states that the record belongs to a later equal item', async () => {
    const { sale, rows } = equalRows(2);
    const crashed = await killedLoop(rows, { ...notApplied, ...faultOf(sale, 1) });
    const stopping = { ...inLoop(rows), onError: 'stopWorkflow' } as const;
    const stopped = await runWorkflow({ ...stopping, retryOf: structuredClone(crashed) });
    const [told] = (runsOf(stopped).at(-1)?.error as unknown as { context: { data: { failed: IDataObject[] } } })
      .context.data.failed;
    const options = {
      unknownOutcome: 'resolve',
      resolve: { item: [{ code: told?.resolveCode, finding: 'notApplied' }] },
    };
    const resolved = await runWorkflow({ ...stopping, ...inLoop(rows, options), retryOf: stopped.run });
    expect(ended(resolved)).toEqual(['done', 'found']);
    expect(appliedTo(sale)).toBe(2);
  });

  test('sends no item again with Send Again if the record may belong to a later equal item', async () => {
    const { sale, rows } = equalRows(2);
    const crashed = await killedLoop(rows, { ...notApplied, ...faultOf(sale, 1) });
    const retried = await runWorkflow({ ...inLoop(rows, { unknownOutcome: 'resend' }), retryOf: crashed });
    expect(ended(retried)).toEqual(['unknown', 'done before']);
    expect(appliedTo(sale)).toBe(1);
  });
});
