import { DateTime } from 'luxon';

import { isRecent } from '../../nodes/PaymentPlatform/trigger/fresh';

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
