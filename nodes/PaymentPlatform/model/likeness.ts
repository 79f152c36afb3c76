import { instant } from '../fields/kinds/date';
import { centsOf, comparableText, exactInteger, readableNumber } from '../shared/objects';

/**
 * Result of comparing an identifying value of a record with a write. `notShown` means that the record doesn't show the
 * value, so it neither proves nor excludes the write.
 */
export type Likeness = 'equal' | 'different' | 'notShown';

/** Returns the date part of a date or timestamp (service.md#values). */
export const dayOf = (value: unknown): string => comparableText(value).slice(0, 10);

export const likeIf = (isEqual: boolean): Likeness => (isEqual ? 'equal' : 'different');

/** Returns an empty text for a value that is neither text nor a number, because it shows nothing readable. */
export const shownText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? comparableText(value) : '';

/** Compares two texts. An empty text shows nothing, and a number doesn't show all zeros (`withoutZeros`). */
export function likeText(shown: unknown, sent: unknown): Likeness {
  const [one, other] = [shownText(shown), shownText(sent)];
  if (one === '' || other === '') return 'notShown';
  return one !== other && lacksZeros(shown, other) ? 'notShown' : likeIf(one === other);
}

/** Returns the text of a number that the service read from a text, such as "42.1" for "042.10". */
export const withoutZeros = (text: string): string =>
  Math.abs(Number(text || NaN)) <= Number.MAX_SAFE_INTEGER ? String(Number(text)) : text.replace(/^0+(?=\d)/, '');

/** Returns whether a number of a response is a text without its zeros. Long numbers of responses are texts. */
export const lacksZeros = (shown: unknown, sent: string): boolean =>
  (typeof shown === 'number' || isLongNumber(shown)) && withoutZeros(String(shown)) === withoutZeros(sent);

/** Returns whether a record shows the text, possibly as a number. */
export const mayEqual = (shown: unknown, sent: unknown): boolean =>
  likeText(shown, sent) === 'equal' || lacksZeros(shown, shownText(sent));

const isLongNumber = (shown: unknown): shown is string =>
  typeof shown === 'string' && /^\d+$/.test(shown) && exactInteger(shown) === shown;

/**
 * Returns `different` for the status code of a record without an effect. A code that the interface doesn't describe shows
 * nothing.
 */
export function likeStatus(status: unknown, described: object | undefined, without: readonly string[]): Likeness {
  const code = comparableText(status);
  if (without.includes(code)) return 'different';
  return code === '' || Object.hasOwn(described ?? {}, code) ? 'equal' : 'notShown';
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Compares the day of a record's date or time with a sent day. A time can belong to the day before or after it. */
export function likeDay(shown: unknown, sent: unknown): Likeness {
  const [at, asked] = [instant(shown, 'utc')?.toMillis(), instant(dayOf(sent), 'utc')?.toMillis()];
  if (at === undefined || asked === undefined) return 'notShown';
  if (at === asked || dayOf(shown) === dayOf(sent)) return 'equal';
  return at % DAY_MS === 0 || Math.abs(at - asked) >= 2 * DAY_MS ? 'different' : 'notShown';
}

/** Compares only a sent value, because the service sets missing values itself. */
export const likeWhereSent = (shown: unknown, sent: unknown): Likeness =>
  sent === undefined ? 'equal' : likeText(shown, sent);

/** Floating-point errors of an amount are smaller. */
const FRACTION_OF_CENT = 0.0005;

/** Compares two amounts without their signs. An unreadable amount or a fraction of a cent shows nothing. */
export function likeAmount(shown: unknown, sent: unknown): Likeness {
  const [one, other] = [shown, sent].map(readableNumber);
  if (one === undefined || other === undefined) return 'notShown';
  if (centsOf(one) !== centsOf(other)) return 'different';
  return Math.abs(Math.abs(one) - Math.abs(other)) < FRACTION_OF_CENT ? 'equal' : 'notShown';
}

/** Minimum number of last digits that distinguish a masked number. */
const SEEN = 4;

/** Compares two card or account numbers, each possibly masked except its first and last digits. */
export function likeNumber(shown: unknown, sent: unknown): Likeness {
  const numbers = [shown, sent].map((number) => comparableText(number).replace(/[\s-]/g, ''));
  const [one = '', other = ''] = numbers.map((number) => /\d*$/.exec(number)?.[0] ?? '');
  const [start = '', otherStart = ''] = numbers.map((number) => /^\d*/.exec(number)?.[0] ?? '');
  const seen = Math.min(one.length, other.length);
  if (seen < SEEN) return 'notShown';
  const common = Math.min(start.length, otherStart.length);
  const isWhole = numbers.every((number) => /^\d+$/.test(number));
  const startsAlike = isWhole || start.slice(0, common) === otherStart.slice(0, common);
  if (one.slice(-seen) !== other.slice(-seen) || !startsAlike) return 'different';
  // A number without its leading digits may belong to another account.
  return isWhole && one.length !== other.length ? 'notShown' : 'equal';
}

/** One different value excludes the write, and one missing value leaves it open. */
export function likenessOfAll(values: readonly Likeness[]): Likeness {
  if (values.includes('different')) return 'different';
  return values.includes('notShown') ? 'notShown' : 'equal';
}

/**
 * Compares two currencies. Without one in the request, the account may use another than the default.
 * @param fallback the service's default currency.
 */
export function likeCurrency(shown: unknown, sent: unknown, fallback: string): Likeness {
  if (sent !== undefined) return likeText(shown, sent);
  return ['', fallback].includes(comparableText(shown)) ? 'equal' : 'notShown';
}
