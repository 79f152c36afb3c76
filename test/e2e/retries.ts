import { setTimeout as sleep } from 'node:timers/promises';

import { itemsOf } from '../../host/rest';
import { PASSWORD, major, type Host } from './host';
import { COUNT, KILL_AT, outcomeOf, outcomes, refundBench, REFUND, report, roundsOf } from './refund-bench';
import { rowsInto } from './workflows';

/** Declares the tests of a user's retries, including retries after n8n was killed. */
export function describeRetries(shared: () => Host): void {
  describe('A retry by a user', () => {
    let host: Host;
    const { control, applied, refundNode, sales, called, untilApplied } = refundBench(() => host);
    beforeAll(() => {
      host = shared();
    });

    test('each refund is applied once in three parallel retries and a later retry', async () => {
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

    test('a retry after n8n was killed completes the remaining refunds once', async () => {
      const rows = sales(COUNT);
      const { id, call } = await called(`killed-${major}`, rows);
      control().addLatency({ operationId: 'refund', milliseconds: 150 });
      void call();
      await untilApplied(KILL_AT);
      await host.n8n.kill();
      control().clearLatency();
      // Waits, because the service applies the requests of the killed process after 150 ms.
      await sleep(500);
      const before = applied(rows);
      await host.n8n.restart();
      await host.rest.signIn(PASSWORD);
      const [crashed] = await host.rest.executions.list(id);
      if (!crashed) throw new Error('There is no execution');
      const execution = await host.rest.executions.waitFor(crashed.id);
      const retried = await host.rest.executions.retry(crashed.id, { loadWorkflow: false });
      report(`n8n ${major}, ${execution.status}, applied before ${before.filter(Boolean).length}`, outcomes(retried));
      expect(Math.max(...applied(rows))).toBe(1);
      // The node reports refunds without a response as unknown.
      const { unknown = 0 } = outcomes(retried);
      expect(applied(rows).filter((times) => times === 0).length).toBeLessThanOrEqual(unknown);
      const again = await host.rest.executions.retry(crashed.id, { loadWorkflow: false });
      expect(Math.max(...applied(rows))).toBe(1);
      report(`n8n ${major}, a second retry`, outcomes(again));
    });

    test('each refund is applied at most once in a retry after n8n was killed in the second iteration of a loop', async () => {
      const rows = sales(8);
      const { id, call } = await called(`loop-${major}`, rows, { sending: { maxParallelRequests: 1 } }, 2);
      control().addLatency({ operationId: 'refund', milliseconds: 300 });
      void call();
      await untilApplied(3);
      await host.n8n.kill();
      control().clearLatency();
      // Waits for the refund in transit, which takes effect even after n8n was killed.
      await sleep(1000);
      const before = applied(rows);
      expect(before.slice(0, 3)).toEqual([1, 1, 1]);
      expect(before.slice(4)).toEqual([0, 0, 0, 0]);
      await host.n8n.restart();
      await host.rest.signIn(PASSWORD);
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
      // If the kill prevented a response, the node reports the refund as unknown.
      rows.forEach((_, row) => {
        if (reported[row]?.startsWith('done')) expect([row, after[row]]).toEqual([row, 1]);
        else if (reported[row] !== 'unknown') expect([row, reported[row], after[row]]).toEqual([row, reported[row], 0]);
      });
      expect(reported.slice(4)).toEqual(['done', 'done', 'done', 'done']);
      await host.rest.executions.retry(crashed.id, { loadWorkflow: false });
      expect(Math.max(...applied(rows))).toBe(1);
    });

    test('a new run with Return the Existing Record after n8n was killed completes all refunds once', async () => {
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
      await host.rest.signIn(PASSWORD);
      const last = await host.rest.executions.lastId(id);
      await call();
      const anew = await host.rest.executions.next(id, last);
      report(`n8n ${major}, anew, applied before ${before}`, outcomes(anew));
      expect(applied(rows)).toEqual(rows.map(() => 1));
      const existed = itemsOf(anew, REFUND).filter(({ found_at_service: found }) => found !== undefined);
      expect(existed).toHaveLength(before);
    });
  });
}
