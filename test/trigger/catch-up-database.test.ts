import { sleep, type IDataObject } from 'n8n-workflow';

import { bench, catchUp, emitted, open, openSwitchedOff, payInvoice } from './catch-up-bench';

const MAJOR = { major: 1 } as const;
/** Positions of the first refused access to keys, after the start. */
const POSITIONS = Array.from({ length: 14 }, (_, index) => 2 + 2 * index);
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
