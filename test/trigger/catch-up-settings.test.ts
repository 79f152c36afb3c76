import { sleep } from 'n8n-workflow';

import { credentialFor } from '../credential';
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

const HOUR_MS = 3_600_000;

const choose = async (parameters: object) => {
  bench.host.parameters = { ...bench.host.parameters, ...parameters };
  return await catchUp();
};

const dispute = async () =>
  await request('get', `/platform/dispute/${bench.sandbox.credentials.test.merchantId}/create?reasonCode=10.4`);

/** Simulates a paid invoice of the production account. */
function payInProduction(): void {
  const list = { totalPages: 1, totalRecords: 1 };
  const payment = { payment_id: 8101, invoice_id: 8001, type: 'CHECK', date_payment: control().now(), tran_status: '' };
  for (const [path, body] of [
    ['/platform/invoice/payments', { ...list, data: [payment] }],
    ['/platform/invoice/8001/detail', { data: { invoice_id: 8001, status: 'PAID' } }],
  ] as const)
    control().addFault({ kind: 'status', status: 200, environment: 'production', path, body: { code: 0, ...body } });
}

test('changes after the first catch-up began are emitted although n8n was killed during it', async () => {
  await openSwitchedOff({ catchUp: 'never' });
  await payInvoice();
  bench.host.parameters = { ...bench.host.parameters, catchUp: 'onActivation' };
  control().addLatency({ path: '/platform/invoice/payments', milliseconds: 8_000 });
  await bench.host.startTrigger();
  await sleep(14_000);
  await bench.host.restart();
  control().clearLatency();
  await sleep(36 * HOUR_MS);
  await payInvoice();
  await sleep(24 * HOUR_MS);
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  expect(await catchUp()).toEqual([]);
});

test('changes that were delivered while catch-up was off are not emitted again after it is on', async () => {
  await open({ events: ['invoice_paid'] });
  expect(await choose({ catchUp: 'never' })).toEqual([]);
  await payInvoice();
  expect(namesOf(await emitted())).toEqual(['invoice_paid']);
  expect(await choose({ catchUp: 'everyHour' })).toEqual([]);
  expect(await catchUp()).toEqual([]);
});

test('changes from before a person selected their event are not emitted', async () => {
  await openSwitchedOff({ events: ['invoice_paid'] });
  await payInvoice();
  await dispute();
  expect(namesOf(await choose({ events: ['invoice_paid', 'dispute_update'] }))).toEqual(['invoice_paid']);
  expect(await catchUp()).toEqual([]);
  await dispute();
  expect(namesOf(await catchUp())).toEqual(['dispute_update']);
  await bench.host.restart();
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([]);
});

/** A delivery about a payment of four days ago makes catch-up read eight days. */
async function payLate(): Promise<void> {
  await bench.host.activate();
  await emitted();
  await payInvoice({ days: 4 });
  expect(namesOf(await emitted())).toEqual(['invoice_payment_success']);
  await switchOff();
}

/** Expects that catch-up emits only a new payment, and names the older one once. */
async function expectNamedOnce(): Promise<void> {
  await payLate();
  await payInvoice({ days: 1 });
  const [item, ...others] = await catchUp();
  expect(others).toEqual([]);
  expect(item?.notice).toMatch(/does not know whether the workflow received these changes.*: invoice_payment_success/);
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([]);
}

test('changes from before the first catch-up are named but not emitted after a late entry', async () => {
  await openSwitchedOff({ events: ['invoice_payment_success'], catchUp: 'never' });
  await payInvoice({ days: 5 });
  expect(await choose({ catchUp: 'onActivation' })).toEqual([]);
  await expectNamedOnce();
});

test('changes from before a person selected their event are named but not emitted after a late entry', async () => {
  await openSwitchedOff({ events: ['dispute_update'] });
  await payInvoice({ days: 5 });
  expect(await choose({ events: ['dispute_update', 'invoice_payment_success'] })).toEqual([]);
  await expectNamedOnce();
});

test('changes from before a person selected the account are not emitted', async () => {
  await openSwitchedOff({ events: ['invoice_paid'] });
  await payInvoice();
  const { credential } = bench.host;
  payInProduction();
  bench.host.credential = credentialFor(bench.sandbox, 'production');
  for (let times = 0; times < 2; times += 1) expect(await catchUp()).toEqual([]);
  bench.host.credential = credential;
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([]);
});
