import { sleep } from 'n8n-workflow';

import { webhookIdOf } from './bench';
import {
  bench,
  catchUp,
  control,
  emitted,
  namesOf,
  open,
  openSwitchedOff,
  payInvoice,
  request,
  switchOff,
} from './catch-up-bench';

const PROCESSES = [
  ['one process', {}],
  ['queue mode', { workers: true }],
  ['n8n 1', { major: 1 }],
] as const;

const HOUR_MS = 3_600_000;

const switchOn = async () => void (await request('put', `/platform/webhook/${webhookIdOf(bench)}/enable`));
/** Starts catch-up, and returns while it reads the record of an invoice. */
async function catchUpSlowly(): Promise<void> {
  control().addLatency({ path: '/platform/invoice/{invoice_id}/detail', milliseconds: 8_000 });
  await bench.host.startTrigger();
  await sleep(14_000);
}

describe.each(PROCESSES)('In %s', (_, options) => {
  test('a delivery that arrives while catch-up reads its change is emitted, and catch-up omits it', async () => {
    await openSwitchedOff({}, options);
    const invoice_id = await payInvoice();
    await switchOn();
    await catchUpSlowly();
    await bench.deliver('invoice_paid', { invoice_id });
    const items = await emitted();
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ source: 'webhook' });
    control().clearLatency();
    expect(await catchUp()).toEqual([]);
  });

  test('if a schedule comes while a catch-up still runs, each change is emitted once', async () => {
    await openSwitchedOff({ catchUp: 'everyHour' }, options);
    await payInvoice();
    bench.host.work = async () => await sleep(2 * HOUR_MS);
    const [schedule] = bench.host.crons;
    const before = bench.host.handed.length;
    schedule?.tick();
    await sleep(HOUR_MS);
    await payInvoice();
    for (let times = 0; times < 2; times += 1) schedule?.tick();
    await sleep(HOUR_MS / 2);
    expect(bench.host.handed).toHaveLength(before + 1);
    await sleep(2 * HOUR_MS);
    expect(bench.host.handed).toHaveLength(before + 2);
    expect(namesOf(await emitted())).toEqual(['invoice_paid', 'invoice_paid']);
    expect(bench.host.problems).toEqual([]);
    expect(await catchUp()).toEqual([]);
  });

  test('three activations during an execution of several minutes emit each change once', async () => {
    await openSwitchedOff({}, options);
    await payInvoice();
    bench.host.work = async () => await sleep(HOUR_MS);
    for (let times = 0; times < 3; times += 1) {
      await bench.host.startTrigger();
      await sleep(60_000);
    }
    expect(namesOf(await emitted())).toEqual(['invoice_paid']);
    expect(await catchUp()).toEqual([]);
    expect(bench.host.problems).toEqual([]);
  });

  test('a delivery that arrives while the workflow processes a caught change is not emitted', async () => {
    await openSwitchedOff({}, options);
    const invoice_id = await payInvoice();
    await switchOn();
    bench.host.work = async () => await sleep(20_000);
    await bench.host.startTrigger();
    await sleep(15_000);
    await bench.deliver('invoice_paid', { invoice_id });
    const items = await emitted();
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ source: 'catch_up' });
    expect(await catchUp()).toEqual([]);
  });

  test.each(['failed', 'killed'])(
    'after an execution was %s and catch-up named its change, the trigger emits a delivery with another ID',
    async (end) => {
      await open({ events: ['invoice_payment_success'] }, options);
      const time = control().now();
      bench.host.work = async () => {
        await sleep(end === 'killed' ? 300_000 : 1_000);
        throw new Error('The CRM is down');
      };
      await bench.deliver('invoice_payment_success', { payment_id: 8101, date_payment: time });
      await sleep(5_000);
      if (end === 'killed') await bench.host.restart();
      expect(await emitted()).toHaveLength(1);
      bench.host.work = async () => await Promise.resolve();
      const payment = { payment_id: 8101, pg_id: 'T-8101', invoice_id: 8001, date_payment: time, tran_status: 'A' };
      const body = { code: 0, totalPages: 1, totalRecords: 1, data: [payment] };
      control().addFault({ kind: 'status', status: 200, path: '/platform/invoice/payments', body });
      await bench.host.startTrigger();
      await sleep(300_000);
      expect(await emitted()).toEqual([]);
      expect(bench.host.problems).toContainEqual(expect.stringContaining('8101'));
      await bench.deliver('invoice_payment_success', { pg_id: 'T-8101', date_payment: time });
      expect(await emitted()).toHaveLength(1);
    },
  );

  test('changes of a catch-up that was killed while it read are emitted by the next one', async () => {
    await openSwitchedOff({}, options);
    await payInvoice();
    await catchUpSlowly();
    await bench.host.restart();
    control().clearLatency();
    await bench.host.startTrigger();
    await sleep(300_000);
    expect(namesOf(await emitted())).toEqual(['invoice_paid']);
    expect(bench.host.problems).not.toContainEqual(expect.stringContaining('did not succeed'));
    expect(await catchUp()).toEqual([]);
  });

  test('changes of a catch-up that was canceled while it read are emitted by a delivery or the next catch-up', async () => {
    await openSwitchedOff({}, options);
    const invoices = [await payInvoice(), await payInvoice()];
    await switchOn();
    await catchUpSlowly();
    bench.host.cancelExecutions();
    await sleep(30_000);
    control().clearLatency();
    await bench.deliver('invoice_paid', { invoice_id: invoices[0] });
    expect(namesOf(await emitted())).toEqual(['invoice_paid']);
    expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
    expect(await catchUp()).toEqual([]);
  });

  test('a failed catch-up keeps the claim of a delivery that the workflow still processes', async () => {
    await open({ events: ['invoice_paid', 'dispute_update'] }, options);
    let working = true;
    bench.host.work = async () => {
      while (working) await sleep(1_000);
    };
    await payInvoice();
    await control().settleDeliveries();
    control().addFault({ kind: 'status', status: 503, path: '/platform/dispute/browse' });
    await bench.host.startTrigger();
    await sleep(40_000);
    control().clearFaults();
    await bench.host.startTrigger();
    await sleep(40_000);
    working = false;
    expect(namesOf(await emitted())).toEqual(['invoice_paid']);
    expect(await catchUp()).toEqual([]);
  });

  test.each([1, 10, 60, 200])(
    'catch-up ends if a delivery was canceled %d ms after its start',
    async (milliseconds) => {
      await open({ events: ['invoice_paid'] }, options);
      bench.host.work = async () => await sleep(30_000);
      const before = bench.host.handed.length;
      const invoices = [await payInvoice()];
      while (bench.host.handed.length === before) await sleep(1);
      await sleep(milliseconds);
      bench.host.cancelExecutions();
      await sleep(60_000);
      bench.host.work = async () => await Promise.resolve();
      await switchOff();
      invoices.push(await payInvoice());
      await bench.host.startTrigger();
      await sleep(400_000);
      const [first, item, ...others] = bench.host.executions.flat().map(({ json }) => json);
      expect(others).toEqual([]);
      expect(first?.source).toBe('webhook');
      expect(item).toMatchObject({ source: 'catch_up', payload: { data: { invoice_id: String(invoices[1]) } } });
      expect(item?.notice).toContain(`did not succeed: invoice_paid ${invoices[0]}.`);
    },
  );

  test('catch-up ends if a running execution has claimed only one of two identities of a payment', async () => {
    await open({ events: ['invoice_payment_success'] }, options);
    bench.host.work = async () => await sleep(60_000);
    control().fireEvent({ event: 'invoice_payment_success', data: { pg_id: 'P-1' } });
    await control().settleDeliveries();
    await sleep(2_000);
    const date_payment = control().now();
    const data = ['P-1', 'P-2'].map((pg_id, index) => ({
      payment_id: index + 1,
      pg_id,
      tran_status: 'S',
      date_payment,
    }));
    const body = { code: 0, data, totalPages: 1, totalRecords: data.length };
    control().addFault({ kind: 'status', status: 200, method: 'GET', path: '/platform/invoice/payments', body });
    await bench.host.startTrigger();
    await sleep(400_000);
    expect(bench.host.executions.flat().map(({ json }) => json.source)).toEqual(['webhook', 'catch_up']);
    expect(bench.host.problems).toEqual([]);
  });

  test('catch-up names a payment if n8n was killed in an execution that had claimed one of its two identities', async () => {
    await open({ events: ['invoice_payment_success'] }, options);
    bench.host.work = async () => await sleep(300_000);
    control().fireEvent({ event: 'invoice_payment_success', data: { pg_id: 'P-1' } });
    await control().settleDeliveries();
    await sleep(5_000);
    expect(bench.host.executions.splice(0)).toHaveLength(1);
    await bench.host.restart();
    bench.host.work = async () => await Promise.resolve();
    const data = [{ payment_id: 1, pg_id: 'P-1', tran_status: 'S', date_payment: control().now() }];
    const body = { code: 0, data, totalPages: 1, totalRecords: data.length };
    control().addFault({ kind: 'status', status: 200, method: 'GET', path: '/platform/invoice/payments', body });
    await bench.host.startTrigger();
    await sleep(300_000);
    expect(await emitted()).toEqual([]);
    const told = 'did not succeed: invoice_payment_success 1 P-1.';
    expect(bench.host.problems).toEqual([expect.stringContaining(told)]);
  });

  test.each([true, false])(
    'an event whose execution waits is not emitted again, and catch-up ends (Emit Failed Events Again: %p)',
    async (emitFailed) => {
      await open({ events: ['invoice_paid'], catchUp: 'everyHour', options: { emitFailed } }, options);
      bench.host.waits = true;
      await payInvoice();
      expect(namesOf(await emitted())).toEqual(['invoice_paid']);
      const [schedule] = bench.host.crons;
      schedule?.tick();
      await sleep(10 * HOUR_MS);
      expect(await emitted()).toEqual([]);
      await bench.host.restart();
      expect(await catchUp()).toEqual([]);
      expect(bench.host.problems).toEqual([]);
      await switchOff();
      await payInvoice();
      expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
      await bench.host.restart();
      expect(await catchUp()).toEqual([]);
      expect(bench.host.problems).toEqual([]);
    },
  );
});
