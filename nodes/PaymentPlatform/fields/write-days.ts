import { DateTime } from 'luxon';

/** Three numbers with the same sign between them, and perhaps a time behind; words around it make it something else. */
const NUMBERS =
  /^(?<one>\d{1,4})(?<sign>[/.-])(?<two>\d{1,2})\k<sign>(?<three>\d{1,4})(?:(?:t|,?\s+)\d{1,2}[:.]\d.*)?$/i;

const CENTURY = '20';
const COUNTS = ['', '', 'two', 'three'];

/**
 * What to write in place of a day whose order of numbers is not the one that is taken, in a sentence that goes on after
 * the label, or `undefined` when it is no day: "31.03.2026" can be one day only, "02/03/2026" can be two. The node takes
 * neither: a guess of a machine is no date.
 */
export function writeDay(value: unknown): string | undefined {
  const days = typeof value === 'string' ? readingsOf(value.trim()) : [];
  if (days.length === 0) return undefined;
  return days.length === 1
    ? `must be written as yyyy-MM-dd: did you mean ${days.join()}?`
    : `can be read in ${COUNTS[days.length]} ways: write ${days.slice(0, -1).join(', ')} or ${days.at(-1)}`;
}

/** The days that a text can mean, each as yyyy-MM-dd, in the order of the calendar. */
function readingsOf(text: string): string[] {
  const { one = '', two = '', three = '' } = NUMBERS.exec(text)?.groups ?? {};
  const orders = [
    [three, two, one],
    [three, one, two],
    [one, two, three],
  ];
  return [...new Set(orders.flatMap(([year = '', month = '', day = '']) => dayOf(year, month, day)))].sort();
}

/** A year of two digits is one of this century. */
function dayOf(year: string, month: string, day: string): string[] {
  if (![2, 4].includes(year.length) || month.length > 2 || day.length > 2) return [];
  const whole = year.length === 2 ? `${CENTURY}${year}` : year;
  const text = `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return /^(?:19|2\d)/.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid ? [text] : [];
}
