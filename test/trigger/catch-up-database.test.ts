import { sleep, type IDataObject } from 'n8n-workflow';

import {
  bench,
  catchUp,
  emitted,
  namesOf,
  open,
  openProcess,
  openSwitchedOff,
  payInvoice,
  switchOff,
} from './catch-up-bench';
import { quantity } from '../quantity';

const MAJOR = { major: 1 } as const;
/** Positions of the first refused access to keys, after the start. */
const POSITIONS = Array.from({ length: 14 }, (_, index) => 2 + 2 * index);
/** By this time, the node has repeated a refused access. */
const RECOVERED_MS = 12_000;
/** The node repeats an access once. */
const REFUSED = 3;

const idsOf = (items: IDataObject[]) =>
  items.map(({ payload }) => Number(((payload as IDataObject).data as IDataObject).invoice_id));

/** Runs a step during which n8n's database refuses some accesses. */
async function refusing(position: number, step: () => Promise<IDataObject[]>): Promise<number[]> {
  const { database } = bench.host;
  const first = database.accesses + position;
  database.refuses = (access) => access >= first && access < first + REFUSED;
  const ids = idsOf(await step());
  database.refuses = () => false;
  return ids;
}

/** Returns the invoices that the next catch-ups emit, also after a restart. */
async function later(): Promise<number[]> {
  const ids = [...idsOf(await catchUp()), ...idsOf(await catchUp())];
  await bench.host.restart();
  return [...ids, ...idsOf(await catchUp())];
}

describe.each(POSITIONS)("if n8n's database refuses access %d", (position) => {
  test('of catch-up, each change is emitted once', async () => {
    await openSwitchedOff({}, MAJOR);
    const invoices = [await payInvoice(), await payInvoice()];
    const ids = await refusing(position, catchUp);
    expect([...ids, ...(await later())].sort()).toEqual(invoices);
  });

  test('of the first catch-up, no catch-up emits a change from before', async () => {
    await openSwitchedOff({ catchUp: 'never' }, MAJOR);
    await payInvoice();
    bench.host.parameters = { ...bench.host.parameters, catchUp: 'onActivation' };
    expect(await refusing(position, catchUp)).toEqual([]);
    expect(await later()).toEqual([]);
  });

  test('of a delivery, no catch-up emits its change again or waits for ever', async () => {
    await open({ events: ['invoice_paid'] }, MAJOR);
    const ids = await refusing(position, async () => {
      await payInvoice();
      return await emitted();
    });
    expect(ids).toHaveLength(1);
    await bench.host.startTrigger();
    await sleep(400_000);
    expect(bench.host.database.executions.size).toBe(3);
    expect(await later()).toEqual([]);
  });
});

describe.each([
  ['one process', {}],
  ['queue mode', { workers: true }],
  ['n8n 1', MAJOR],
] as const)("In %s, if n8n's database refuses every access for a long time", (_, options) => {
  const refuses = (isRefused: boolean) => void (bench.host.database.refuses = () => isRefused);

  /** Catches up in this process and in another process, also after a restart. */
  async function catchUpEverywhere(): Promise<IDataObject[]> {
    const other = await openProcess(options);
    if ('workers' in options) await other.startTrigger();
    await sleep(400_000);
    const items = other.executions.flatMap((output) => output.map(({ json }) => json));
    await other.close();
    items.push(...(await catchUp()));
    await bench.host.restart();
    return [...items, ...(await catchUp())];
  }

  test('no catch-up emits a delivery of that time again', async () => {
    await open({ events: ['invoice_paid'] }, options);
    refuses(true);
    await payInvoice();
    expect(await emitted()).toHaveLength(1);
    await sleep(600_000);
    refuses(false);
    await sleep(RECOVERED_MS);
    expect(await catchUpEverywhere()).toEqual([]);
    expect(bench.host.problems).toEqual([]);
  });

  test('catch-up names a change that a delivery of that time may have reported without an ID', async () => {
    await open({ events: ['invoice_paid'] }, options);
    refuses(true);
    await bench.deliver('invoice_paid', { invoice_number: 'INV-1' });
    expect(await emitted()).toHaveLength(1);
    refuses(false);
    await sleep(RECOVERED_MS);
    await switchOff();
    const invoice = await payInvoice();
    expect(await catchUp()).toEqual([]);
    expect(bench.host.problems).toEqual([expect.stringContaining(`did not emit them: invoice_paid ${invoice}`)]);
  });

  test('no catch-up emits a delivery again whose execution ended in that time', async () => {
    await open({ events: ['invoice_paid'] }, options);
    bench.host.work = async () => await Promise.resolve(refuses(true));
    await payInvoice();
    expect(await emitted()).toHaveLength(1);
    await sleep(600_000);
    refuses(false);
    await sleep(RECOVERED_MS);
    expect(await catchUpEverywhere()).toEqual([]);
    expect(bench.host.problems).toEqual([]);
  });

  test('no catch-up emits a delivery again whose execution runs longer', async () => {
    await open({ events: ['invoice_paid'] }, options);
    refuses(true);
    bench.host.work = async () => await sleep(100_000);
    await payInvoice();
    await sleep(20_000);
    refuses(false);
    await sleep(RECOVERED_MS);
    await bench.host.startTrigger();
    expect(idsOf(await emitted())).toHaveLength(1);
    expect(await catchUpEverywhere()).toEqual([]);
  });

  test('no catch-up emits a change again whose catch-up ended in that time', async () => {
    await openSwitchedOff({}, options);
    await payInvoice();
    bench.host.work = async () => await Promise.resolve(refuses(true));
    await bench.host.startTrigger();
    expect(idsOf(await emitted())).toHaveLength(1);
    bench.host.work = async () => await Promise.resolve();
    await sleep(600_000);
    refuses(false);
    await sleep(RECOVERED_MS);
    expect(await catchUpEverywhere()).toEqual([]);
  });
});

const EVERY = quantity(4, 1);

/** Kills n8n at an access to keys: before the access, or before n8n knows its result. */
function killAt(position: number, isWritten: boolean): void {
  const { database } = bench.host;
  let count = 0;
  const killed = async (write: () => Promise<unknown>) => {
    count += 1;
    if (count !== position) return await write();
    if (isWritten) await write();
    void bench.host.restart();
    return await new Promise(() => undefined);
  };
  for (const name of ['check', 'remove'] as const) {
    const write = database[name].bind(database) as (...given: unknown[]) => Promise<unknown>;
    database[name] = (async (...given: unknown[]) => await killed(async () => await write(...given))) as never;
  }
}

describe.each([
  ['one process', {}],
  ['queue mode', { workers: true }],
] as const)('In %s', (_, options) => {
  test.each(
    Array.from({ length: 48 / EVERY }, (__, index) => 1 + EVERY * index).flatMap(
      (position): Array<[number, boolean]> => [
        [position, true],
        [position, false],
      ],
    ),
  )('no change is lost if n8n is killed at access %d of catch-up (written: %p)', async (position, isWritten) => {
    await openSwitchedOff({}, options);
    const invoices = [await payInvoice(), await payInvoice()];
    killAt(position, isWritten);
    const killed = idsOf(await catchUp());
    await bench.host.startTrigger();
    await sleep(300_000);
    const ids = idsOf(await emitted());
    expect([...new Set([...killed, ...ids])].sort()).toEqual(invoices);
    expect(new Set(ids).size).toBe(ids.length);
    expect(bench.host.problems).not.toContainEqual(expect.stringContaining('did not'));
    expect(await later()).toEqual([]);
  });
});

test('an uncertain change is named once more if a killed search has hidden its keys', async () => {
  await open({ events: ['invoice_paid'] });
  await bench.deliver('invoice_paid', { invoice_number: 'INV-1' });
  await emitted();
  await switchOff();
  await payInvoice();
  expect(await catchUp()).toEqual([]);
  const { database, id } = bench.host;
  const known = database.marks.filter((mark) => mark.startsWith('known '));
  await database.check(
    known.map((mark) => `unproven ${mark}`),
    `${id} n:Trigger-id`,
    { mode: 'entries' },
  );
  for (let times = 0; times < 3; times += 1) expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toHaveLength(2);
});

/** Accesses of the search for the keys of selected events. */
const SELECTION = [12, 13, 14, 15, 16].flatMap((position): Array<[number, boolean]> => [
  [position, true],
  [position, false],
]);

test.each(SELECTION)(
  'no change from before its selection is emitted if n8n is killed at access %d (written: %p)',
  async (position, isWritten) => {
    await openSwitchedOff();
    await payInvoice();
    bench.host.parameters = { ...bench.host.parameters, events: ['invoice_paid', 'invoice_payment_success'] };
    killAt(position, isWritten);
    const items = await catchUp();
    await bench.host.startTrigger();
    await sleep(300_000);
    expect(namesOf([...items, ...(await emitted())])).toEqual(['invoice_paid']);
  },
);
