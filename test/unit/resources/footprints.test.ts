import type { IDataObject } from 'n8n-workflow';

import { invoiceFootprint } from '../../../nodes/PaymentPlatform/resources/invoice/footprint';
import { rechargeFootprint } from '../../../nodes/PaymentPlatform/resources/transaction/recharge';
import {
  captureFootprint,
  kindOf,
  mayBeRefund,
  refundFootprint,
  voidFootprint,
} from '../../../nodes/PaymentPlatform/resources/transaction/footprint';

const refund = { path: { pgIdOrig: 'sale1' }, body: { amt_tran: 5 } };
const found: IDataObject = {
  pg_id: 'r1',
  pg_id_linked: 'sale1',
  request_type: 'refund',
  tran_status: 'C',
  rcode: '000',
  amt_tran: 5,
};

describe('a report record that belongs to a refund', () => {
  test.each<[string, IDataObject]>([
    ['as it is', {}],
    ['with its amount as text', { amt_tran: '5.00' }],
    ['with a minus', { amt_tran: -5 }],
    ['as a void, in capital letters', { request_type: 'VOID', tran_status: 'V' }],
    ['as a smaller capture', { request_type: 'capture', tran_status: 'V' }],
  ])('a record %s belongs to the write', (_, more) =>
    expect(refundFootprint.matches({ ...found, ...more }, refund)).toBe(true),
  );
});

describe("a report record that doesn't belong to a refund", () => {
  test.each<[string, IDataObject]>([
    ['of another sale', { pg_id_linked: 'sale2' }],
    ['of no sale', { pg_id_linked: undefined }],
    ['of another amount', { amt_tran: 5.01 }],
    ['with an unreadable amount', { amt_tran: 'five' }],
    ['of another type', { request_type: 'sale' }],
    ['that was declined', { rcode: '005' }],
    ['whose outcome is open', { rcode: '998' }],
    ['without a code', { rcode: undefined }],
    ['with the letter of one that was declined', { tran_status: 'D' }],
    ['that is held', { tran_status: 'H' }],
    ['that captured an authorization', { request_type: 'capture' }],
    ['with a letter between spaces', { tran_status: ' D ' }],
    ...['F', 'R', 'K'].map((tran_status): [string, IDataObject] => [`with the letter ${tran_status}`, { tran_status }]),
  ])("a record %s doesn't belong to the write", (_, more) =>
    expect(refundFootprint.matches({ ...found, ...more }, refund)).toBe(false),
  );

  test("a refund without an amount isn't searched for in the report", () => {
    expect(refundFootprint.isIdentifiable({ path: { pgIdOrig: 'sale1' }, body: {} })).toBe(false);
    expect(refundFootprint.isIdentifiable({ path: {}, body: { amt_tran: 5 } })).toBe(false);
  });
});

test("describes the refund by the record's type", () => {
  const says = (request_type: string) => refundFootprint.summary?.({ ...found, request_type }, refund);
  expect(says('refund')).toMatch(/^Refunded 5\.00/);
  expect(says('Void')).toMatch(/^Refunded 5\.00 .*by voiding the sale/);
  expect(says('capture')).toMatch(/^Refunded 5\.00 .*by reducing the sale/);
});

test('reads times of the report as Pacific time and a day as its midnight', () => {
  const time = (tran_time: unknown) =>
    refundFootprint
      .time?.({ tran_time } as IDataObject)
      ?.toUTC()
      .toISO();
  expect(time('2030-03-01 09:00:00')).toBe('2030-03-01T17:00:00.000Z');
  expect(time('2030-03-01T17:00:00.000Z')).toBe('2030-03-01T17:00:00.000Z');
  expect(time(undefined)).toBeUndefined();
});

test.each([
  ['Transaction voided', 'voided'],
  ['AMOUNT REDUCED', 'reduced'],
  ['Approved', 'refunded'],
])('the message %j means that the sale was %s', (message, kind) => expect(kindOf(message)).toBe(kind));

describe('a record of the report may be the refund', () => {
  test.each<[string, IDataObject]>([
    ['as it is', {}],
    ['with a minus', { amt_tran: '-5.00' }],
    ['with an amount that cannot be read', { amt_tran: 'five' }],
    ['of no named sale', { pg_id_linked: undefined }],
    ['as a void, in capital letters', { request_type: 'VOID' }],
    ['without a code', { rcode: ' ' }],
    ['whose outcome is open', { rcode: 998 }],
    ['after an internal error', { rcode: '999' }],
    ['with an approval as a number', { rcode: 8 }],
    ['with the letter of one that was declined', { tran_status: 'D' }],
  ])('%s', (_, more) => expect(mayBeRefund({ ...found, ...more } as typeof found, refund)).toBe(true));

  test.each<[string, IDataObject]>([
    ['of another amount', { amt_tran: 5.01 }],
    ['of another sale', { pg_id_linked: 'sale2' }],
    ['of another type', { request_type: 'sale' }],
    ['that was declined', { rcode: 5 }],
  ])("a record of the report that is %s isn't the refund", (_, more) =>
    expect(mayBeRefund({ ...found, ...more } as typeof found, refund)).toBe(false),
  );
});

describe('the record of a capture', () => {
  const capture = { path: { pgIdOrig: 'auth1' }, body: { amt_tran: 5 } };
  const record = { ...found, pg_id_linked: 'auth1', request_type: 'capture' };

  test.each<[string, IDataObject]>([
    ['as it is', {}],
    ['with its amount as text', { amt_tran: '5.00' }],
    ['in capital letters', { request_type: 'CAPTURE' }],
    ...['A', 'S', 'P', 'N'].map((tran_status): [string, IDataObject] => [
      `with the letter ${tran_status}`,
      { tran_status },
    ]),
  ])('a record %s belongs to the write', (_, more) =>
    expect(captureFootprint.matches({ ...record, ...more }, capture)).toBe(true),
  );

  test.each<[string, IDataObject]>([
    ['of a refund that reduced a capture', { tran_status: 'V' }],
    ['of another authorization', { pg_id_linked: 'auth2' }],
    ['of another amount', { amt_tran: 5.01 }],
    ['of another type', { request_type: 'void' }],
    ['that was declined', { rcode: '403' }],
    ['that failed', { tran_status: 'F' }],
  ])("a record %s doesn't belong to the write", (_, more) =>
    expect(captureFootprint.matches({ ...record, ...more }, capture)).toBe(false),
  );

  test.each<[string, IDataObject, boolean]>([
    ['with a reduced capture of the amount', { tran_status: 'V' }, true],
    ['with an unreadable amount', { amt_tran: 'five' }, true],
    ['without the authorization', { pg_id_linked: undefined }, true],
    ['of another amount', { amt_tran: 6 }, false],
    ['that was refused', { rcode: '403' }, false],
  ])('a record %s may be the capture: %p', (_, more, expected) =>
    expect(captureFootprint.mayMatch?.({ ...record, ...more } as typeof record, capture)).toBe(expected),
  );
});

describe('the record of a void', () => {
  const request = { path: { pgIdOrig: 'auth1' }, body: {} };
  const record = { ...found, pg_id_linked: 'auth1', request_type: 'void', tran_status: 'V' };

  test('the record of a void matches with any amount', () => {
    expect(voidFootprint.matches(record, request)).toBe(true);
    expect(voidFootprint.matches({ ...record, amt_tran: undefined }, request)).toBe(true);
  });

  test.each<[string, IDataObject]>([
    ['of another transaction', { pg_id_linked: 'auth2' }],
    ['of another type', { request_type: 'refund' }],
    ['that was refused', { rcode: '401' }],
    ['that is held', { tran_status: 'H' }],
  ])("a record %s doesn't belong to the write", (_, more) =>
    expect(voidFootprint.matches({ ...record, ...more }, request)).toBe(false),
  );

  test('a record with an unknown outcome or without its transaction may be the void', () => {
    const may = (more: IDataObject) => voidFootprint.mayMatch?.({ ...record, ...more }, request);
    expect([{ rcode: '998' }, { pg_id_linked: '' }, { tran_status: 'H' }].map(may)).toEqual([true, true, true]);
    expect([{ rcode: '401' }, { pg_id_linked: 'auth2' }, { request_type: 'refund' }].map(may)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('the record of a recharge', () => {
  const request = { path: { pgIdOrig: 'sale1' }, body: { amt_tran: 5 } };
  const record = { ...found, request_type: 'recharge' };

  test.each<[string, IDataObject]>([
    ['as it is', {}],
    ['of an approved part', { rcode: '010', amt_tran: 2.5 }],
    ['that is settled', { tran_status: 'S' }],
  ])('a record %s belongs to the write', (_, more) =>
    expect(rechargeFootprint.matches({ ...record, ...more }, request)).toBe(true),
  );

  test.each<[string, IDataObject]>([
    ['of another transaction', { pg_id_linked: 'sale2' }],
    ['of another amount', { amt_tran: 2.5 }],
    ['of a larger part', { rcode: '010', amt_tran: 6 }],
    ['of another type', { request_type: 'sale' }],
    ['that was declined', { rcode: '005', tran_status: 'D' }],
    ['that is voided', { tran_status: 'V' }],
  ])("a record %s doesn't belong to the write", (_, more) =>
    expect(rechargeFootprint.matches({ ...record, ...more }, request)).toBe(false),
  );

  test('a record that resembles a sale or has an unknown outcome may be the recharge', () => {
    const may = (more: IDataObject) => rechargeFootprint.mayMatch?.({ ...record, ...more } as typeof record, request);
    const open = [{ request_type: 'sale' }, { rcode: '998' }, { amt_tran: 'five' }, { pg_id_linked: '' }];
    expect(open.map(may)).toEqual([true, true, true, true]);
    const others = [{ request_type: 'refund' }, { rcode: '005' }, { amt_tran: 6 }, { pg_id_linked: 'sale2' }];
    expect(others.map(may)).toEqual([false, false, false, false]);
  });
});

const lines = { line_items: [{ quantity: 2, description: 'Hour', unit_cost: 5 }] };
const numbered = { path: {}, body: { customer_id: 'C1', invoice_number: 'A-1', ...lines } };
const invoice: IDataObject = { invoice_id: 1, customer_id: 'C1', invoice_number: 'A-1', amt_tran: 10, status: 'SAVED' };

describe('a listed invoice that is the created invoice', () => {
  test.each<[string, IDataObject]>([
    ['as it is', {}],
    ['with its amount as text', { amt_tran: '10.00' }],
    ['with a tax that was rounded otherwise', { amt_tran: 10.01 }],
    ['sent meanwhile', { status: 'OUTSTANDING' }],
  ])('a record %s belongs to the write', (_, more) =>
    expect(invoiceFootprint.matches({ ...invoice, ...more }, numbered)).toBe(true),
  );
});

describe("a listed invoice that isn't the created invoice", () => {
  test.each<[string, IDataObject]>([
    ['of another customer', { customer_id: 'C2' }],
    ['of another number', { invoice_number: 'A-2' }],
    ['of another total', { amt_tran: 11 }],
    ['canceled', { status: 'CANCELED' }],
  ])("a record %s doesn't belong to the write", (_, more) =>
    expect(invoiceFootprint.matches({ ...invoice, ...more }, numbered)).toBe(false),
  );

  test("an invoice without a number and with an unknown total doesn't match", () => {
    const unnumbered = { path: {}, body: { customer_id: 'C1', ...lines } };
    expect(invoiceFootprint.matches(invoice, unnumbered)).toBe(true);
    expect(invoiceFootprint.matches({ ...invoice, amt_tran: undefined }, unnumbered)).toBe(false);
    expect(invoiceFootprint.isIdentifiable({ path: {}, body: { customer_id: 'C1' } })).toBe(false);
  });
});

test("ignores an invoice's time without an offset", () => {
  const time = (db_timestamp: string) => invoiceFootprint.time?.({ db_timestamp })?.toUTC().toISO();
  expect(time('2030-03-01T09:00:00.000-0700')).toBe('2030-03-01T16:00:00.000Z');
  expect(time('2030-03-01 09:00:00')).toBeUndefined();
});

test("doesn't filter by values that contain filter characters", () => {
  expect(invoiceFootprint.filter(numbered)).toEqual(['customer_id,IS,C1', 'invoice_number,IS,A-1']);
  const odd = { path: {}, body: { customer_id: 'C1', invoice_number: 'A|B,1' } };
  expect(invoiceFootprint.filter(odd)).toEqual(['customer_id,IS,C1']);
  expect(refundFootprint.filter(refund)).toEqual(['pg_id_linked,IS,sale1']);
});
