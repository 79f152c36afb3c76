import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import { poll } from '../../host/executions';
import { itemsOf, type Execution, type WorkflowJson } from '../../host/rest';
import { hosts, startHost, type Host } from './host';
import { startQueueHost, type QueueHost } from './queue-host';
import { inLine, node, own, rowsInto, rowsNodes } from './workflows';

const REFUND = 'Refund';
/** Number of refunds, and the number applied before n8n is killed. */
const COUNT = Number(process.env.COUNT ?? 40);
const KILL_AT = Math.round(COUNT * 0.4);

/** Returns test actions for n8n and the sandbox, with any number of n8n processes. */
function bench(host: () => Host) {
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
    /**
     * Starts the refunds of the rows by a webhook call, because n8n stores such an execution before it runs.
     * @param batchSize number of refunds per round of a loop. Defaults to all.
     */
    called: async (name: string, rows: IDataObject[], options: object = {}, batchSize?: number) => {
      const [, ...others] = rowsNodes(rows);
      const start = node(
        'Start',
        'n8n-nodes-base.webhook',
        { path: name, httpMethod: 'POST' },
        { typeVersion: 2, webhookId: name },
      );
      const last = refundNode(
        { sending: { maxParallelRequests: 5 }, ...options },
        { onError: 'continueRegularOutput' },
      );
      const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { batchSize, options: {} }, { typeVersion: 3 });
      const looped = {
        ...inLine('Start', 'Data', 'Rows', 'Loop'),
        Loop: { main: [[], [{ node: REFUND, type: 'main' as const, index: 0 }]] },
        ...inLine(REFUND, 'Loop'),
      };
      const workflow: WorkflowJson = {
        name,
        nodes: [start, ...others, ...(batchSize === undefined ? [] : [loop]), last],
        connections: batchSize === undefined ? inLine('Start', 'Data', 'Rows', REFUND) : looped,
        settings: { executionOrder: 'v1' },
      };
      const id = await host().rest.saveWorkflow(workflow);
      await host().rest.activate(id);
      const call = async () =>
        await fetch(`${host().n8n.baseUrl}/webhook/${name}`, { method: 'POST' }).catch(() => undefined);
      return { id, call };
    },
    /** Waits until `count` refunds are applied. */
    untilApplied: async (count: number): Promise<void> => {
      const made = () =>
        control()
          .journal({ operationId: 'refund' })
          .filter((entry) => entry.applied !== null).length;
      await poll('Refunds', async () => await Promise.resolve(made() >= count || undefined), 120_000);
    },
  };
}

const outcomeOf = ({ error, done_by_earlier_try: before }: IDataObject): string =>
  error ? asText((error as IDataObject).outcome) : before ? 'done before' : 'done';

const outcomes = (execution: Execution) => {
  const counts: Record<string, number> = {};
  for (const item of itemsOf(execution, REFUND)) counts[outcomeOf(item)] = (counts[outcomeOf(item)] ?? 0) + 1;
  return counts;
};

/**
 * Returns the node's items from all rounds of a loop. Excludes the artificial run that n8n creates for a recovered
 * execution.
 */
const roundsOf = ({ data }: Execution): IDataObject[] =>
  (data.resultData.runData[REFUND] ?? [])
    .flatMap((run) => run.data?.main?.[0] ?? [])
    .map(({ json }) => json)
    .filter(({ isArtificialRecoveredEventItem }) => isArtificialRecoveredEventItem !== true);

const report = (what: string, counts: object) => process.stderr.write(`${what}: ${JSON.stringify(counts)}\n`);

describe.each(hosts)('$name', ({ major }) => {
  let host: Host;
  const { control, applied, refundNode, sales, called, untilApplied } = bench(() => host);
  beforeAll(async () => {
    host = await startHost({ major });
  });
  afterAll(async () => await host?.stop());

  test('applies each refund once in three parallel retries and a later one', async () => {
    const rows = sales(COUNT);
    control().addFault({
      kind: 'status',
      status: 402,
      code: '005',
      path: `/pg/refund/${rows[5]?.id as string}`,
      calls: [1],
    });
    const id = await host.rest.saveWorkflow(
      rowsInto('retried', rows, refundNode({ sending: { maxParallelRequests: 1 } })),
    );
    const failed = await host.rest.execute(id);
    expect(failed.status).toBe('error');
    expect(applied(rows).reduce((sum, one) => sum + one, 0)).toBe(5);
    const retry = async () => await host.rest.executions.retry(failed.id, { loadWorkflow: false });
    await Promise.all([retry(), retry(), retry()]);
    const last = await retry();
    expect(applied(rows)).toEqual(rows.map(() => 1));
    expect(last.status).toBe('success');
    report(`n8n ${major}, the fourth retry`, outcomes(last));
  });

  test('completes the remaining refunds once in a retry after n8n was killed', async () => {
    const rows = sales(COUNT);
    const { id, call } = await called(`killed-${major}`, rows);
    control().addLatency({ operationId: 'refund', milliseconds: 150 });
    void call();
    await untilApplied(KILL_AT);
    await host.n8n.kill();
    control().clearLatency();
    // Requests on connections of the killed process take effect 150 ms later.
    await sleep(500);
    const before = applied(rows);
    await host.n8n.restart();
    await host.rest.signIn('Local-run-1');
    const [crashed] = await host.rest.executions.list(id);
    if (!crashed) throw new Error('There is no execution');
    const execution = await host.rest.executions.waitFor(crashed.id);
    const retried = await host.rest.executions.retry(crashed.id, { loadWorkflow: false });
    report(`n8n ${major}, ${execution.status}, applied before ${before.filter(Boolean).length}`, outcomes(retried));
    expect(Math.max(...applied(rows))).toBe(1);
    // Refunds without a response are reported as unknown, applied or not.
    const { unknown = 0 } = outcomes(retried);
    expect(applied(rows).filter((times) => times === 0).length).toBeLessThanOrEqual(unknown);
    const again = await host.rest.executions.retry(crashed.id, { loadWorkflow: false });
    expect(Math.max(...applied(rows))).toBe(1);
    report(`n8n ${major}, a second retry`, outcomes(again));
  });

  test("applies each refund at most once in a retry after n8n was killed in a loop's second round", async () => {
    const rows = sales(8);
    const { id, call } = await called(`loop-${major}`, rows, { sending: { maxParallelRequests: 1 } }, 2);
    control().addLatency({ operationId: 'refund', milliseconds: 300 });
    void call();
    await untilApplied(3);
    await host.n8n.kill();
    control().clearLatency();
    // A refund in transit takes effect even after n8n dies.
    await sleep(1000);
    const before = applied(rows);
    expect(before.slice(0, 3)).toEqual([1, 1, 1]);
    expect(before.slice(4)).toEqual([0, 0, 0, 0]);
    await host.n8n.restart();
    await host.rest.signIn('Local-run-1');
    const [crashed] = await host.rest.executions.list(id);
    if (!crashed) throw new Error('There is no execution');
    const { status, data } = await host.rest.executions.waitFor(crashed.id);
    const artificial = Object.values(data.resultData.runData).filter((runs) =>
      JSON.stringify(runs).includes('isArtificialRecoveredEventItem'),
    );
    const retried = await host.rest.executions.retry(crashed.id, { loadWorkflow: false });
    const after = applied(rows);
    const reported = roundsOf(retried).map(outcomeOf);
    report(`n8n ${major}, loop, ${status}, ${artificial.length} artificial node runs`, { before, after, reported });
    expect(Math.max(...after)).toBe(1);
    expect(reported).toHaveLength(rows.length);
    // Refunds without a response at n8n's death are reported as unknown, whether the service applied them or not.
    rows.forEach((_, row) => {
      if (reported[row]?.startsWith('done')) expect([row, after[row]]).toEqual([row, 1]);
      else if (reported[row] !== 'unknown') expect([row, reported[row], after[row]]).toEqual([row, reported[row], 0]);
    });
    expect(reported.slice(4)).toEqual(['done', 'done', 'done', 'done']);
    await host.rest.executions.retry(crashed.id, { loadWorkflow: false });
    expect(Math.max(...applied(rows))).toBe(1);
  });

  test('completes all refunds once in a new run with Return the Existing Record after n8n was killed', async () => {
    const rows = sales(COUNT);
    const { id, call } = await called(`anew-${major}`, rows, { ifExists: { then: 'return' } });
    control().addLatency({ operationId: 'refund', milliseconds: 150 });
    void call();
    await untilApplied(KILL_AT);
    await host.n8n.kill();
    control().clearLatency();
    await sleep(500);
    const before = applied(rows).filter(Boolean).length;
    await host.n8n.restart();
    await host.rest.signIn('Local-run-1');
    const last = await host.rest.executions.lastId(id);
    await call();
    const anew = await host.rest.executions.next(id, last);
    report(`n8n ${major}, anew, applied before ${before}`, outcomes(anew));
    expect(applied(rows)).toEqual(rows.map(() => 1));
    const existed = itemsOf(anew, REFUND).filter(({ found_at_service: found }) => found !== undefined);
    expect(existed).toHaveLength(before);
  });
});

/** Versions in which another worker resumes the execution of a killed worker. n8n 2 never does. */
const taking = hosts.filter(({ major }) => major === 1);
for (const { name, major } of taking)
  describe(`${name} in queue mode with its default settings`, () => {
    let host: QueueHost;
    const { control, applied, sales, called, untilApplied } = bench(() => host);
    beforeAll(async () => {
      host = await startQueueHost({
        major,
        webhooks: 0,
        workers: 2,
        env: {
          QUEUE_WORKER_LOCK_DURATION: '5000',
          QUEUE_WORKER_STALLED_INTERVAL: '3000',
          QUEUE_WORKER_MAX_STALLED_COUNT: '1',
        },
      });
    });
    afterAll(async () => await host?.stop());

    test('applies nothing twice if a worker is killed and another one runs the job again', async () => {
      const rows = sales(COUNT);
      const { id, call } = await called('stalled', rows);
      control().addLatency({ operationId: 'refund', milliseconds: 500 });
      void call();
      await untilApplied(KILL_AT);
      const [first, second] = host.queue.workers;
      // Only refunds that continue, one every half second, show which process runs the execution.
      await first?.kill();
      await sleep(2_000);
      const soon = applied(rows).filter(Boolean).length;
      await sleep(2_000);
      if (applied(rows).filter(Boolean).length > soon) {
        await first?.restart();
        await second?.kill();
      }
      control().clearLatency();
      const [stalled] = await host.rest.executions.list(id);
      if (!stalled) throw new Error('There is no execution');
      const ended = await host.rest.executions.waitFor(stalled.id);
      report(`n8n ${major}, queue, ${ended.status}`, outcomes(ended));
      expect(Math.max(...applied(rows))).toBe(1);
    });
  });

describe('n8n 2 in queue mode after a power cut', () => {
  let host: QueueHost;
  const { control, applied, sales, called, untilApplied } = bench(() => host);
  beforeAll(async () => {
    host = await startQueueHost({ webhooks: 0, workers: 1 });
  });
  afterAll(async () => await host?.stop());

  /** Kills and restarts all processes during the refunds. @returns the number of applied refunds. */
  const powerCut = async (call: () => Promise<unknown>, rows: IDataObject[]): Promise<number> => {
    control().addLatency({ operationId: 'refund', milliseconds: 300 });
    void call();
    await untilApplied(KILL_AT);
    const processes = [host.queue.main, ...host.queue.workers];
    await Promise.all(processes.map(async (one) => await one.kill()));
    control().clearLatency();
    // Requests in transit take effect.
    await sleep(1000);
    const before = applied(rows).filter(Boolean).length;
    for (const one of processes) await one.restart();
    await host.rest.signIn('Local-run-1');
    return before;
  };

  test('applies nothing twice in a retry of the crashed execution', async () => {
    const rows = sales(COUNT);
    const { id, call } = await called('power-cut', rows);
    const before = await powerCut(call, rows);
    const [crashed] = await host.rest.executions.list(id);
    if (!crashed) throw new Error('There is no execution');
    const { status } = await host.rest.executions.waitFor(crashed.id);
    const retried = await host.rest.executions.retry(crashed.id, { loadWorkflow: false });
    report(`n8n 2, queue, ${status}, applied before ${before}, retried`, outcomes(retried));
    expect(Math.max(...applied(rows))).toBe(1);
  });

  test('completes all refunds once in a new run with Return the Existing Record', async () => {
    const rows = sales(COUNT);
    const { id, call } = await called('power-cut-anew', rows, { ifExists: { then: 'return' } });
    const before = await powerCut(call, rows);
    const last = await host.rest.executions.lastId(id);
    await call();
    const anew = await host.rest.executions.next(id, last);
    report(`n8n 2, queue, anew, applied before ${before}`, outcomes(anew));
    expect(applied(rows)).toEqual(rows.map(() => 1));
  });
});
