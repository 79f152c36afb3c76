import type { IDataObject, IRun } from 'n8n-workflow';

import { recovered } from '../../loop-node';
import { timeIsSimulated } from '../../simulated-time';
import { capturedSales, goOn, refund, refundBench, sandboxForFile } from '../bench';
import { crashedData, runWorkflow, type RunInput, type RunOutput } from '../harness';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const { input, pathOf, appliedTo } = refundBench(sandbox, { batchSize: 2, ...goOn });
const parallel = (maxParallelRequests: number) => ({ ...refund, options: { sending: { maxParallelRequests } } });
const rounds = ({ run }: RunOutput) => run.data.resultData.runData['Payment Platform'] ?? [];
const outcomesOf = (output: RunOutput) =>
  rounds(output).flatMap(({ data }) =>
    (data?.main?.[0] ?? []).flatMap(({ json }) => {
      if (json.isArtificialRecoveredEventItem) return [];
      return [json.error ? (json.error as IDataObject).outcome : json.done_by_earlier_try ? 'done before' : 'done'];
    }),
  );

/** Simulates killing n8n during a refund whose response is lost. */
async function killedAt(refundNumber: number, rows: IDataObject[], more: Partial<RunInput> = {}): Promise<IRun> {
  const crashed = crashedData(input(rows, more));
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'refund', calls: [refundNumber] });
  await runWorkflow(input(rows, { ...more, onError: 'stopWorkflow', from: crashed }));
  sandbox.control.clearFaults();
  return recovered(crashed, ['Rows', 'Payment Platform', 'Loop']);
}
const copyOf = (run: IRun) => structuredClone(run);

describe.each([1, 20])('a killed and retried loop with Max Parallel Requests %d', (most) => {
  const eight = async (refundNumber: number, rows: IDataObject[]) => {
    const crashed = await killedAt(refundNumber, rows, { parameters: parallel(most) });
    const retried = await runWorkflow(input(rows, { parameters: parallel(most), retryOf: copyOf(crashed) }));
    return { crashed, retried };
  };

  test.each([1, 2, 3, 4, 5, 8])(
    'sends each of eight refunds once after n8n was killed during refund %d',
    async (refundNumber) => {
      const rows = capturedSales(sandbox, 8);
      const { crashed, retried } = await eight(refundNumber, rows);
      expect(rows.map(appliedTo)).toEqual(rows.map(() => 1));
      expect(outcomesOf(retried).filter((outcome) => outcome === 'unknown')).toHaveLength(1);
      for (const retryOf of [crashed, retried.run]) await runWorkflow(input(rows, { retryOf: copyOf(retryOf) }));
      expect(rows.map(appliedTo)).toEqual(rows.map(() => 1));
    },
  );

  test.each([1, 3, 4])(
    'pays equal items of all loop iterations once each after n8n was killed during refund %d',
    async (refundNumber) => {
      const [sale] = capturedSales(sandbox, 1);
      const rows = Array.from({ length: 6 }, () => ({ ...sale, amount: 1 }));
      const { retried } = await eight(refundNumber, rows);
      expect(appliedTo(sale)).toBe(6);
      expect(outcomesOf(retried).filter((outcome) => outcome === 'unknown')).toHaveLength(1);
    },
  );
});

test('sends no row twice in a retry of a loop with another order', async () => {
  const rows = capturedSales(sandbox, 8);
  const crashed = await killedAt(4, rows);
  const others = [rows[7], rows[6], ...rows.slice(0, 6)] as IDataObject[];
  await runWorkflow(input(others, { retryOf: crashed }));
  expect(rows.every((row) => appliedTo(row) <= 1)).toBe(true);
  expect(rows.slice(0, 6).map(appliedTo)).toEqual([1, 1, 1, 1, 1, 1]);
});

test('sends each row once in a retry of a loop with another batch size', async () => {
  const rows = capturedSales(sandbox, 8);
  const crashed = await killedAt(5, rows, { parameters: parallel(1) });
  const retried = await runWorkflow(input(rows, { retryOf: crashed, batchSize: 3 }));
  expect(rows.map(appliedTo)).toEqual(rows.map(() => 1));
  expect(outcomesOf(retried)).toEqual([...Array<string>(4).fill('done before'), 'unknown', 'done', 'done', 'done']);
});

test('continues with the same loop iteration in a retry of a recovered execution', async () => {
  const rows = capturedSales(sandbox, 8);
  const crashed = await killedAt(2, rows);
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[4]), calls: [1] });
  const stopping = { parameters: parallel(1), onError: 'stopWorkflow' } as const;
  const word = async () => {
    const stopped = await runWorkflow(input(rows, { ...stopping, retryOf: copyOf(crashed) }));
    const [told] = (rounds(stopped).at(-1)?.error as unknown as { context: { data: { failed: IDataObject[] } } })
      .context.data.failed;
    return told?.resolveCode as string;
  };
  const options = {
    unknownOutcome: 'resolve',
    resolve: { item: [{ code: await word(), finding: 'applied' }] },
    sending: { maxParallelRequests: 1 },
  };
  const resolved = { ...stopping, parameters: { ...refund, options } };
  const declined = await runWorkflow(input(rows, { ...resolved, retryOf: copyOf(crashed) }));
  expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
  const retried = await runWorkflow(input(rows, { ...resolved, retryOf: declined.run }));
  expect(retried.error).toBeUndefined();
  expect(rows.map(appliedTo)).toEqual(rows.map(() => 1));
});

test('treats a stopped loop iteration as the same iteration although n8n counts another run', async () => {
  const rows = capturedSales(sandbox, 4);
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[2]), calls: [1] });
  const more = { parameters: parallel(1), batchSize: undefined };
  const stopped = await runWorkflow(input(rows, { ...more, onError: 'stopWorkflow' }));
  expect(rows.map(appliedTo)).toEqual([1, 1, 0, 0]);
  // A recovery by n8n adds an artificial run of the node.
  delete stopped.run.data.resultData.runData['Payment Platform'];
  const { run } = await runWorkflow(
    input(rows, { ...more, retryOf: recovered(stopped.run, ['Payment Platform', 'Done']) }),
  );
  expect(run.data.resultData.runData['Payment Platform']).toHaveLength(2);
  expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1]);
});

test("doesn't repeat completed items with Retry On Fail within a loop iteration", async () => {
  const [sale] = capturedSales(sandbox, 1);
  const rows = Array.from({ length: 6 }, () => ({ ...sale, amount: 1 }));
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', operationId: 'refund', calls: [4] });
  const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
  const { error } = await runWorkflow(input(rows, { parameters: parallel(1), onError: 'stopWorkflow', settings }));
  expect(error).toBeUndefined();
  expect(appliedTo(sale)).toBe(6);
});
