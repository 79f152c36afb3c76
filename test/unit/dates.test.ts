import { DateTime } from 'luxon';

import { calendarDate, calendarDay } from '../../nodes/PaymentPlatform/fields/date';
import type { Problem } from '../../nodes/PaymentPlatform/fields/types';

test.each([
  ['2026-03-31', 'America/New_York', '2026-03-31'],
  ['2026-03-31T00:00:00', 'Asia/Tokyo', '2026-03-31'],
  ['2026-03-31T23:59:59', 'Pacific/Honolulu', '2026-03-31'],
  ['2026-03-31 14:00:00', 'America/New_York', '2026-03-31'],
  ['2026-03-31T00:00:00.000Z', 'America/New_York', '2026-03-31'],
  ['2026-03-31T03:00:00.000Z', 'America/New_York', '2026-03-30'],
  ['2026-03-31T22:00:00-04:00', 'America/New_York', '2026-03-31'],
  ['2026-03-31T22:00:00-04:00', 'Asia/Tokyo', '2026-04-01'],
])('%s in a workflow of %s is the day %s', (given, timezone, wanted) => {
  expect(calendarDay(given, timezone)).toBe(wanted);
});

test('a DateTime and a Date are the day they are in the time zone of the workflow', () => {
  const lateInTheEvening = DateTime.fromISO('2026-12-31T23:30:00', { zone: 'America/New_York' });
  expect(calendarDay(lateInTheEvening, 'America/New_York')).toBe('2026-12-31');
  expect(calendarDay(lateInTheEvening.toJSDate(), 'America/New_York')).toBe('2026-12-31');
  expect(calendarDay(lateInTheEvening.toUTC(), 'America/New_York')).toBe('2026-12-31');
});

test('a day is sent in the timestamp form of the document', () => {
  const problems: Problem[] = [];
  const field = calendarDate({ name: 'date_invoice', label: 'Invoice Date', description: '' });
  expect(field.read({ date_invoice: '2026-03-31' }, problems, { timezone: 'utc' })).toBe('2026-03-31T00:00:00.000Z');
});

test.each(['2026-02-30', 'tomorrow', '31.03.2026', 20260331, {}])('%p is refused as a date', (given) => {
  const problems: Problem[] = [];
  const field = calendarDate({ name: 'date_invoice', label: 'Invoice Date', description: '' });
  expect(field.read({ date_invoice: given as string }, problems, { timezone: 'utc' })).toBeUndefined();
  expect(problems).toHaveLength(1);
});
