import { sleep } from 'n8n-workflow';

import { bodyOf, call } from './bench';
import { bench, control, open, openProcess, openSwitchedOff, payInvoice } from './catch-up-bench';
import type { HostOptions, TriggerHost } from './host';

const HOUR_MS = 3_600_000;
const MAJORS: HostOptions[] = [{ workers: true }, { workers: true, major: 1 }];

let others: TriggerHost[] = [];

/** Starts two more processes. */
async function openOthers(options: HostOptions): Promise<[TriggerHost, TriggerHost]> {
  const [second, third] = [await openProcess(options), await openProcess(options)];
  others = [second, third];
  return [second, third];
}

afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
});

const catchUpIn = async (hosts: TriggerHost[]) => {
  for (const host of hosts) await host.startTrigger();
};

const itemsOf = (hosts: TriggerHost[]) =>
  hosts.flatMap(({ executions }) => executions.splice(0).flatMap((items) => items.map(({ json }) => json.source)));

const problemsOf = (hosts: TriggerHost[]) => hosts.flatMap(({ problems }) => problems);

/** Runs a catch-up whose process is killed while the workflow processes its change. */
async function killCatchUp(afterMs = 20_000): Promise<void> {
  bench.host.work = async () => await sleep(HOUR_MS);
  await bench.host.startTrigger();
  await sleep(afterMs);
  expect(itemsOf([bench.host])).toEqual(['catch_up']);
  await bench.host.restart();
}

describe.each(MAJORS)('With several processes (%j)', (options) => {
  test.each([0, 1, 40, 3_000, 60_000])(
    'one of two catch-ups that start %d ms apart takes over the change of a killed execution',
    async (apartMs) => {
      await openSwitchedOff({}, options);
      const hosts = await openOthers(options);
      await payInvoice();
      await killCatchUp();
      for (const host of hosts) {
        await host.startTrigger();
        await sleep(apartMs);
      }
      await sleep(HOUR_MS);
      expect(itemsOf(hosts)).toEqual(['catch_up']);
      expect(problemsOf(hosts)).toEqual([]);
    },
  );

  // Chance decides which process takes the change over, so the test repeats this.
  test.each([1, 2])(
    'catch-ups do not wait for each other if one has a change and another takes one over (round %d)',
    async () => {
      await openSwitchedOff({}, options);
      const hosts = [bench.host, ...(await openOthers(options))];
      await payInvoice();
      await killCatchUp();
      await payInvoice();
      bench.host.work = async () => await sleep(100);
      await Promise.all(hosts.map(async (host) => await host.startTrigger()));
      await sleep(HOUR_MS / 4);
      expect(itemsOf(hosts)).toEqual(['catch_up', 'catch_up']);
      expect(problemsOf(hosts)).toEqual([]);
    },
  );

  test('a catch-up takes over a change if the process that took it over was killed too', async () => {
    await openSwitchedOff({}, options);
    const hosts = await openOthers(options);
    await payInvoice();
    await killCatchUp();
    for (const host of hosts) host.work = async () => await sleep(400_000);
    await catchUpIn(hosts);
    await sleep(250_000);
    const winner = hosts.find(({ executions }) => executions.length > 0);
    expect(itemsOf(hosts)).toEqual(['catch_up']);
    await winner?.restart();
    await sleep(HOUR_MS);
    expect(itemsOf(hosts)).toEqual(['catch_up']);
    expect(problemsOf(hosts)).toEqual([]);
  });

  test('a catch-up emits a change again if the execution that took it over fails', async () => {
    await openSwitchedOff({ options: { emitFailed: true } }, options);
    const hosts = await openOthers(options);
    await payInvoice();
    await killCatchUp();
    let count = 0;
    for (const host of hosts)
      host.work = async () => {
        count += 1;
        await sleep(30_000);
        if (count === 1) throw new Error('The CRM is down');
      };
    await catchUpIn(hosts);
    await sleep(HOUR_MS);
    expect(itemsOf(hosts)).toEqual(['catch_up', 'catch_up']);
    expect(problemsOf(hosts)).toEqual(['The CRM is down']);
  });

  test('no catch-up takes over a change while its execution runs in another process', async () => {
    await openSwitchedOff({}, options);
    const hosts = await openOthers(options);
    await payInvoice();
    bench.host.work = async () => await sleep(HOUR_MS / 2);
    await bench.host.startTrigger();
    await sleep(60_000);
    await catchUpIn(hosts);
    await sleep(2 * HOUR_MS);
    expect(itemsOf([bench.host, ...hosts])).toEqual(['catch_up']);
    expect(problemsOf(hosts)).toEqual([]);
    await catchUpIn(hosts);
    await sleep(HOUR_MS);
    expect(itemsOf([bench.host, ...hosts])).toEqual([]);
  });

  test.each(['never', 'onActivation'])(
    'one of two copies of a delivery in different processes is emitted after its worker was killed (Catch Up: %s)',
    async (catchUp) => {
      await open({ events: ['invoice_paid'], catchUp }, options);
      const hosts = await openOthers(options);
      bench.host.work = async () => await sleep(HOUR_MS);
      const body = bodyOf(bench);
      expect((await call(bench, { body })).status).toBe(200);
      await sleep(5_000);
      expect(itemsOf([bench.host])).toEqual(['webhook']);
      await bench.host.restart();
      const { pathname } = new URL(bench.host.url);
      const answers = hosts.map(async ({ address }) => await call(bench, { body, url: address + pathname }));
      for (const answer of answers) expect((await answer).status).toBe(200);
      await sleep(HOUR_MS);
      expect(itemsOf(hosts)).toEqual(['webhook']);
      expect(control().deliveries()).toEqual([]);
    },
  );

  test('either a copy of a delivery or a catch-up takes over the change of a killed execution', async () => {
    await openSwitchedOff({ options: { emitFailed: true } }, options);
    const hosts = await openOthers(options);
    bench.host.work = async () => await sleep(HOUR_MS);
    const body = bodyOf(bench, { data: { invoice_id: await payInvoice() } });
    await call(bench, { body });
    await sleep(5_000);
    expect(itemsOf([bench.host])).toEqual(['webhook']);
    await bench.host.restart();
    for (const host of hosts) host.work = async () => await sleep(400_000);
    const { pathname } = new URL(bench.host.url);
    await call(bench, { body, url: hosts[0].address + pathname });
    await hosts[1].startTrigger();
    await sleep(HOUR_MS);
    expect(itemsOf(hosts)).toHaveLength(1);
  });

  test('a copy of a delivery is emitted if the execution of the first copy fails after several minutes', async () => {
    await open({ events: ['invoice_paid'], catchUp: 'never' }, options);
    const hosts = await openOthers(options);
    bench.host.work = async () => {
      await sleep(HOUR_MS / 4);
      throw new Error('The CRM is down');
    };
    const body = bodyOf(bench);
    await call(bench, { body });
    await sleep(60_000);
    const { pathname } = new URL(bench.host.url);
    await call(bench, { body, url: hosts[0].address + pathname });
    await sleep(HOUR_MS / 8);
    expect(itemsOf(hosts)).toEqual([]);
    await sleep(HOUR_MS);
    expect(itemsOf(hosts)).toEqual(['webhook']);
  });
});
