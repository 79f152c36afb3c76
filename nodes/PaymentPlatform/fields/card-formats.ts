import type { DateTime } from 'luxon';

/** A card number as it stands on the card, in groups with spaces or dashes between, as digits alone. */
export const withoutGroups = (written: string): string =>
  /^\d+(?:[ \u00a0-]\d+)+$/.test(written) ? written.replace(/\D/g, '') : written;

/** Month and year with a sign between, the year of two digits or four: 09/29, 9/29, 09/2029, 09-29. */
const MONTH_AND_YEAR = /^(?<month>\d{1,2})\s*[/\-. ]\s*(?:20)?(?<year>\d{2})$/;
/** 0929 of a spreadsheet, which takes it for a number. */
const WITHOUT_ZERO = /^[1-9]\d{2}$/;

/** An expiration date as people write it, as MMYY. */
export function asMonthAndYear(written: string): string {
  const parts = MONTH_AND_YEAR.exec(written)?.groups;
  const digits = parts ? `${parts.month}${parts.year}` : written;
  return parts || WITHOUT_ZERO.test(digits) ? digits.padStart(4, '0') : digits;
}

/**
 * Whether a card is over: it is good to the end of its month.
 * @param written MMYY, a year of this century
 * @param today the day that it is where it counts
 * @returns `undefined` when it is no month.
 */
export function isExpired(written: string, today: DateTime): boolean | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])(\d\d)$/.exec(written) ?? [];
  return month === undefined ? undefined : `20${year}-${month}` < today.toFormat('yyyy-MM');
}
