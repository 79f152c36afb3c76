import { DateTime } from 'luxon';

import { isRecent, writtenAt } from '../../nodes/PaymentPlatform/trigger/fresh';

const now = DateTime.fromISO('2026-06-01T12:00:00Z');
/** A time without a zone, as the service writes it in a zone. */
const written = (minutesAgo: number, zone = 'utc') =>
  now.minus({ minutes: minutesAgo }).setZone(zone).toFormat('yyyy-MM-dd HH:mm:ss');
const recent = (text: unknown, most = 60, zone = 'Asia/Tokyo') => isRecent(text, most, zone, now as DateTime<true>);

test.each(['utc', 'America/Los_Angeles', 'Asia/Tokyo'])(
  'an event of this hour is recent when it is written in %s',
  (zone) => {
    expect(recent(written(0, zone))).toBe(true);
    expect(recent(written(60, zone))).toBe(true);
    expect(recent(written(-5, zone))).toBe(true);
  },
);

test.each([61, 120, 300])('an event of %d minutes ago is old', (minutes) => {
  expect(recent(written(minutes))).toBe(false);
});

test.each(['Etc/GMT+12', 'Pacific/Kiritimati'])('no zone of n8n makes an old event recent: %s', (zone) => {
  const inTheirHours = Array.from({ length: 22 }, (_, hours) => 90 + hours * 60);
  const old = inTheirHours.filter((minutes) => !recent(written(minutes), 60, zone));
  // In its own zone, in UTC and in Pacific time an event may look an hour old; never because it looks far ahead.
  expect(old.length).toBeGreaterThanOrEqual(inTheirHours.length - 3);
});

test('a service whose clock is ahead by more than any zone is listened to', () => {
  expect(recent(written(-24 * 60))).toBe(true);
  expect(recent(written(-30))).toBe(false);
});

test('no limit, and what is no time, let everything in', () => {
  expect(recent(written(10_000), 0)).toBe(true);
  expect(recent('yesterday')).toBe(true);
  expect(recent(undefined)).toBe(true);
});

test.each([
  ['in UTC', '2026-07-04 17:15:00', '2026-07-04T17:15:00.000Z'],
  ['in UTC, an hour ago', '2026-07-04 16:20:00', '2026-07-04T16:20:00.000Z'],
  ['in Pacific time', '2026-07-04 10:15:00', '2026-07-04T10:15:00.000-07:00'],
  ['in Pacific time, an hour ago', '2026-07-04 09:20:00', '2026-07-04T09:20:00.000-07:00'],
  ['by a clock that is a little ahead', '2026-07-04 17:16:30', '2026-07-04T17:16:30.000Z'],
  ['long ago', '2026-07-03 17:15:00', undefined],
  ['in another zone', '2026-07-04 13:15:00', undefined],
  ['with an offset', '2026-07-04T17:15:00.000Z', undefined],
  ['as nothing that can be read', 7, undefined],
])('an event that was written down %s, in a delivery of this moment', (_, text, moment) => {
  expect(writtenAt(text, '2026-07-04T17:15:10.000Z')).toBe(moment);
});
