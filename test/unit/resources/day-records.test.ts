import type { IDataObject } from 'n8n-workflow';

import {
  dayCaptures,
  dayCharges,
  dayRefunds,
  movedMoney,
} from '../../../nodes/PaymentPlatform/resources/transaction/day-records';

const record = (request_type: string, tran_status = 'C', more: IDataObject = {}): IDataObject => ({
  request_type,
  tran_status,
  rcode: '000',
  ...more,
});

describe.each([
  ['refunds', dayRefunds, 'refunds, voids and credits'],
  ['charges', dayCharges, 'charges and authorizations'],
  ['captures', dayCaptures, 'captures'],
])('the limit per day of %s', (_, dayRecords, of) => {
  test('reads the transaction report by day', () => {
    expect(dayRecords.list).toEqual({
      path: '/platform/reporting/transaction-requests',
      identity: 'rec_id',
      day: ['tran_time', 'tran_date'],
    });
    expect([dayRecords.id, dayRecords.of, dayRecords.where]).toEqual(['pg_id', of, 'the transaction report']);
  });

  test('the limit per day counts absolute amounts and ignores unreadable amounts', () => {
    expect(dayRecords.amount({ amt_tran: -12.5 })).toBe(12.5);
    expect(dayRecords.amount({ amt_tran: '12.50' })).toBe(12.5);
    expect(dayRecords.amount({ amt_tran: 'many' })).toBeUndefined();
  });
});

test.each<[IDataObject, boolean]>([
  [record('refund'), true],
  [record('REFUND', ' P '), true],
  [record('credit'), true],
  [record('Credit', 'P'), true],
  [record('void', 'V'), true],
  [record('capture', 'V'), true],
  [record('refund', 'H'), true],
  [record('refund', 'C', { rcode: '998' }), true],
  [record('refund', 'C', { rcode: '005' }), false],
  [record('credit', 'C', { rcode: '005' }), false],
  ...['D', 'F', 'R', 'K', ' D '].map((letter): [IDataObject, boolean] => [record('refund', letter), false]),
  ...['D', 'F', 'R', 'K'].map((letter): [IDataObject, boolean] => [record('void', letter), false]),
  ...['V', 'v'].flatMap((letter): Array<[IDataObject, boolean]> => [
    [record('refund', letter), false],
    [record('credit', letter), false],
  ]),
  ...['A', 'C', 'S', 'P', 'N'].map((letter): [IDataObject, boolean] => [record('capture', letter), false]),
  [record('sale'), false],
  [record('auth', 'A'), false],
  // A record without a type can be a refund.
  [{}, true],
  [record(' refund '), true],
])('the limit per day of refunds counts %j: %s', (one, expected) => {
  expect(dayRefunds.counts(one)).toBe(expected);
});

test.each<[IDataObject, boolean]>([
  [record('sale'), true],
  [record('SALE'), true],
  [record('auth', 'A'), true],
  [record('force'), true],
  [record('recharge', ' P '), true],
  [record('sale', 'H'), true],
  [record('sale', 'C', { rcode: '005' }), false],
  ...['D', 'F', 'R', 'K', 'V', 'v', ' V '].map((letter): [IDataObject, boolean] => [record('sale', letter), false]),
  [record('capture'), false],
  [record('refund'), false],
  [record(' sale '), true],
  [record(''), true],
])('the limit per day of charges counts %j: %s', (one, expected) => {
  expect(dayCharges.counts(one)).toBe(expected);
});

test.each<[IDataObject, boolean]>([
  [record('capture'), true],
  [record('CAPTURE', ' P '), true],
  [record('capture', 'C', { rcode: '005' }), false],
  ...['D', 'F', 'R', 'K', 'V', 'v'].map((letter): [IDataObject, boolean] => [record('capture', letter), false]),
  [record('sale'), false],
  [record('auth', 'A'), false],
  [record(''), true],
])('the limit per day of captures counts %j: %s', (one, expected) => {
  expect(dayCaptures.counts(one)).toBe(expected);
});

describe('a transaction that moved money, in a report that shows each movement once', () => {
  const record = (request_type: string, tran_status: string, rcode = '000') => ({ request_type, tran_status, rcode });
  const MOVES: Record<string, string> = {
    ...{ sale: 'ACSPN', force: 'ACSPN', recharge: 'ACSPN', capture: 'ACSPNVv' },
    ...{ refund: 'ACSPN', credit: 'ACSPN', payout: 'ACSPN' },
    ...{ auth: '', void: '', verify: '' },
  };

  test.each(Object.entries(MOVES))(
    'a transaction of the type %s counts with the status codes "%s"',
    (type, letters) => {
      const counted = [...'AHCSPNDFRKVv'].filter((letter) => movedMoney(record(type, letter)));
      expect(counted.join('')).toBe(letters);
      expect([...letters].some((letter) => movedMoney(record(type, letter, '005')))).toBe(false);
    },
  );
});
