import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import { poll, POLL_MS } from '../../host/executions';
import { itemsOf, type Execution } from '../../host/rest';
import type { Host } from './host';
import { calledRowsInto, own } from './workflows';

export const REFUND = 'Refund';
export const COUNT = Number(process.env.COUNT ?? 40);
export const KILL_AT = Math.round(COUNT * 0.4);

export function refundBench(host: () => Host) {
  const control = () => host().sandbox.control;
  const applied = (rows: IDataObject[]) => {
    const all = control().journal({ operationId: 'refund' });
    return rows.map(
      ({ id }) =>
        all.filter(({ path, applied: made }) => path === `/pg/refund/${id as string}` && made !== null).length,
    );
  };
  const refundNode = (options: object = {}, more: object = {}) =>
    own(
      host(),
      REFUND,
      {
        resource: 'transaction',
        operation: 'refund',
        pg_id: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
        amt_tran: '={{ $json.amount }}',
        options,
      },
      more,
    );
  return {
    control,
    applied,
    refundNode,
    sales: (count: number): IDataObject[] => {
      control().reset();
      control().addCustomers(1);
      const ids = control().addCapturedSales({ count, amountCents: 1000 });
      control().closeBatch();
      control().sendDeposits();
      return ids.map((id, row) => ({ id, amount: 4, row }));
    },
    called: async (name: string, rows: IDataObject[], options: object = {}, batchSize?: number) => {
      const last = refundNode(
        { sending: { maxParallelRequests: 5 }, ...options },
        { onError: 'continueRegularOutput' },
      );
      const workflow = calledRowsInto(name, rows, last, batchSize);
      const id = await host().rest.saveWorkflow(workflow);
      await host().rest.activate(id);
      const call = async () =>
        await fetch(`${host().n8n.baseUrl}/webhook/${name}`, { method: 'POST' }).catch(() => undefined);
      return { id, call };
    },
    untilApplied: async (count: number): Promise<void> => {
      const made = () =>
        control()
          .journal({ operationId: 'refund' })
          .filter((entry) => entry.applied !== null).length;
      await poll('Refunds', async () => await Promise.resolve(made() >= count || undefined), 120_000, POLL_MS);
    },
  };
}

export const outcomeOf = ({ error, done_by_earlier_try: before }: IDataObject): string =>
  error ? asText((error as IDataObject).outcome) : before ? 'done before' : 'done';

export const outcomes = (execution: Execution) => {
  const counts: Record<string, number> = {};
  for (const item of itemsOf(execution, REFUND)) counts[outcomeOf(item)] = (counts[outcomeOf(item)] ?? 0) + 1;
  return counts;
};

/** Returns the node's items, without the artificial item that n8n adds after a crash. */
export const roundsOf = ({ data }: Execution): IDataObject[] =>
  (data.resultData.runData[REFUND] ?? [])
    .flatMap((run) => run.data?.main?.[0] ?? [])
    .map(({ json }) => json)
    .filter(({ isArtificialRecoveredEventItem }) => isArtificialRecoveredEventItem !== true);

export const report = (what: string, counts: object) => process.stderr.write(`${what}: ${JSON.stringify(counts)}\n`);
