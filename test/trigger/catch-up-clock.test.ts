import { sleep } from 'n8n-workflow';

import { bench, catchUp, control, namesOf, open, openSwitchedOff, payInvoice, switchOff } from './catch-up-bench';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const PATH = '/platform/invoice/payments';
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Changes the clocks of n8n and the sandbox. Only a list that contains other times then shows n8n's fault. */
const setClock = (hours: number) => void jest.setSystemTime(Date.now() + hours * HOUR_MS);

function list(...payments: object[]): void {
  control().clearFaults();
  const body = { code: 0, data: payments, totalPages: 1, totalRecords: payments.length };
  control().addFault({ kind: 'status', status: 200, method: 'GET', path: PATH, body });
}
const payment = (payment_id: number, daysAgo: number) => ({
  payment_id,
  tran_status: '',
  date_payment: dayAgo(daysAgo),
});

test.each([2, 30, 240])("after the first catch-up, n8n's clock can go back %d hours", async (hours) => {
  await openSwitchedOff();
  setClock(-hours);
  await control().advanceClock({ hours });
  await payInvoice();
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  expect(await catchUp()).toEqual([]);
  await sleep(DAY_MS);
  await payInvoice();
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  expect(bench.host.problems).toEqual([]);
});

test("catch-up emits the changes of the days in which n8n's clock was ahead", async () => {
  await open({ events: ['invoice_payment_success'] });
  await switchOff();
  await sleep(3 * DAY_MS);
  expect(await catchUp()).toEqual([]);
  const lastRead = dayAgo(3).slice(0, 10);
  await sleep(3 * DAY_MS);
  setClock(10 * 24);
  list();
  expect(await catchUp()).toEqual([]);
  setClock(-10 * 24);
  control().clearJournal();
  list(payment(1, 2.5));
  expect(namesOf(await catchUp())).toEqual(['invoice_payment_success']);
  expect(control().journal()).toMatchObject([{ query: { filter: `date_payment,GREATER,${lastRead}` } }]);
  expect(bench.host.problems).toEqual([]);
});

test("after n8n's clock was ahead, catch-up begins at the last time that it has read", async () => {
  await open({ events: ['invoice_payment_success'] });
  await switchOff();
  setClock(10 * 24);
  await catchUp();
  setClock(-10 * 24);
  await sleep(DAY_MS);
  await catchUp();
  const lastRead = dayAgo(3).slice(0, 10);
  await sleep(12 * DAY_MS);
  control().clearJournal();
  await catchUp();
  expect(control().journal()).toMatchObject([{ query: { filter: `date_payment,GREATER,${lastRead}` } }]);
});

test("changes are named once and not emitted if n8n's clock was ahead during the first catch-up", async () => {
  setClock(10 * 24);
  await open({ events: ['invoice_payment_success'] });
  await switchOff();
  setClock(-10 * 24);
  list(payment(1, 1));
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([expect.stringContaining('did not emit them: invoice_payment_success 1.')]);
  expect(await catchUp()).toEqual([]);
  await sleep(HOUR_MS);
  list(payment(1, 1), payment(2, 0));
  expect(namesOf(await catchUp())).toEqual(['invoice_payment_success']);
  expect(bench.host.problems).toHaveLength(1);
});
