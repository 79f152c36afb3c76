import type { Execution, WorkflowJson } from '../host/rest';
import type { Host } from '../test/e2e/host';
import { own, rowsInto } from '../test/e2e/workflows';

/** Milliseconds. */
export const LIMIT_MS = 600_000;

const rows = (count: number) =>
  Array.from({ length: count }, (_, row) => ({ id: String(426351789012000000n + BigInt(row)), amount: 4 }));

/** Builds a workflow with `count` refunds. */
export const refunds = (host: Host, name: string, nodeId: string, count: number): WorkflowJson =>
  rowsInto(
    name,
    rows(count),
    own(
      host,
      'Refund',
      {
        resource: 'transaction',
        operation: 'refund',
        pg_id: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
        amt_tran: '={{ $json.amount }}',
      },
      { id: nodeId },
    ),
  );

/** Returns the node's milliseconds per item. Throws an Error unless all items are done. */
export function timeOf({ data }: Execution, count: number): number {
  const [run] = data.resultData.runData.Refund ?? [];
  const done = run?.data?.main?.[0]?.length ?? 0;
  if (done !== count) throw new Error(`${done} of ${count} items (${JSON.stringify(run?.error)})`);
  return (run?.executionTime ?? 0) / count;
}
