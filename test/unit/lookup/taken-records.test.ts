import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { TakenRecords } from '../../../nodes/PaymentPlatform/lookup/taken-records';

const contextOf = (kept: IDataObject, type = 'paymentPlatform') =>
  ({
    getContext: () => kept,
    getNode: () => ({ type }),
    getInputData: () => [],
    evaluateExpression: () => 0,
  }) as unknown as IExecuteFunctions;

test('remembers a record from an earlier run of a loop without storing its ID', () => {
  const kept: IDataObject = {};
  TakenRecords.of(contextOf(kept)).add('pg1234567890');
  const next = TakenRecords.of(contextOf(JSON.parse(JSON.stringify(kept)) as IDataObject));
  expect([next.has('pg1234567890', true), next.has('pg1234567891', true)]).toEqual([true, false]);
  expect(JSON.stringify(kept)).not.toContain('1234567890');
});

test('stores less than 10 kB with the latest records', () => {
  const kept: IDataObject = {};
  const made = TakenRecords.of(contextOf(kept));
  for (let index = 0; index < 3000; index += 1) made.add(`pg${index}`);
  expect(JSON.stringify(kept.paymentPlatformMade).length).toBeLessThan(10_000);
  const next = TakenRecords.of(contextOf(kept));
  expect([next.has('pg2999', true), next.has('pg0', true)]).toEqual([true, false]);
});

test('stores neither empty nor known values again', () => {
  const kept: IDataObject = {};
  const made = TakenRecords.of(contextOf(kept));
  for (const id of ['', 'pg1', 'pg1']) made.add(id);
  expect(JSON.stringify(kept.paymentPlatformMade).length).toBeLessThan(40);
});
