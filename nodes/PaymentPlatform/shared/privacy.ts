import { digitsOf, GROUP, MAYBE_CARDS, NUMBER } from './digits';

/** What a number leaves visible: its last four digits, which is how people tell cards and accounts apart. */
export const lastFour = (number: string): string => `x${digitsOf(number).slice(-4)}`;

/**
 * Hides every digit run of 12 or more but for its last four digits: long enough to be a card number. Used for values
 * that a person typed, where shorter runs (phone numbers, dates) help to find the mistake.
 */
export function maskLongNumbers(text: string): string {
  return text.replace(NUMBER, (run) => (digitsOf(run).length >= 12 ? lastFour(run) : run));
}

/**
 * Hides every digit run of 7 or more, long enough to be an account number, whatever stands between the digits, every card
 * number, and every `Basic`/`Bearer` token. Used for words that come from outside and end in messages, logs or stored
 * executions. Masked numbers (first digits, x, last four) pass unchanged.
 */
export function scrub(text: string): string {
  const withoutTokens = text.replace(/\b(Basic|Bearer)\s+[A-Za-z0-9+/=_-]+/gi, '$1 ***');
  return maskCardNumbers(withoutTokens).replace(NUMBER, lastFour);
}

/** A UUID, as in the addresses of webhooks: digits of it can look like a card number by chance. */
const UUID = /(\b[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b)/i;

/**
 * Hides every digit run that is a card number by length, first digits and check digit, but for its last four digits.
 * UUIDs stay whole.
 */
export function maskCardNumbers(text: string): string {
  if (text.length < 12) return text;
  const parts = text.split(UUID);
  return parts.map((part, index) => (index % 2 ? part : part.replace(MAYBE_CARDS, maskCardsAmong))).join('');
}

/**
 * The same for the IDs of records, by which a person finds them again. The service's transaction IDs can have 18 digits;
 * hardly any card has 17 or 18, so a number of that length is taken for an ID.
 */
export function maskCardsInId(id: string): string {
  return /^\d{17,18}$/.test(id) ? id : maskCardNumbers(id);
}

/**
 * The brands' first digits and lengths, in the order of the pattern: Visa; Mastercard and Mir; American Express; Diners;
 * JCB; Maestro, UnionPay and Discover.
 */
const CARD =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11,16}|35\d{14,17}|(?:50|5[6-9]|6\d)\d{10,17})$/;

/** Whether digits are a card number: a brand's first digits and length, and the check digit (modulo 10). */
export function isCardNumber(digits: string): boolean {
  if (!CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/**
 * A number may have neighbours: an expiration date after a card number, a count before it. So each sequence of whole
 * groups of digits is looked at, the longest first.
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

/** A card number has this many digits at most. */
const LONGEST = 19;

/** How many of these groups, from the first one on, make a card number; 0 when none does. */
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
