import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import type { FaultRule } from '../../sandbox/control/faults';
import { INVOICE_BODY } from '../sandbox/client';
import {
  bench,
  catchUp,
  control,
  namesOf,
  open,
  openSwitchedOff,
  payInvoice,
  request,
  switchOff,
} from './catch-up-bench';

const PAYMENTS = '/platform/invoice/payments';
const DISPUTES = '/platform/dispute/browse';
const answer = (body: object): FaultRule => ({ kind: 'status', status: 200, body: { code: 0, ...body } });
const fault = (path: string, rule: FaultRule) => void control().addFault({ ...rule, method: 'GET', path });
const FORBIDDEN = { kind: 'status', status: 403, code: 6 } as const;
const UNKNOWN = { kind: 'status', status: 404, code: 7 } as const;

const today = () => `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
const check = (fields: object) => ({
  type: 'CHECK',
  status: 'PAID',
  tran_status: '',
  date_payment: today(),
  ...fields,
});

/** Expects that catch-up fails, and that the next one emits the change. */
async function expectLater(problem: RegExp): Promise<void> {
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([expect.stringMatching(problem)]);
  control().clearFaults();
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  expect(await catchUp()).toEqual([]);
}

const LISTS: Array<[string, FaultRule]> = [
  ['no data', answer({})],
  ['null', answer({ data: null })],
  ['text', answer({ data: 'x' })],
  ['entries that are no records', answer({ data: [null] })],
  ['a payment without an ID', answer({ data: [{ invoice_id: 1 }], totalPages: 1, totalRecords: 1 })],
  ['no payments although it announces one', answer({ data: [], totalPages: 1, totalRecords: 1 })],
  ['fewer payments than it announces', answer({ data: [{ payment_id: 1 }], totalPages: 1, totalRecords: 2 })],
  ['an unreadable total', answer({ data: [{ payment_id: 1 }], totalPages: 1, totalRecords: 'many' })],
  ['a refusal', answer({ code: 99, message: 'Internal error' })],
  ['the page of a proxy', { kind: 'html_error_page', status: 200 }],
];

test.each(LISTS)('a list that contains %s makes catch-up fail, and the next one emits the change', async (_, rule) => {
  await openSwitchedOff();
  await payInvoice();
  fault(PAYMENTS, rule);
  await expectLater(/^The trigger could not catch up: /);
});

const RECORDS: Array<[string, object]> = [
  ['nothing', { data: null }],
  ['an empty record', { data: {} }],
  ['a list', { data: [] }],
  ['another invoice', { data: { invoice_id: 999, status: 'PAID' } }],
  ['an invoice without a status', { data: { invoice_id: 7001, status: null } }],
];

test.each(RECORDS)(
  'a record that contains %s makes catch-up fail, and the next one emits the change',
  async (_, body) => {
    await openSwitchedOff();
    await payInvoice();
    fault('/platform/invoice/{invoice_id}/detail', answer(body));
    await expectLater(/^The trigger could not catch up: The node could not/);
  },
);

test('catch-up names a change whose record no longer exists once, and emits the others', async () => {
  await openSwitchedOff();
  const [gone] = [await payInvoice(), await payInvoice()];
  fault(`/platform/invoice/${gone}/detail`, UNKNOWN);
  const [item, ...others] = await catchUp();
  expect(others).toEqual([]);
  expect(item?.notice).toContain(
    `no longer has the records of these changes, so the trigger did not emit them: invoice_paid ${gone}`,
  );
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([]);
});

test('catch-up names the suspension of a subscription whose record no longer exists once', async () => {
  await openSwitchedOff({ events: ['subscription_suspended'] });
  const payment = (id: number) => ({ pg_id: `T-${id}`, tran_status: 'D', amt_tran: 12, subscription_id: id });
  const data = [1, 2, 2].map((id) => ({ ...payment(id), tran_time: control().now() }));
  fault('/platform/subscription/transactions', answer({ data, totalPages: 1, totalRecords: data.length }));
  for (const id of [1, 2]) fault(`/platform/subscription/${id}`, UNKNOWN);
  for (let times = 0; times < 2; times += 1) expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([
    expect.stringContaining('did not emit them: subscription_suspended 1, subscription_suspended 2.'),
  ]);
});

test('catch-up names records without IDs once in each execution', async () => {
  await openSwitchedOff({ events: ['invoice_paid', 'invoice_email_undeliverable'] });
  const data = [{ recipient: 'ada' }, { recipient: 'bob' }].map((bounced) => ({ ...bounced, db_timestamp: today() }));
  fault('/platform/invoice/bounced', answer({ data, totalPages: 1, totalRecords: data.length }));
  await payInvoice();
  const [item, ...others] = await catchUp();
  expect(others).toEqual([]);
  expect(item?.notice).toContain('no IDs, so the trigger did not emit them: 2 invoice_email_undeliverable.');
  for (let times = 0; times < 2; times += 1) expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([]);
});

test.each([undefined, null, '', 0, '../vault/customer'])(
  'catch-up emits a payment of the subscription %p, which it cannot read',
  async (subscription_id) => {
    await open({ events: ['subscription_payment_success', 'subscription_complete'] });
    await switchOff();
    const payment = { pg_id: 'T-1', tran_status: 'B', amt_tran: 12, tran_time: control().now(), subscription_id };
    fault('/platform/subscription/transactions', answer({ data: [payment], totalPages: 1, totalRecords: 1 }));
    const [item, ...others] = await catchUp();
    expect(others).toEqual([]);
    expect((item?.payload as IDataObject).data).toMatchObject({ pg_id: 'T-1', amt_tran: 12 });
    expect(item?.notice).toContain('The service no longer has the record of this subscription.');
    expect(await catchUp()).toEqual([]);
  },
);

test('if the account lacks a feature, catch-up logs this and emits the other changes', async () => {
  await openSwitchedOff({ events: ['invoice_paid', 'dispute_update'] });
  fault(DISPUTES, FORBIDDEN);
  await payInvoice();
  const [item, ...others] = await catchUp();
  expect(others).toEqual([]);
  expect(item).toMatchObject({ event: 'invoice_paid' });
  expect(bench.host.problems).toEqual([]);
  expect(bench.host.log.map(({ text }) => text).join('\n')).toContain(DISPUTES);
});

test('if the service refuses every list, catch-up fails, and the next one emits the changes', async () => {
  await openSwitchedOff({ events: ['invoice_paid', 'dispute_update'] });
  for (const path of [DISPUTES, PAYMENTS]) fault(path, FORBIDDEN);
  await payInvoice();
  await expectLater(/^The trigger could not catch up: /);
});

describe('an invoice that was not paid in full', () => {
  let path = '';
  const pay = async (amt_paid: number) =>
    await request('post', path, { type: 'CHECK', amt_paid, date_payment: control().now() });

  beforeEach(async () => {
    await openSwitchedOff();
    const { invoice_id } = await request('post', '/platform/invoice', INVOICE_BODY);
    await request('post', `/platform/invoice/${asText(invoice_id)}/send`, { email_address: ['ada@example.com'] });
    path = `/platform/invoice/${asText(invoice_id)}/payments`;
  });

  test('is emitted after a person has corrected its payment', async () => {
    const { payment_id, date_payment } = await pay(1);
    for (let times = 0; times < 2; times += 1) expect(await catchUp()).toEqual([]);
    await control().advanceClock({ days: 1 });
    expect(await catchUp()).toEqual([]);
    await request('put', `${path}/${asText(payment_id)}`, { type: 'CHECK', amt_paid: 100, date_payment });
    expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  });

  test('is emitted after another payment on the same day, in any order', async () => {
    const { payment_id: id, invoice_id } = await pay(1);
    expect(await catchUp()).toEqual([]);
    const { payment_id: other } = await pay(99);
    const data = [
      check({ payment_id: other, invoice_id, amt_paid: 99 }),
      check({ payment_id: id, invoice_id, amt_paid: 1 }),
    ];
    fault(PAYMENTS, answer({ data, totalPages: 1, totalRecords: 2 }));
    expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  });
});

test.each([0, '0', 'null', null, ''])('payments with the pg_id %p are different payments', async (pg_id) => {
  await openSwitchedOff({ events: ['invoice_payment_success'] });
  const data = [1, 2].map((payment_id) => check({ payment_id, invoice_id: payment_id, amt_paid: 1, pg_id }));
  fault(PAYMENTS, answer({ data, totalPages: 1, totalRecords: 2 }));
  expect(await catchUp()).toHaveLength(2);
  expect(await catchUp()).toEqual([]);
});

test.each([
  [
    'payments',
    'invoice_payment_success',
    PAYMENTS,
    [1, 2].map((payment_id) => check({ payment_id, pg_id: 'P-1' })),
    '2 P-1',
  ],
  [
    'emails',
    'invoice_email_undeliverable',
    '/platform/invoice/bounced',
    ['ada', 'bob'].map((recipient) => ({ invoice_id: 7001, recipient, db_timestamp: today() })),
    `7001 ${today()}`,
  ],
])('if the IDs of two %s are the same, catch-up emits one of them and names the other once', async (...given) => {
  const [, event, path, data, name] = given;
  await openSwitchedOff({ events: [event] });
  fault(path, answer({ data, totalPages: 1, totalRecords: 2 }));
  const [item, ...others] = await catchUp();
  expect(others).toEqual([]);
  expect(item?.notice).toContain(`so it did not emit them: ${event} ${name}.`);
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([]);
});

test('with Emit Failed Events Again, catch-up names an uncertain change only once', async () => {
  await open({ events: ['invoice_paid'], options: { emitFailed: true } });
  await bench.deliver('invoice_paid', { invoice_number: 'INV-1' });
  await switchOff();
  await payInvoice();
  bench.host.executions.length = 0;
  for (let times = 0; times < 2; times += 1) expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toEqual([expect.stringContaining('did not emit them: invoice_paid')]);
});
