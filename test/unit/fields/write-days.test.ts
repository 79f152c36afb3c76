import { calendarDate, calendarMonth } from '../../../nodes/PaymentPlatform/fields/kinds/date';
import { readField } from '../../../nodes/PaymentPlatform/fields/read-field';
import type { Problem, ValueField } from '../../../nodes/PaymentPlatform/fields/types';

const options = { name: 'due', label: 'Due Date', description: 'Day by which it is to be paid.' };

function told(value: string, field: ValueField = calendarDate(options)): string | undefined {
  const problems: Problem[] = [];
  expect(readField(field, { due: value }, problems, { timezone: 'utc' })).toBeUndefined();
  return problems[0]?.allowed;
}

test.each([
  ['02/03/2026', '2026-02-03 or 2026-03-02'],
  ['2/3/2026', '2026-02-03 or 2026-03-02'],
  ['2.3.2026', '2026-02-03 or 2026-03-02'],
  ['02.03.2026 14:00', '2026-02-03 or 2026-03-02'],
  ['02-03-2026', '2026-02-03 or 2026-03-02'],
  ['02/03/40', '2040-02-03 or 2040-03-02'],
  ['31/03/26', '2026-03-31 or 2031-03-26'],
])('refuses %s and names both of its readings', (given, days) =>
  expect(told(given)).toBe(`has two possible meanings. Enter ${days}`),
);

test('refuses a day, naming all readings, if either end can be a year', () =>
  expect(told('02/03/04')).toBe('has three possible meanings. Enter 2002-03-04, 2004-02-03 or 2004-03-02'));

test.each([
  ['31.03.2026', '2026-03-31'],
  ['3/31/2026', '2026-03-31'],
  ['03/03/2026', '2026-03-03'],
  ['2026/03/31', '2026-03-31'],
  ['2026.3.31', '2026-03-31'],
  ['2026-3-31', '2026-03-31'],
  [' 31.03.2026 ', '2026-03-31'],
  ['31.03.2026  14:00:30', '2026-03-31'],
  ['31.03.2026, 14.00', '2026-03-31'],
])('refuses %s and suggests its only reading', (given, day) =>
  expect(told(given)).toBe(`must have the format yyyy-MM-dd. Did you mean ${day}?`),
);

test.each([
  ['30/02/2026', 'February 2026 has 28'],
  ['02/30/2026', 'February 2026 has 28'],
  ['2028-02-30', 'February 2028 has 29'],
  ['31.04.2026 14:00', 'April 2026 has 30'],
])('says for %s how many days the month has', (given, words) =>
  expect(told(given)).toBe(`must be a date that exists. ${words} days`),
);

test.each([
  '13/14/2026',
  '32/01/2026',
  '00/01/2026',
  '2/3',
  '02/03',
  '1/2/3/2026',
  '10.50.2026',
  'x 02/03/2026',
  '31.03.2026x',
  '31.03.2026 noon',
  '21.03.1826',
  '31.03.202',
])("doesn't suggest a day for %s", (given) =>
  expect(told(given)).toBe('must be a date, e.g. 2026-03-31 or 2026-03-31T23:30:00-07:00'),
);

test('suggests a notation for a month in the same way', () => {
  expect(told('02/03/2026', calendarMonth(options))).toBe('has two possible meanings. Enter 2026-02-03 or 2026-03-02');
  expect(told('soon', calendarMonth(options))).toBe('must be a month, e.g. 2026-03, or a date, e.g. 2026-03-31');
});
