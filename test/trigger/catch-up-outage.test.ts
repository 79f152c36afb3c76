import { sleep, type IDataObject } from 'n8n-workflow';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import { quantity } from '../quantity';
import { bench, catchUp, control, emitted, open, switchOff } from './catch-up-bench';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** More than one catch-up reads in a pass. */
const CHANGES = quantity(2_500, 5_000);
/** In queue mode, catch-up waits up to 150 seconds for a killed execution. */
const PASSES_MS = 8 * MINUTE_MS;

const PROCESSES = [
  ['one process', {}],
  ['queue mode', { workers: true }],
  ['n8n 1', { major: 1 }],
] as const;

const pages = (data: object[]) => ({ code: 0, data, totalPages: 1, totalRecords: data.length });
const list = (path: string, data: object[]) =>
  void control().addFault({ kind: 'status', status: 200, method: 'GET', path, body: pages(data) });

const entriesOf = ({ payload }: IDataObject): IDataObject[] => {
  const data = (payload as IDataObject).data as IDataObject;
  return (data.transactions as IDataObject[] | undefined) ?? [data];
};
const idsOf = (items: IDataObject[]) => items.flatMap(entriesOf).map(({ pg_id, rec_id }) => asText(pg_id ?? rec_id));

/** Creates transactions, disputes and card payments of invoices. Two fields identify a payment. */
function change(): string[] {
  control().addCapturedSales({ count: CHANGES / 10, amountCents: 500 });
  const settled = control().closeBatch();
  const number = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const payments = number(CHANGES * 0.4).map((id) => ({
    payment_id: id,
    invoice_id: id,
    pg_id: `P-${id}`,
    tran_status: 'S',
    date_payment: control().now(),
  }));
  const disputes = number(CHANGES * 0.5).map((id) => ({
    rec_id: `D-${id}`,
    status: 'OPEN',
    date_status_change: control().now(),
  }));
  list('/platform/invoice/payments', payments);
  list('/platform/dispute/browse', disputes);
  return [...settled, ...payments.map(({ pg_id }) => pg_id), ...disputes.map(({ rec_id }) => rec_id)];
}

const compare = (items: IDataObject[], ids: string[]) => {
  const found = idsOf(items);
  const all = new Set(found);
  return {
    emitted: all.size,
    missing: ids.filter((id) => !all.has(id)).length,
    doubled: found.length - all.size,
    problems: bench.host.problems,
  };
};
const COMPLETE = { emitted: CHANGES, missing: 0, doubled: 0, problems: [] };

describe.each(PROCESSES)('In %s', (_, options) => {
  beforeEach(async () => {
    await open({ events: ['transaction_status_updated', 'invoice_payment_success', 'dispute_update'] }, options);
    await switchOff();
  });

  test(`after an outage with ${CHANGES} changes in the first hour, one activation emits each of them once`, async () => {
    const ids = change();
    await bench.host.startTrigger();
    await sleep(PASSES_MS);
    expect(compare(await emitted(), ids)).toEqual(COMPLETE);
    await bench.host.restart();
    expect(await catchUp()).toEqual([]);
    expect(bench.host.problems).toEqual([]);
  });

  test(`if a later node fails, the trigger emits each of ${CHANGES} changes once`, async () => {
    const ids = change();
    bench.host.work = async () => await Promise.reject(new Error('The CRM is down'));
    await bench.host.startTrigger();
    await sleep(90 * MINUTE_MS);
    const { problems, ...found } = compare(await emitted(), ids);
    expect(found).toEqual({ emitted: CHANGES, missing: 0, doubled: 0 });
    expect(problems).toContainEqual(expect.stringContaining('did not succeed'));
    expect(problems).not.toContainEqual(expect.stringContaining('does not know'));
  });

  test(`if n8n is killed in every second execution, each of ${CHANGES} changes is in one that succeeds`, async () => {
    const ids = change();
    const items: IDataObject[] = [];
    let count = 0;
    bench.host.work = async (output) => {
      count += 1;
      if (count % 2 === 1) await sleep(24 * 60 * MINUTE_MS);
      items.push(...output.map(({ json }) => json));
    };
    for (let starts = 0; starts < 5; starts += 1) {
      await bench.host.startTrigger();
      await sleep(PASSES_MS);
      await bench.host.restart();
    }
    expect(compare(items, ids)).toEqual(COMPLETE);
  });
});

test('records that show no change do not keep catch-up from the others', async () => {
  await open({ events: ['subscription_complete'] });
  await switchOff();
  const ids = Array.from({ length: 2_100 }, (_, index) => index + 1);
  const payment = { tran_status: 'C', amt_tran: 12, tran_time: control().now() };
  list(
    '/platform/subscription/transactions',
    ids.map((id) => ({ ...payment, pg_id: `P-${id}`, subscription_id: id })),
  );
  for (const id of ids) {
    const data = { subscription_id: id, status: id === ids.length ? 'D' : 'A' };
    const rule = { kind: 'status', status: 200, method: 'GET', path: `/platform/subscription/${id}` } as const;
    control().addFault({ ...rule, body: { code: 0, data } });
  }
  const before = bench.host.handed.length;
  // Catch-up loads the records again in the next hour.
  await sleep(HOUR_MS - (Date.now() % HOUR_MS));
  await bench.host.startTrigger();
  await sleep(20 * MINUTE_MS);
  expect((await emitted()).map(({ event }) => event)).toEqual(['subscription_complete']);
  expect(bench.host.handed).toHaveLength(before + 2);
  expect(bench.host.problems).toEqual([expect.stringContaining('stopped after 2000 changes')]);
});
