import type { IDataObject } from 'n8n-workflow';
import { agreesWith, compared, mayProve, UNKNOWN_LETTERS, type Cases } from './footprint-cases';

import { invoiceFootprint } from '../../../nodes/PaymentPlatform/resources/invoice/footprint';
import { rechargeFootprint } from '../../../nodes/PaymentPlatform/resources/transaction/recharge';
import {
  captureFootprint,
  refundFootprint,
  refundSummary,
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

/** Letters of transactions that moved no money or whose outcome is unknown. */
const lettered = (...letters: string[]): Cases =>
  letters.map((tran_status) => [`with the letter "${tran_status}"`, { tran_status }]);

describe('the record of a refund', () => {
  agreesWith(
    refundFootprint,
    refund,
    found,
    [
      ['with its amount as text', { amt_tran: '5.00' }],
      ['with a minus', { amt_tran: -5 }],
      ['as a void, in capital letters', { request_type: 'VOID', tran_status: 'V' }],
      ['as a smaller capture', { request_type: 'capture', tran_status: 'V' }],
    ],
    [
      ['of another sale', { pg_id_linked: 'sale2' }],
      ['of another amount', { amt_tran: 5.01 }],
      ['of another type', { request_type: 'sale' }],
      ['that was declined', { rcode: '005' }],
      ['that was declined, as a number', { rcode: 5 }],
      ['that the merchant voided', { tran_status: 'V' }],
      ['that the system voided', { tran_status: 'v' }],
    ],
    [
      ['of no sale', { pg_id_linked: undefined }],
      ['with an unreadable amount', { amt_tran: 'five' }],
      ['whose outcome is open', { rcode: '998' }],
      ['whose outcome is open, as a number', { rcode: 998 }],
      ['after an internal error', { rcode: '999' }],
      ['with an approval as a number', { rcode: 8 }],
      ['without a code', { rcode: undefined }],
      ['with a blank code', { rcode: ' ' }],
      ['that captured an authorization', { request_type: 'capture' }],
      ['that may have captured an authorization', { request_type: 'capture', tran_status: undefined }],
      ...lettered('D', ' D ', 'F', 'R', 'K', 'H'),
      ...UNKNOWN_LETTERS,
    ],
  );

  test("a refund without an amount isn't searched for in the report", () => {
    expect(refundFootprint.isIdentifiable({ path: { pgIdOrig: 'sale1' }, body: {} })).toBe(false);
    expect(refundFootprint.isIdentifiable({ path: {}, body: { amt_tran: 5 } })).toBe(false);
  });
});

test.each([
  ['refund', 'Approved', 'to the customer'],
  ['Void', 'Transaction voided', 'by voiding the sale before settlement'],
  ['capture', 'AMOUNT REDUCED', 'by reducing the sale before settlement'],
])('describes the refund by the type %j of its record or by the message %j', (request_type, rmsg, how) => {
  const text = `Refunded 5.00 in the currency of the sale ${how}.`;
  expect(refundFootprint.summary?.({ ...found, request_type }, refund)).toBe(text);
  expect(refundSummary({ rmsg }, { ...refund, node: {} })).toBe(text);
});

test('reads times of the report as Pacific time, and a day as all its times', () => {
  const times = (tran_time: unknown) =>
    [refundFootprint.earliest, refundFootprint.time].map((read) =>
      read?.({ tran_time } as IDataObject)
        ?.toUTC()
        .toISO(),
    );
  for (const written of ['2030-03-01 09:00:00', '2030-03-01T17:00:00.000Z'])
    expect(times(written)).toEqual(['2030-03-01T17:00:00.000Z', '2030-03-01T17:00:00.000Z']);
  expect(times('2030-03-01')).toEqual(['2030-03-01T08:00:00.000Z', '2030-03-02T07:59:59.999Z']);
  expect(times(undefined)).toEqual([undefined, undefined]);
});

describe('the record of a capture', () => {
  const capture = { path: { pgIdOrig: 'auth1' }, body: { amt_tran: 5 } };
  agreesWith(
    captureFootprint,
    capture,
    { ...found, pg_id_linked: 'auth1', request_type: 'capture' },
    [
      ['with its amount as text', { amt_tran: '5.00' }],
      ['in capital letters', { request_type: 'CAPTURE' }],
      ...lettered('A', 'S', 'P', 'N'),
    ],
    [
      ['of another authorization', { pg_id_linked: 'auth2' }],
      ['of another amount', { amt_tran: 5.01 }],
      ['of another type', { request_type: 'void' }],
      ['that was declined', { rcode: '403' }],
    ],
    [
      ['of a refund that reduced a capture', { tran_status: 'V' }],
      ['of no authorization', { pg_id_linked: undefined }],
      ['with an unreadable amount', { amt_tran: 'five' }],
      ['whose outcome is open', { rcode: '998' }],
      ...lettered('F', 'D', 'H'),
      ...UNKNOWN_LETTERS,
    ],
  );
});

describe('the record of a void', () => {
  const request = { path: { pgIdOrig: 'auth1' }, body: {} };
  const record = { ...found, pg_id_linked: 'auth1', request_type: 'void', tran_status: 'V' };
  agreesWith(
    voidFootprint,
    request,
    record,
    [
      ['in capital letters', { request_type: 'Void' }],
      ['without an amount', { amt_tran: undefined }],
      ['of any amount', { amt_tran: 7 }],
    ],
    [
      ['of another transaction', { pg_id_linked: 'auth2' }],
      ['of another type', { request_type: 'refund' }],
      ['that was refused', { rcode: '401' }],
    ],
    [
      ['of no type', { request_type: '' }],
      ['that is held', { tran_status: 'H' }],
      ...UNKNOWN_LETTERS,
      ['whose outcome is open', { rcode: '998' }],
      ['of no transaction', { pg_id_linked: '' }],
    ],
  );
});

describe('the record of a recharge', () => {
  const request = { path: { pgIdOrig: 'sale1' }, body: { amt_tran: 5 } };
  const record = { ...found, request_type: 'recharge' };
  agreesWith(
    rechargeFootprint,
    request,
    record,
    [
      ['that is settled', { tran_status: 'S' }],
      ['that is under review', { tran_status: 'H' }],
      ['approved in part for the whole amount', { rcode: '010' }],
    ],
    [
      ['of another transaction', { pg_id_linked: 'sale2' }],
      ['of another amount', { amt_tran: 2.5 }],
      ['of a larger part', { rcode: '010', amt_tran: 6 }],
      ['of another type', { request_type: 'refund' }],
      ['that is a sale without an earlier transaction', { request_type: 'sale', pg_id_linked: '' }],
      ['that was declined', { rcode: '005', tran_status: 'D' }],
      ['that is voided', { tran_status: 'V' }],
    ],
    [
      ['of an approved part', { rcode: '010', amt_tran: 2.5 }],
      ['of a part without a code', { rcode: undefined, amt_tran: 2.5 }],
      ...UNKNOWN_LETTERS,
      ['that resembles a sale', { request_type: 'sale' }],
      ['of no type', { request_type: '' }],
      ['whose outcome is open', { rcode: '998' }],
      ['with an unreadable amount', { amt_tran: 'five' }],
      ['of no transaction', { pg_id_linked: '' }],
    ],
  );

  test('the record of a recharge can lack its earlier transaction, unless its type excludes it', () => {
    const may = (more: IDataObject) => rechargeFootprint.mayLackFilter?.({ ...record, pg_id_linked: '', ...more });
    expect([may({}), may({ request_type: '' })]).toEqual([true, true]);
    expect([may({ request_type: 'sale' }), may({ request_type: 'refund' })]).toEqual([false, false]);
  });
});

test('only a refund, a void or a capture can lack its transaction', () => {
  const may = (request_type: string) => refundFootprint.mayLackFilter?.({ ...found, request_type });
  expect(['Refund', 'void', 'capture'].map(may)).toEqual([true, true, true]);
  expect(['sale', 'auth', ''].map(may)).toEqual([false, false, false]);
});

const lines = { line_items: [{ quantity: 2, description: 'Hour', unit_cost: 5 }] };
const numbered = { path: {}, body: { customer_id: 'C1', invoice_number: 'A-1', ...lines } };
const invoice: IDataObject = {
  ...{ invoice_id: 1, customer_id: 'C1', invoice_number: 'A-1', amt_tran: 10, tran_currency: '840', status: 'SAVED' },
};

describe('the record of an invoice', () => {
  agreesWith(
    invoiceFootprint,
    numbered,
    invoice,
    [
      ['with its amount as text', { amt_tran: '10.00' }],
      ['with a tax that was rounded otherwise', { amt_tran: 10.01 }],
      ['with a tax that was rounded down', { amt_tran: 9.99 }],
      ['sent while the list was read', { status: 'OUTSTANDING' }],
      ['without a currency', { tran_currency: undefined }],
    ],
    [
      ['of another customer', { customer_id: 'C2' }],
      ['of another number', { invoice_number: 'A-2' }],
      ['of another total', { amt_tran: 11 }],
      ['of a slightly other total', { amt_tran: 10.02 }],
      ['canceled', { status: 'CANCELED' }],
    ],
    [
      ['of no customer', { customer_id: '' }],
      ['without a number', { invoice_number: '' }],
      ['without a total', { amt_tran: undefined }],
      ['with an unknown status', { status: 'Canceled' }],
      ['with an unreadable status', { status: {} }],
      ['in another currency than the default', { tran_currency: '978' }],
    ],
  );

  test('only the record of an invoice without its customer can be missing from a filtered list', () => {
    const may = (customer_id?: string) => invoiceFootprint.mayLackFilter?.({ ...invoice, customer_id } as IDataObject);
    expect([may(), may(' '), may('C1')]).toEqual([true, true, false]);
  });

  test('the record of an invoice has the sent currency', () => {
    const euros = { ...numbered, body: { ...numbered.body, tran_currency: '978' } };
    const by = (tran_currency: string) => compared(invoiceFootprint, { ...invoice, tran_currency }, euros);
    expect(['978', '840', ''].map(by)).toEqual(['equal', 'different', 'notShown']);
  });

  test('the record of an invoice without a number is recognized by its total', () => {
    const unnumbered = { path: {}, body: { customer_id: 'C1', ...lines } };
    expect(compared(invoiceFootprint, invoice, unnumbered)).toBe('equal');
    expect(compared(invoiceFootprint, { ...invoice, amt_tran: undefined }, unnumbered)).toBe('notShown');
    expect(invoiceFootprint.isIdentifiable({ path: {}, body: { customer_id: 'C1' } })).toBe(false);
  });

  test('the record of an invoice without a known total proves nothing, unless it shows a generated number', () => {
    const untold = { path: {}, body: { customer_id: 'C1', invoice_number: 'A-1' } };
    const record = { customer_id: ' C1', invoice_number: 'A-1 ', amt_tran: 7, status: 'SAVED' };
    expect(compared(invoiceFootprint, record, untold)).toBe('notShown');
    const reference = { name: 'invoice_number', value: 'A-1', isLasting: true };
    expect(compared(invoiceFootprint, record, { ...untold, reference })).toBe('equal');
    expect(compared(invoiceFootprint, { ...record, customer_id: 'C2' }, { ...untold, reference })).toBe('notShown');
    expect(compared(invoiceFootprint, { ...record, status: 'CANCELED' }, { ...untold, reference })).toBe('different');
  });

  test('the record of an invoice uses the number of its customer, with any terms', () => {
    const uses = (more: IDataObject, body: IDataObject = {}) =>
      invoiceFootprint.occupies?.({ ...invoice, ...more }, { path: {}, body: { ...numbered.body, ...body } });
    expect([uses({}), uses({ amt_tran: 99 }), uses({ tran_currency: '978' })]).toEqual([true, true, true]);
    expect([uses({ customer_id: '' }), uses({ customer_id: undefined })]).toEqual([true, true]);
    expect([uses({ customer_id: 'C2' }), uses({ invoice_number: 'A-2' })]).toEqual([false, false]);
    expect(uses({ invoice_number: '' }, { invoice_number: '' })).toBe(false);
    const uncertain = [{ invoice_number: 7 }, { invoice_number: 70 }, { invoice_number: undefined }] as IDataObject[];
    expect(uncertain.map((more) => uses(more, { invoice_number: '007' }))).toEqual([true, false, false]);
    expect(uses({ invoice_number: 7 }, { invoice_number: undefined })).toBe(false);
    expect(invoiceFootprint.resemblance).toBe('same customer and invoice number');
  });
});

test('a list shows only the records of the merchant of the write', () => {
  const own = { ...numbered, merchant: '990000000001' };
  expect(compared(invoiceFootprint, { ...invoice, merchant_id: 990000000001 }, own)).toBe('equal');
  expect(compared(invoiceFootprint, { ...invoice, merchant_id: 990000000002 }, own)).toBe('different');
  expect(mayProve(invoiceFootprint, invoice, own)).toBe(true);
});

test("an invoice's time without an offset can belong to any time zone", () => {
  const times = (db_timestamp: string) =>
    [invoiceFootprint.earliest, invoiceFootprint.time].map((read) => read?.({ db_timestamp })?.toUTC().toISO());
  const [exact, first, last] = ['2030-03-01T16:00:00.000Z', '2030-02-28T19:00:00.000Z', '2030-03-01T21:00:00.000Z'];
  expect(times('2030-03-01T09:00:00.000-0700')).toEqual([exact, exact]);
  expect(times('2030-03-01 09:00:00')).toEqual([first, last]);
  expect(times('2030-03-01')).toEqual(['2030-02-28T10:00:00.000Z', '2030-03-02T11:59:59.999Z']);
  expect(times('soon')).toEqual([undefined, undefined]);
});

test("doesn't filter by values that contain filter characters", () => {
  expect(invoiceFootprint.filter(numbered)).toEqual(['customer_id,IS,C1', 'invoice_number,IS,A-1']);
  const odd = { path: {}, body: { customer_id: 'C1', invoice_number: 'A|B,1' } };
  expect(invoiceFootprint.filter(odd)).toEqual(['customer_id,IS,C1']);
  expect(refundFootprint.filter(refund)).toEqual(['pg_id_linked,IS,sale1']);
});
