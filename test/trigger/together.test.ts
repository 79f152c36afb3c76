import { sleep } from 'n8n-workflow';

import { bodyOf, call, openTriggerBench, webhookIdOf, type TriggerBench } from './bench';
import { TriggerHost } from './host';

let bench: TriggerBench;
let second: TriggerHost;

afterEach(async () => {
  await second.idle();
  await second.close();
  await bench.close();
});

/** Starts two webhook processes with own workers, which share only the database. */
async function openTwo(): Promise<void> {
  bench = await openTriggerBench({ events: ['*'] }, { workers: true });
  const { id, database, credential, parameters, url } = bench.host;
  second = await TriggerHost.open(credential, parameters, {
    workflowId: id,
    database,
    workers: true,
    publicOrigin: new URL(url).origin,
  });
  await second.restart();
}

test.each([0, 5, 50, 200])(
  'only one of several copies that reach two webhook processes within %p ms is emitted',
  async (delayMs) => {
    await openTwo();
    const path = new URL(bench.host.url).pathname;
    const pairs = Array.from({ length: 5 }, () => bodyOf(bench));
    for (const body of pairs) {
      const first = call(bench, { body });
      await sleep(delayMs);
      const copy = call(bench, { body, url: second.address + path });
      expect([(await first).status, (await copy).status]).toEqual([200, 200]);
    }
    await Promise.all([bench.host.idle(), second.idle()]);
    expect(bench.host.executions.length + second.executions.length).toBe(pairs.length);
  },
);

test("replacing the webhook of one trigger doesn't affect events of another trigger in the workflow", async () => {
  bench = await openTriggerBench();
  const { id, database, credential } = bench.host;
  second = await TriggerHost.open(
    credential,
    { events: ['invoice_paid'] },
    { workflowId: id, database, nodeName: 'Other' },
  );
  await second.activate();
  const own = webhookIdOf(bench);
  bench.host.startMs = 400;
  const delivery = call(bench);
  await sleep(100);
  second.parameters = { events: ['*'] };
  await second.activate();
  const after = second.state;
  expect((await delivery).status).toBe(200);
  expect(second.state).toEqual(after);
  expect(webhookIdOf(bench)).toBe(own);
  await bench.host.restart();
  await second.restart();
  const { sandbox } = bench;
  sandbox.control.fireEvent({ event: 'invoice_paid', data: { invoice_id: 'x' } });
  await sandbox.control.settleDeliveries();
  expect(sandbox.control.deliveries().map(({ status }) => status)).toEqual([200, 200]);
});
