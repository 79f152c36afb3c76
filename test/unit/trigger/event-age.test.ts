import { DateTime } from 'luxon';

import { ageProblem, recordedAt } from '../../../nodes/PaymentPlatform/trigger/delivery';

const now = DateTime.fromISO('2026-06-01T12:00:00Z') as DateTime<true>;
const written = (minutesAgo: number) => now.minus({ minutes: minutesAgo }).toUTC().toFormat('yyyy-MM-dd HH:mm:ss');
const problemOf = (text: unknown, mostMinutes = 60, isTest = false) => ageProblem(text, { mostMinutes, isTest, now });
const recent = (text: unknown, most = 60) => problemOf(text, most) === undefined;

test.each([-60, -10, -5, 0, 30, 60])('an event %d minutes old is recent within 60 minutes', (minutes) => {
  expect(recent(written(minutes))).toBe(true);
});

test.each([61, 120, 300, 420, 450, 480, 539, 600, 10_000])('an event %d minutes old is too old', (minutes) => {
  expect(recent(written(minutes))).toBe(false);
  expect(recent(written(minutes), 0)).toBe(true);
});

test.each([-61, -120, -480, -841, -10_000])('an event aged %d minutes is too far in the future', (minutes) => {
  expect(recent(written(minutes))).toBe(false);
  expect(recent(written(minutes), 600)).toBe(false);
  expect(recent(written(minutes), 0)).toBe(true);
  expect(problemOf(written(minutes), 60, true)).toBeUndefined();
});

test('an event time with an offset has the same limits as one in UTC', () => {
  const pacific = (minutesAgo: number) => now.minus({ minutes: minutesAgo }).setZone('UTC-8').toISO();
  expect([-61, -60, 60, 61].map((minutes) => recent(pacific(minutes)))).toEqual([false, true, true, false]);
});

test.each([
  ['yesterday', 'has no valid time'],
  [written(61), 'is older than 60 minutes'],
  [written(-61), 'is more than one hour in the future'],
])('names the problem with time %s', (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

test.each([undefined, null, '', ' ', 'yesterday', 1577836800, {}, ['2026-06-01 12:00:00'], '2026-06-01 25:00:00'])(
  'refuses the time %p unless there is no limit',
  (text) => {
    expect(recent(text)).toBe(false);
    expect(recent(text, 0)).toBe(true);
    expect(recordedAt(text)).toBeUndefined();
  },
);

test.each([
  ['2026-07-04 17:15:00', '2026-07-04T17:15:00.000Z'],
  ['2026-07-04T17:15:00.000Z', '2026-07-04T17:15:00.000Z'],
  ['2026-07-04T10:15:00.000-0700', '2026-07-04T17:15:00.000Z'],
])('reads the time %s as the moment %s', (text, moment) => {
  expect(recordedAt(text)?.toISO()).toBe(moment);
});
