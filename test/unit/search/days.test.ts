import { DateTime } from 'luxon';

import { beginning } from '../../../nodes/PaymentPlatform/search/engine/days';

const zone = 'America/New_York';
const dayOf = (now: string, day: number, month: number) =>
  beginning({ day, month }, DateTime.fromISO(now, { zone })).toISODate();

test.each([
  ['2026-11-20', 3, 11, '2026-11-03'],
  ['2026-11-20', 20, 11, '2026-11-20'],
  ['2026-11-20', 21, 11, '2025-11-21'],
  ['2026-11-20', 29, 2, '2024-02-29'],
  ['2024-02-28', 29, 2, '2020-02-29'],
  ['2024-02-29', 29, 2, '2024-02-29'],
])('on %s, day %d of month %d without a year means %s', (now, day, month, meant) => {
  expect(dayOf(now, day, month)).toBe(meant);
});
