import { digitsOf, GROUP, MAYBE_CARDS, NUMBER } from './digits';

/** Masks a number except for its last four digits, so that users can distinguish cards and accounts. */
export const lastFour = (number: string): string => `x${digitsOf(number).slice(-4)}`;

/**
 * Masks all but the last four digits of numbers with 12 or more digits, which may be card numbers. Use this function
 * for user input. Shorter numbers stay visible to help users find typos.
 */
export function maskLongNumbers(text: string): string {
  return text.replace(NUMBER, (run) => (digitsOf(run).length >= 12 ? lastFour(run) : run));
}

/**
 * Masks tokens, card numbers, and numbers of 7 or more digits, which may be account numbers. Use this function for
 * external text in messages, logs and stored executions.
 */
export function scrub(text: string): string {
  const withoutTokens = text.replace(/\b(Basic|Bearer)\s+[A-Za-z0-9+/=_-]+/gi, '$1 ***');
  return maskCardNumbers(withoutTokens).replace(NUMBER, lastFour);
}

/** Webhook addresses contain UUIDs, whose digits can look like a card number. */
const UUID = /(\b[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b)/i;

/** Masks every card number except for its last four digits. Leaves UUIDs unchanged. */
export function maskCardNumbers(text: string): string {
  if (text.length < 12) return text;
  const parts = text.split(UUID);
  return parts.map((part, index) => (index % 2 ? part : part.replace(MAYBE_CARDS, maskCardsAmong))).join('');
}

/**
 * Masks card numbers in a record's ID. Leaves IDs of 17 or 18 digits unchanged, because these are rarely card numbers.
 */
export function maskCardsInId(id: string): string {
  return /^\d{17,18}$/.test(id) ? id : maskCardNumbers(id);
}

/** Regex alternatives: Visa, Mastercard and Mir, American Express, Diners, JCB, and Maestro, UnionPay and Discover. */
const CARD =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11,16}|35\d{14,17}|(?:50|5[6-9]|6\d)\d{10,17})$/;

/** Returns whether digits match a card brand's prefix and length and have a valid Luhn check digit. */
export function isCardNumber(digits: string): boolean {
  if (!CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/**
 * A count or an expiration date can precede or follow a card number, so the search tries every sequence of digit
 * groups, longest first.
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

const LONGEST = 19;

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
