import { DateTime } from 'luxon';
import { sleep } from 'n8n-workflow';

import { REPORT_ZONE } from '../../nodes/PaymentPlatform/fields/kinds/date';
import { credentialFor } from '../credential';
import {
  bench,
  bounce,
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
const PAYMENTS = '/platform/invoice/payments';

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

/** Kills n8n during the first catch-up, at the begin of an hour. */
async function killFirst(path: string): Promise<void> {
  await sleep(HOUR_MS - (Date.now() % HOUR_MS));
  bench.host.parameters = { ...bench.host.parameters, catchUp: 'onActivation' };
  control().addLatency({ path, milliseconds: 8_000 });
  await bench.host.startTrigger();
  await sleep(14_000);
  await bench.host.restart();
  control().clearLatency();
  await sleep(10_000);
  bench.host.problems.length = 0;
}

const hourAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
/** The service's reports show dates in their own zone. */
const dateAgo = (hours: number) => DateTime.now().minus({ hours }).setZone(REPORT_ZONE).toISODate();
const list = (path: string, data: object[]) => {
  const body = { code: 0, data, totalPages: 1, totalRecords: data.length };
  control().addFault({ kind: 'status', status: 200, method: 'GET', path, body });
};

test('changes after the first catch-up began are emitted although n8n was killed during it', async () => {
  await openSwitchedOff({ catchUp: 'never' });
  await payInvoice();
  await killFirst(PAYMENTS);
  await sleep(36 * HOUR_MS);
  await payInvoice();
  await sleep(24 * HOUR_MS);
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([]);
});

test('changes of the hour in which n8n was killed during the first catch-up are named once and not emitted', async () => {
  await openSwitchedOff({ catchUp: 'never', events: ['invoice_payment_success'] });
  await killFirst(PAYMENTS);
  const times = [hourAgo(2), hourAgo(0), dateAgo(0), '', 'soon', hourAgo(-2), dateAgo(72)];
  list(
    PAYMENTS,
    times.map((date_payment, index) => ({ payment_id: index + 1, tran_status: '', date_payment })),
  );
  await sleep(4 * HOUR_MS);
  const [item, ...others] = await catchUp();
  expect(others).toEqual([]);
  expect(item).toMatchObject({ payload: { data: { payment_id: '6' } } });
  const names = [2, 3, 4, 5].map((id) => `invoice_payment_success ${id}`).join(', ');
  expect(item?.notice).toContain(`so it did not emit them: ${names}.`);
  expect(await catchUp()).toEqual([]);
  await bench.host.restart();
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([]);
});

test('a transaction of before whose status may have changed since the killed first catch-up is named', async () => {
  await openSwitchedOff({ catchUp: 'never', events: ['transaction_status_updated'] });
  const path = '/platform/reporting/transaction-requests';
  await killFirst(path);
  list(
    path,
    [10, 3].map((days) => ({ pg_id: `T-${days}`, tran_status: 'S', tran_time: hourAgo(days * 24) })),
  );
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([
    expect.stringContaining('did not emit them: transaction_status_updated T-3 S.'),
  ]);
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toHaveLength(1);
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

test('changes while the account was not selected are emitted when it is selected again', async () => {
  await openSwitchedOff({ events: ['invoice_paid'] });
  const { credential } = bench.host;
  bench.host.credential = credentialFor(bench.sandbox, 'production');
  expect(await catchUp()).toEqual([]);
  await payInvoice();
  for (let times = 0; times < 2; times += 1) {
    await sleep(72 * HOUR_MS);
    expect(await catchUp()).toEqual([]);
  }
  bench.host.credential = credential;
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([]);
});

test('changes while an event was not selected are emitted when it is selected again', async () => {
  await openSwitchedOff({ events: ['invoice_paid', 'dispute_update'] });
  expect(await choose({ events: ['dispute_update'] })).toEqual([]);
  await payInvoice();
  for (let times = 0; times < 2; times += 1) {
    await sleep(72 * HOUR_MS);
    expect(await catchUp()).toEqual([]);
  }
  expect(namesOf(await choose({ events: ['invoice_paid', 'dispute_update'] }))).toEqual(['invoice_paid']);
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([]);
});

test('an event is new again if it was not selected for more than 30 days', async () => {
  await openSwitchedOff({ events: ['invoice_paid', 'dispute_update'] });
  expect(await choose({ events: ['dispute_update'] })).toEqual([]);
  for (let times = 0; times < 4; times += 1) {
    await sleep(8 * 24 * HOUR_MS);
    await catchUp();
  }
  await payInvoice();
  expect(await choose({ events: ['invoice_paid', 'dispute_update'] })).toEqual([]);
  await payInvoice();
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  expect(bench.host.problems).toEqual([]);
});

test.each([
  ['omits a change that an earlier one read with another filter', true, []],
  ['emits a change that a filter held back when the webhook received it', false, ['transaction_status_updated']],
])('catch-up %s', async (_, isRead, found) => {
  await open({ events: ['transaction_status_updated'], options: { onlyAmountsFrom: '6' } });
  control().addCapturedSales({ count: 1, amountCents: 500 });
  control().closeBatch();
  expect(await emitted()).toEqual([]);
  if (isRead) expect(await catchUp()).toEqual([]);
  expect(namesOf(await choose({ options: {} }))).toEqual(found);
  expect(await catchUp()).toEqual([]);
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
  await payInvoice();
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

test('changes from before the first catch-up that the list shows late are named but not emitted', async () => {
  await openSwitchedOff({ events: ['invoice_email_undeliverable'], catchUp: 'never' });
  control().setListLag(24 * HOUR_MS);
  await bounce();
  await sleep(2 * HOUR_MS);
  expect(await choose({ catchUp: 'onActivation' })).toEqual([]);
  control().setListLag(0);
  for (let times = 0; times < 2; times += 1) expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([expect.stringContaining('did not emit them: invoice_email_undeliverable 7001')]);
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
