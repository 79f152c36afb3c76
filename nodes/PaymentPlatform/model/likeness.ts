import { centsOf, comparableText } from '../shared/objects';

/**
 * Result of comparing an identifying value of a record with a write. `notShown` means that the record doesn't show the
 * value, so it neither proves nor excludes the write.
 */
export type Likeness = 'equal' | 'different' | 'notShown';

/** Returns the date part of a date or timestamp (service.md#values). */
export const dayOf = (value: unknown): string => comparableText(value).slice(0, 10);

export const likeIf = (isEqual: boolean): Likeness => (isEqual ? 'equal' : 'different');

/** Compares two texts. An empty text shows nothing. */
export function likeText(shown: unknown, sent: unknown): Likeness {
  const [one, other] = [comparableText(shown), comparableText(sent)];
  return one === '' || other === '' ? 'notShown' : likeIf(one === other);
}

/** Compares only a sent value, because the service sets missing values itself. */
export const likeWhereSent = (shown: unknown, sent: unknown): Likeness =>
  sent === undefined ? 'equal' : likeText(shown, sent);

/** Compares two amounts without their signs. An unreadable amount shows nothing. */
export function likeAmount(shown: unknown, sent: unknown): Likeness {
  const [one, other] = [centsOf(shown), centsOf(sent)];
  return one === undefined || other === undefined ? 'notShown' : likeIf(one === other);
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
