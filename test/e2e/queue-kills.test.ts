import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { PASSWORD, major, version } from './host';
import { NOTICE_SOON, startQueueHost, type QueueHost } from './queue-host';
import { COUNT, KILL_AT, outcomes, refundBench, report } from './refund-bench';
import { Player } from './schedules';

/** n8n 1 assigns the job of a killed worker to another worker once. n8n 2 ends the job. */
const RESUMES = major === 1;

describe(`Killed processes in the queue mode of ${version}`, () => {
  let host: QueueHost;
  const { control, applied, sales, called, untilApplied } = refundBench(() => host);
  beforeAll(async () => {
    // In n8n 2, a restarted process must find the crashed execution before n8n ends the job.
    host = await startQueueHost({ webhooks: 0, workers: 2, env: RESUMES ? NOTICE_SOON : {} });
  });
  afterAll(async () => await host?.stop());

  // n8n 2 can retry the execution only if the main process crashed.
  test('each payment is applied at most once and reported correctly if a worker is killed', async () => {
    const { main, workers } = host.queue;
    const killed = RESUMES ? workers.slice(0, 1) : [main, ...workers];
    for (const books of await new Player(() => host).kill('worker', killed)) report(`${version}, killed worker`, books);
  });

  if (RESUMES)
    test('no refund is applied twice if a worker is killed and another worker runs the job again', async () => {
      const rows = sales(COUNT);
      const { id, call } = await called('stalled', rows);
      control().addLatency({ operationId: 'refund', milliseconds: 500 });
      void call();
      await untilApplied(KILL_AT);
      const [first, second] = host.queue.workers;
      // If refunds continue after the first kill, the second worker runs the execution.
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
      report(`${version}, queue, ${ended.status}`, outcomes(ended));
      expect(Math.max(...applied(rows))).toBe(1);
    });
  else {
    const powerCut = async (call: () => Promise<unknown>, rows: IDataObject[]): Promise<number> => {
      control().addLatency({ operationId: 'refund', milliseconds: 300 });
      void call();
      await untilApplied(KILL_AT);
      const { main, workers } = host.queue;
      await Promise.all([main, ...workers].map(async (one) => await one.kill()));
      control().clearLatency();
      // Waits until the requests in transit take effect.
      await sleep(1000);
      const before = applied(rows).filter(Boolean).length;
      await main.restart();
      await Promise.all(workers.map(async (one) => await one.restart()));
      await host.rest.signIn(PASSWORD);
      return before;
    };

    test('no refund is applied twice in a retry of the crashed execution', async () => {
      const rows = sales(COUNT);
      const { id, call } = await called('power-cut', rows);
      const before = await powerCut(call, rows);
      const [crashed] = await host.rest.executions.list(id);
      if (!crashed) throw new Error('There is no execution');
      const { status } = await host.rest.executions.waitFor(crashed.id);
      const retried = await host.rest.executions.retry(crashed.id, { loadWorkflow: false });
      report(`${version}, queue, ${status}, applied before ${before}, retried`, outcomes(retried));
      expect(Math.max(...applied(rows))).toBe(1);
    });

    test('a new run with Return the Existing Record completes all refunds once', async () => {
      const rows = sales(COUNT);
      const { id, call } = await called('power-cut-anew', rows, { ifExists: { then: 'return' } });
      const before = await powerCut(call, rows);
      const last = await host.rest.executions.lastId(id);
      await call();
      const anew = await host.rest.executions.next(id, last);
      report(`${version}, queue, anew, applied before ${before}`, outcomes(anew));
      expect(applied(rows)).toEqual(rows.map(() => 1));
    });
  }
});
