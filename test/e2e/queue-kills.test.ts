import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { itemsOf } from '../../host/rest';
import { CREDENTIAL, PASSWORD, major, version } from './host';
import { NOTICE_SOON, startQueueHost, type QueueHost } from './queue-host';
import { COUNT, KILL_AT, outcomeOf, outcomes, refundBench, REFUND, report } from './refund-bench';
import { Player } from './schedules';
import { rowsInto } from './workflows';

/** n8n 1 assigns the job of a killed worker to another worker once. n8n 2 ends the job. */
const RESUMES = major === 1;

describe(`Killed processes in the queue mode of ${version}`, () => {
  let host: QueueHost;
  const { control, applied, sales, called, untilApplied, refundNode } = refundBench(() => host);
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

  /** Saves a workflow that a person starts in Production. */
  const clickable = async (name: string) => {
    control().reset();
    control().addCustomers(1);
    const rows = control()
      .addCapturedSales({ count: COUNT, amountCents: 1000 }, 'production')
      .map((id) => ({ id, amount: 4 }));
    const { merchantId, apiKey } = host.sandbox.credentials.production;
    const account = { environment: 'production', baseUrl: host.sandbox.productionBaseUrl, merchantId, apiKey };
    const id = await host.rest.saveCredential('Production', { authMethod: 'apiKey', ...account });
    const credentials = { paymentPlatformApi: { id, name: CREDENTIAL } };
    const more = { credentials, onError: 'continueRegularOutput' };
    const node = refundNode({ sending: { maxParallelRequests: 5 } }, more);
    control().addLatency({ operationId: 'refund', milliseconds: 150 });
    return { rows, workflow: await host.rest.saveWorkflow(rowsInto(name, rows, node)) };
  };

  /** Waits until the requests of a killed worker that were in transit are applied. */
  async function appliedInTransit(rows: Parameters<typeof applied>[0]): Promise<number[]> {
    for (let last = applied(rows); ;) {
      await sleep(1_000);
      const now = applied(rows);
      if (now.join() === last.join()) return now;
      last = now;
    }
  }

  test('a second click at the same time repeats no refund', async () => {
    const { rows, workflow } = await clickable('two clicks');
    const ids = await Promise.all([host.rest.start(workflow), host.rest.start(workflow)]);
    const ended = await Promise.all(ids.map(async (id) => await host.rest.executions.waitFor(id)));
    for (const one of ended) report(`${version}, queue, two clicks`, outcomes(one));
    const counts = applied(rows);
    expect(Math.max(...counts)).toBe(1);
    expect(counts.filter((count) => count === 1).length).toBeGreaterThan(rows.length / 2);
    // If n8n's database is slow, each execution can find the other one's key, and both then report the row as not sent.
    for (const [row, count] of counts.entries()) {
      const found = ended.map((one) => outcomeOf(itemsOf(one, REFUND)[row] ?? {}));
      expect(found.filter((outcome) => outcome === 'done')).toHaveLength(count);
    }
  });

  test('a second click after a worker was killed repeats no refund', async () => {
    const { rows, workflow } = await clickable('click after a kill');
    const [first, second] = host.queue.workers;
    await second?.kill();
    const id = await host.rest.start(workflow);
    await untilApplied(KILL_AT);
    await Promise.all([first?.kill(), second?.restart()]);
    control().clearLatency();
    const before = await appliedInTransit(rows);
    const again = await host.rest.execute(workflow);
    await first?.restart();
    report(`${version}, queue, click after a kill, applied before ${before.filter(Boolean).length}`, outcomes(again));
    // n8n 1 continues the first execution, which may send rows while the second click finds their keys.
    const resumed = RESUMES ? itemsOf(await host.rest.executions.waitFor(id), REFUND).map(outcomeOf) : [];
    for (const [row, item] of itemsOf(again, REFUND).entries()) {
      const counts = [before[row], applied(rows)[row]];
      const byFirst = resumed[row] === 'done' ? [[0, 1]] : [];
      const allowed = { doneBefore: [[1, 1], ...byFirst], done: [[0, 1]] };
      expect(allowed[outcomeOf(item) as keyof typeof allowed] ?? [[0, 0], [1, 1], ...byFirst]).toContainEqual(counts);
    }
    expect([...itemsOf(again, REFUND).map(outcomeOf), ...resumed]).toContain('done');
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
