import type { IDataObject } from 'n8n-workflow';

import { chargeBudget, refundBudget } from '../../../nodes/PaymentPlatform/resources/transaction/budget';

const record = (request_type: string, tran_status = 'C', more: IDataObject = {}): IDataObject => ({
  request_type,
  tran_status,
  rcode: '000',
  ...more,
});

describe.each([
  ['refunds', refundBudget, 'refunds, voids and credits'],
  ['charges', chargeBudget, 'charges and authorizations'],
])('the daily budget of %s', (_, budget, of) => {
  test('reads the transaction report by day', () => {
    expect(budget.list).toEqual({
      path: '/platform/reporting/transaction-requests',
      identity: 'rec_id',
      day: ['tran_time', 'tran_date'],
    });
    expect([budget.id, budget.of, budget.where]).toEqual(['pg_id', of, 'the transaction report']);
  });

  test('the daily limit counts absolute amounts and ignores unreadable amounts', () => {
    expect(budget.amount({ amt_tran: -12.5 })).toBe(12.5);
    expect(budget.amount({ amt_tran: '12.50' })).toBe(12.5);
    expect(budget.amount({ amt_tran: 'many' })).toBeUndefined();
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
])('the daily budget of refunds counts %j: %s', (one, expected) => {
  expect(refundBudget.counts(one)).toBe(expected);
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
])('the daily budget of charges counts %j: %s', (one, expected) => {
  expect(chargeBudget.counts(one)).toBe(expected);
});
