import { digitsOf, GROUP, MAYBE_CARDS, NUMBER } from './digits';

/** Masks a number except for the last four digits, which users need to distinguish cards and accounts. */
export const lastFour = (number: string): string => `x${digitsOf(number).slice(-4)}`;

/**
 * Masks every number of 12 or more digits except for its last four digits, because the number can be a card number. Use
 * this function for values that a user entered. Shorter numbers, such as phone numbers, stay visible to help users find
 * the mistake.
 */
export function maskLongNumbers(text: string): string {
  return text.replace(NUMBER, (run) => (digitsOf(run).length >= 12 ? lastFour(run) : run));
}

/**
 * Masks every `Basic` or `Bearer` token, every card number, and every number of 7 or more digits, because the number
 * can be an account number. Use this function for external text in messages, logs or stored executions. Numbers that
 * are already masked stay unchanged.
 */
export function scrub(text: string): string {
  const withoutTokens = text.replace(/\b(Basic|Bearer)\s+[A-Za-z0-9+/=_-]+/gi, '$1 ***');
  return maskCardNumbers(withoutTokens).replace(NUMBER, lastFour);
}

/** Matches a UUID, as in webhook addresses. The digits of a UUID can look like a card number. */
const UUID = /(\b[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b)/i;

/**
 * Masks every card number except for its last four digits. A card number has the length and first digits of a brand and
 * a valid check digit. UUIDs stay unchanged.
 */
export function maskCardNumbers(text: string): string {
  if (text.length < 12) return text;
  const parts = text.split(UUID);
  return parts.map((part, index) => (index % 2 ? part : part.replace(MAYBE_CARDS, maskCardsAmong))).join('');
}

/**
 * Masks card numbers in a record's ID. An ID of 17 or 18 digits stays visible, so that users can find the record.
 * Transaction IDs can have 18 digits, and card numbers rarely have 17 or 18 digits.
 */
export function maskCardsInId(id: string): string {
  return /^\d{17,18}$/.test(id) ? id : maskCardNumbers(id);
}

/**
 * Matches the first digits and lengths of the card brands, in the order Visa, Mastercard and Mir, American Express,
 * Diners, JCB, and then Maestro, UnionPay and Discover.
 */
const CARD =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11,16}|35\d{14,17}|(?:50|5[6-9]|6\d)\d{10,17})$/;

/** Returns whether digits have the first digits and length of a card brand, and a valid Luhn check digit. */
export function isCardNumber(digits: string): boolean {
  if (!CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/**
 * Masks the card numbers in a run of digits. Another number, such as a count or an expiration date, can precede or
 * follow a card number. The search therefore checks each sequence of whole groups, longest first.
 */
function maskCardsAmong(run: string): string {
  const groups = Array.from(run.matchAll(GROUP), ({ 0: text, index }) => ({ text, index, digits: digitsOf(text) }));
  let masked = '';
  let shownTo = 0;
  let at = 0;
  while (at < groups.length) {
    const count = groupsOfCard(groups.slice(at, at + LONGEST));
    const first = groups[at];
    const last = groups[at + count - 1];
    at += Math.max(count, 1);
    if (count === 0 || !first || !last) continue;
    const end = last.index + last.text.length;
    masked += run.slice(shownTo, first.index) + lastFour(run.slice(first.index, end));
    shownTo = end;
  }
  return masked + run.slice(shownTo);
}

/** Maximum number of digits in a card number. */
const LONGEST = 19;

/**
 * Returns the number of groups, counted from the first group, that form the longest card number. Returns 0 if no groups
 * form a card number.
 */
function groupsOfCard(groups: Array<{ digits: string }>): number {
  let digits = '';
  let found = 0;
  for (const [index, group] of groups.entries()) {
    digits += group.digits;
    if (digits.length > LONGEST) break;
    if (isCardNumber(digits)) found = index + 1;
  }
  return found;
}
