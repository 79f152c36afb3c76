import type { IDataObject } from 'n8n-workflow';

import { presentCharge } from '../../../nodes/PaymentPlatform/resources/transaction/charge-outcome';
import {
  captureFootprint,
  isVoid,
  presentRefund,
} from '../../../nodes/PaymentPlatform/resources/transaction/footprint';
import { recharge } from '../../../nodes/PaymentPlatform/resources/transaction/recharge';
import { afterAuthorization, afterCapture } from '../../../nodes/PaymentPlatform/resources/transaction/still-possible';

/** Sets the clock to a time in Pacific Standard Time. */
const at = (time: string) => jest.useFakeTimers({ now: new Date(`${time}-08:00`) });
afterEach(() => jest.useRealTimers());

const charged = (record: object, sent = 25) => {
  const { voidable_until, amt_refundable } = presentCharge(record, { body: { amt_tran: sent } });
  return { voidable_until, amt_refundable };
};
const until = (day: string) => `2026-${day}T21:00:00.000-08:00`;

describe('the remaining actions for a charge', () => {
  test.each([
    ['12-03T10:00:00', '12-03'],
    ['12-03T20:59:59', '12-03'],
    ['12-03T21:10:00', '12-04'],
    ['12-03T23:59:00', '12-04'],
  ])('a charge at %s can be voided until 9 PM on %s', (time, day) => {
    at(`2026-${time}`);
    expect(charged({ rcode: '000' })).toEqual({ voidable_until: until(day), amt_refundable: 25 });
  });

  test('the batch of a response is unknown right after 9 PM', () => {
    at('2026-12-03T21:05:00');
    expect(charged({ rcode: '000' })).toEqual({ voidable_until: undefined, amt_refundable: 25 });
    const tran_time = '2026-12-03T21:00:01.000-08:00';
    expect(charged({ tran_time, tran_status: 'C', amt_tran: 25, amt_refunded: 0 }).voidable_until).toBe(until('12-04'));
    expect(charged({ tran_time: '2026-12-03T21:00:00.000-08:00', tran_status: 'C', amt_tran: 25 }).voidable_until).toBe(
      until('12-04'),
    );
  });

  test('a batch closes at 9 PM even on a day when the clocks change', () => {
    jest.useFakeTimers({ now: new Date('2026-11-01T12:00:00-08:00') });
    expect(charged({}).voidable_until).toBe('2026-11-01T21:00:00.000-08:00');
    jest.useFakeTimers({ now: new Date('2026-07-01T12:00:00-07:00') });
    expect(charged({}).voidable_until).toBe('2026-07-01T21:00:00.000-07:00');
  });

  test('the refundable amount is the approved amount minus refunds', () => {
    at('2026-12-03T10:00:00');
    const tran_time = '2026-12-03T09:00:00.000-08:00';
    const found = (more: object) => charged({ tran_time, tran_status: 'C', amt_tran: 25, amt_refunded: 0, ...more });
    expect(charged({ rcode: '010', amt_tran: 10 }).amt_refundable).toBe(10);
    expect(charged({ rcode: '010' }).amt_refundable).toBeUndefined();
    expect(charged({ rcode: 10 }).amt_refundable).toBeUndefined();
    expect(found({}).amt_refundable).toBe(25);
    expect(found({ amt_refunded: '4.90' }).amt_refundable).toBe(20.1);
    expect(found({ amt_refunded: undefined }).amt_refundable).toBeUndefined();
  });

  test.each([
    ['C', true, true],
    ['S', false, true],
    ['P', false, true],
    ['N', false, true],
    ['H', false, false],
    ['V', false, false],
    ['D', false, false],
    ['', false, false],
  ])('a record with the letter "%s" has only its valid options', (tran_status, isVoidable, isRefundable) => {
    at('2026-12-03T10:00:00');
    const record = { tran_time: '2026-12-03T09:00:00.000-08:00', tran_status, amt_tran: 25, amt_refunded: 5 };
    expect(charged(record)).toEqual({
      voidable_until: isVoidable ? until('12-03') : undefined,
      amt_refundable: isRefundable ? 20 : undefined,
    });
  });

  test('a past deadline is omitted', () => {
    at('2026-12-04T10:00:00');
    expect(afterCapture({ tran_time: '2026-12-03T09:00:00.000-08:00', tran_status: 'C' }, undefined)).toEqual({});
    expect(afterCapture({ tran_time: 'unknown', tran_status: 'C' }, undefined)).toEqual({});
  });
});

test('a capture can be refunded for its amount and voided until batch close', () => {
  at('2026-12-03T10:00:00');
  expect(afterCapture({ pg_id: 'p1' }, 12.5)).toEqual({ voidable_until: until('12-03'), amt_refundable: 12.5 });
});

test('a summary says that a payment can be voided only while its batch is open', () => {
  const values = { path: {}, query: {}, body: { amt_tran: 12.5 }, node: {} };
  const says = (record: IDataObject) => [
    captureFootprint.summary?.(record, values),
    recharge.summary?.(record, values, 'found', values),
  ];
  const open = [
    'Captured 12.50 in the currency of the authorization, voidable until the batch closes.',
    'Charged 12.50 in the same currency again, voidable until the batch closes.',
  ];
  expect([says({}), says({ tran_status: 'C', tran_time: '2026-12-03' })]).toEqual([open, open]);
  expect(says({ tran_status: 'S' })).toEqual([
    'Captured 12.50 in the currency of the authorization.',
    'Charged 12.50 in the same currency again.',
  ]);
  expect(says({ tran_status: 'H' })[1]).toBe('Charged 12.50 in the same currency again, which is under review.');
  expect(says({ rcode: '010' })[1]).toContain('Charged only a part of 12.50 in the same currency again');
  expect(says({ tran_currency: '978', tran_status: 'S' })).toEqual([
    'Captured 12.50 EUR of the authorization.',
    'Charged 12.50 EUR again.',
  ]);
});

test('an open authorization can be captured for 28 days', () => {
  at('2026-12-03T10:10:00');
  expect(afterAuthorization({})).toEqual({ capturable_until: '2026-12-31T10:00:00.000-08:00' });
  const record = { tran_time: '2026-12-01T10:00:00.000-08:00' };
  expect(afterAuthorization({ ...record, tran_status: 'A' })).toEqual({
    capturable_until: '2026-12-29T10:00:00.000-08:00',
  });
  for (const tran_status of ['C', 'V', 'v', 'D', 'H', ''])
    expect([tran_status, afterAuthorization({ ...record, tran_status })]).toEqual([tran_status, {}]);
  expect(afterAuthorization({ tran_status: 'A', tran_time: '2026-11-01T10:00:00.000-08:00' })).toEqual({});
});

test('a voided payment has nothing left to refund, and the remainder of an unread payment is unknown', () => {
  const voided = { pg_id: 'p1', rmsg: 'Transaction voided' };
  const body = { amt_tran: 4 };
  const shown = (node: IDataObject, record: IDataObject = {}) =>
    presentRefund({ rmsg: 'Approved', ...record }, { body, node });
  expect(presentRefund(voided, { body, node: {} })).toEqual({ ...voided, amt_refundable: 0 });
  expect(shown({})).toEqual({ rmsg: 'Approved' });
  expect(shown({ refundAmount: 'allLeft' })).toEqual({ rmsg: 'Approved', amt_refundable: 0 });
  expect(shown({ left: { amt_refundable: 10.1 } })).toEqual({ rmsg: 'Approved', amt_refundable: 6.1 });
  expect(shown({ left: { amt_refundable: 4 } })).toEqual({ rmsg: 'Approved', amt_refundable: 0 });
  const found = { tran_status: 'C' };
  for (const [amt_refundable, record] of [[3.99], [undefined], ['some'], [10, found], [10, { request_type: 'refund' }]])
    expect(shown({ left: { amt_refundable } }, record as IDataObject)).not.toHaveProperty('amt_refundable');
  expect([{ rmsg: 'Transaction voided' }, { request_type: 'Void' }].map(isVoid)).toEqual([true, true]);
  expect([{ rmsg: 'Capture Amount Reduced' }, { request_type: 'refund' }, {}].map(isVoid)).toEqual([
    false,
    false,
    false,
  ]);
});
