import type { IDataObject } from 'n8n-workflow';

import { status } from '../../../nodes/PaymentPlatform/resources/checkout/status';

const approved = (more: IDataObject = {}) => ({
  pg_id: 'p1',
  status: 'Approved',
  rcode: '000',
  amt_tran: 100,
  ...more,
});
const link = (transactions: unknown, more: IDataObject = {}) =>
  ({ checkout_id: 'c1', amt_tran: 100, amt_balance: 0, transactions, ...more }) as IDataObject;

function said(record: IDataObject) {
  const { paid, amt_paid } = status(record);
  return paid === undefined && amt_paid === undefined ? 'nothing' : { paid, amt_paid };
}

test.each([
  ['one approved sale', [approved()], { paid: true, amt_paid: 100 }],
  ['one that is no list', approved(), { paid: true, amt_paid: 100 }],
  ['an approved sale that says so', [approved({ request_type: 'SALE' })], { paid: true, amt_paid: 100 }],
  [
    'a capture after a reservation',
    [approved({ request_type: 'auth' }), approved({ pg_id: 'p2', request_type: 'capture' })],
    { paid: true, amt_paid: 100 },
  ],
  [
    'two parts',
    [approved({ amt_tran: 30.3 }), approved({ pg_id: 'p2', amt_tran: '69.70' })],
    { paid: true, amt_paid: 100 },
  ],
  ['a part', [approved({ amt_tran: 30.3 })], { paid: false, amt_paid: 30.3 }],
  ['a part that the issuer approved', [approved({ rcode: '010', amt_tran: 40 })], { paid: false, amt_paid: 40 }],
  ['more than was asked', [approved({ amt_tran: 103 })], { paid: true, amt_paid: 103 }],
  ['a decline and a sale', [approved({ status: 'Declined', rcode: '005' }), approved()], { paid: true, amt_paid: 100 }],
  ['a decline', [approved({ status: 'Declined', rcode: '005' })], { paid: false, amt_paid: 0 }],
  [
    'a decline with an unreadable amount',
    [approved({ status: 'Declined', rcode: '005', amt_tran: 'x' })],
    { paid: false, amt_paid: 0 },
  ],
  ['no transaction', [], { paid: false, amt_paid: 0 }],
  ['a sale without a code', [approved({ rcode: undefined })], { paid: true, amt_paid: 100 }],
  ['a sale without a status', [approved({ status: undefined })], { paid: true, amt_paid: 100 }],
  ['a sale with its code as a number', [approved({ status: undefined, rcode: 0 })], { paid: true, amt_paid: 100 }],
  ['a decline without a status', [approved({ status: undefined, rcode: 51 })], { paid: false, amt_paid: 0 }],
  ['a check of the card', [approved({ rcode: '085' })], { paid: false, amt_paid: 0 }],
  ['a verification', [approved({ request_type: 'verify' })], { paid: false, amt_paid: 0 }],
  ['a sale that was voided', [approved({ tran_status: 'V' })], { paid: false, amt_paid: 0 }],
  ['a settled sale', [approved({ tran_status: 'S' })], { paid: true, amt_paid: 100 }],
  [
    'a sale and a refund of a part',
    [approved(), approved({ pg_id: 'p2', request_type: 'refund', amt_tran: 25.5 })],
    { paid: false, amt_paid: 74.5 },
  ],
  [
    'a sale and a refund with a minus',
    [approved(), approved({ pg_id: 'p2', request_type: 'refund', amt_tran: -100 })],
    { paid: false, amt_paid: 0 },
  ],
  ['the same sale twice', [approved(), approved()], { paid: true, amt_paid: 100 }],
  [
    'two sales without an ID',
    [approved({ pg_id: undefined, amt_tran: 40 }), approved({ pg_id: undefined, amt_tran: 60 })],
    { paid: true, amt_paid: 100 },
  ],
  ['a sale in the currency of the link', [approved({ tran_currency: '840' })], { paid: true, amt_paid: 100 }],
])('calculates money received for %s', (_, transactions, wanted) => {
  expect(said(link(transactions, { amt_balance: _ === 'no transaction' ? 100 : 0, tran_currency: '840' }))).toEqual(
    wanted,
  );
});

test.each([
  ['the link asks for', approved(), { request_type: 'auth' }],
  ['the link asks for, in capitals', approved(), { request_type: ' AUTH ' }],
  ['the transaction says', approved({ request_type: 'auth' }), { request_type: 'sale' }],
  ['its status says', approved({ tran_status: 'A' }), {}],
  ['its status says, while it is held', approved({ tran_status: 'H' }), {}],
])("doesn't count a reservation that %s as a payment", (_, transaction, preferences) => {
  const record = link([transaction], { preferences });
  expect(said(record)).toEqual({ paid: false, amt_paid: 0 });
  expect(status(record).transactions_text).toMatch(/^Approved \(authorized only\): .*, pg_id p1$/);
});

test('counts a sale as a payment even if its link only authorizes payments', () => {
  const record = link([approved({ request_type: 'sale' })], { preferences: { request_type: 'auth' } });
  expect(said(record)).toEqual({ paid: true, amt_paid: 100 });
  expect(status(record).transactions_text).toBe('Approved: sale of 100.00, pg_id p1');
});

test.each([
  ['a record without transactions', undefined],
  ['no value for them', null],
  ['a transaction that is no record', ['p1']],
  ['a transaction without status and code', [{ pg_id: 'p1', amt_tran: 100 }]],
  ['a status that no one knows', [approved({ status: 'Pending' })]],
  ['a status and a code that disagree', [approved({ rcode: '005' })]],
  ['a decline with the code of success', [approved({ status: 'Declined' })]],
  ['a code of two meanings', [approved({ status: undefined, rcode: '004' })]],
  ['a fault of the service', [approved({ status: undefined, rcode: '999' })]],
  ['a kind that nobody knows', [approved({ request_type: 'void' })]],
  ['an unreadable amount', [approved({ amt_tran: '1,00' })]],
  ['no amount', [approved({ amt_tran: undefined })]],
  ['another currency', [approved({ tran_currency: '978' })]],
  [
    'a capture beside a sale',
    [approved(), approved({ pg_id: 'p2', request_type: 'sale' }), approved({ pg_id: 'p3', request_type: 'capture' })],
  ],
  ['no transaction, but less left than was asked', []],
])('returns no payment status for %s', (_, transactions) => {
  expect(said(link(transactions, { tran_currency: '840' }))).toBe('nothing');
});

test.each([undefined, 0, 'abc'])('returns no payment status for a link with the amount %p', (amt_tran) => {
  expect(said(link([approved()], { amt_tran }))).toBe('nothing');
});

test('accepts the status alone if the code has two meanings', () => {
  expect(said(link([approved({ rcode: '004' })]))).toEqual({ paid: true, amt_paid: 100 });
});

test('ignores the remaining balance', () => {
  expect(said(link([approved()], { amt_balance: 100 }))).toEqual({ paid: true, amt_paid: 100 });
  expect(said(link([approved({ amt_tran: 30 })], { amt_balance: undefined }))).toEqual({ paid: false, amt_paid: 30 });
  expect(said(link([], { amt_balance: undefined }))).toEqual({ paid: false, amt_paid: 0 });
});

test('keeps the main fields of the link in order and describes each transaction', () => {
  const record = link(
    [
      approved({
        request_type: 'sale',
        avs_result: 'Y',
        tran_time: '2026-05-04T10:00:00-0700',
        card_number: '4xxx',
        rmsg: 'm',
      }),
    ],
    { preferences: {}, purchase_id: 'o1' },
  );
  expect(Object.entries(status(record))).toEqual([
    ['checkout_id', 'c1'],
    ['purchase_id', 'o1'],
    ['paid', true],
    ['amt_tran', 100],
    ['amt_paid', 100],
    ['amt_balance', 0],
    ['transactions_text', 'Approved: sale of 100.00 at 2026-05-04 17:00 UTC, pg_id p1'],
  ]);
  expect(status(link(undefined)).transactions_text).toBe('');
});
