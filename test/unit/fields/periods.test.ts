import type { IDataObject } from 'n8n-workflow';

import { readField } from '../../../nodes/PaymentPlatform/fields/read-field';
import type { Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { daysField, type DayFilter } from '../../../nodes/PaymentPlatform/fields/kinds/days';

const TIMEZONE = 'America/New_York';
const days: DayFilter = { field: 'tran_date', of: 'transactions made' };

function daysOf(parameters: IDataObject, list: Partial<DayFilter> = {}): unknown {
  const problems: Problem[] = [];
  const found = readField(daysField({ ...days, ...list }), parameters, problems, { timezone: TIMEZONE });
  if (problems.length > 0) return problems.map(({ label, allowed }) => `${label} ${allowed}`);
  const { first, last } = (found ?? {}) as IDataObject;
  return [first, last];
}

/** Sets the clock. At 3:30 UTC, the workflow's time zone is still on the previous day. */
const at = (time: string) => jest.useFakeTimers({ now: new Date(time) });
afterEach(() => jest.useRealTimers());

test.each([
  ['any', [undefined, undefined]],
  ['today', ['2026-03-31', '2026-03-31']],
  ['yesterday', ['2026-03-30', '2026-03-30']],
  ['last7Days', ['2026-03-25', '2026-03-31']],
  ['last30Days', ['2026-03-02', '2026-03-31']],
  ['thisMonth', ['2026-03-01', '2026-03-31']],
  ['lastMonth', ['2026-02-01', '2026-02-28']],
])("the period %s means days in the workflow's time zone", (period, expected) => {
  at('2026-04-01T03:30:00Z');
  expect(daysOf({ period })).toEqual(expected);
});

test('the period before January is December of the previous year', () => {
  at('2026-01-15T12:00:00Z');
  expect(daysOf({ period: 'lastMonth' })).toEqual(['2025-12-01', '2025-12-31']);
});

test('a period that contains a change to daylight saving time has the usual number of days', () => {
  at('2026-03-09T12:00:00Z');
  expect(daysOf({ period: 'last7Days' })).toEqual(['2026-03-03', '2026-03-09']);
});

test('a list of future days offers the next 7 days, which begin today', () => {
  at('2026-03-30T12:00:00Z');
  expect(daysOf({ period: 'next7Days' }, { ahead: true })).toEqual(['2026-03-30', '2026-04-05']);
  expect(daysOf({ period: 'next7Days' })).toEqual([
    expect.stringMatching(/^Period must be one of: any \(Any Time\), /),
  ]);
});

test('a report by month offers months only', () => {
  at('2026-03-15T12:00:00Z');
  const month = true;
  expect(daysOf({ period: 'thisMonth' }, { month })).toEqual(['2026-03-01', '2026-03-31']);
  expect(daysOf({ period: 'month', month: '2024-02' }, { month })).toEqual(['2024-02-01', '2024-02-29']);
  expect(daysOf({ period: 'dates', dateFrom: '2026-01-20', dateTo: '2026-02-10' }, { month })).toEqual([
    '2026-01-01',
    '2026-02-10',
  ]);
  expect(daysOf({ period: 'today' }, { month })).toEqual([expect.stringContaining('Period must be one of')]);
});

test('dates apply only with the period Dates or without a period', () => {
  at('2026-03-15T12:00:00Z');
  const dates = { dateFrom: '2026-01-02', dateTo: '2026-01-03', month: '2026-02' };
  expect(daysOf({ period: 'dates', ...dates })).toEqual(['2026-01-02', '2026-01-03']);
  expect(daysOf({ period: 'any', ...dates })).toEqual([undefined, undefined]);
  expect(daysOf({ period: 'yesterday', ...dates })).toEqual(['2026-03-14', '2026-03-14']);
  expect(daysOf(dates)).toEqual(['2026-01-02', '2026-01-03']);
});

test('refuses a To Date before the From Date', () => {
  const dates = { dateFrom: '2026-01-03', dateTo: '2026-01-02' };
  expect(daysOf({ period: 'dates', ...dates })).toEqual(['To Date must not be before 2026-01-03']);
});
