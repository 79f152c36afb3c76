import { DISGUISE, type DigitGroup, digitsOf, replaceMaybeCards, replaceNumbers, replaceShortNumbers } from './digits';
import { asText, wellFormed } from './objects';

/** Shows the last four digits, so that users can distinguish cards and accounts. */
export const lastFour = (number: string): string => `x${digitsOf(number).slice(-4)}`;

/** In a number with fewer digits, the last four digits would reveal too much. */
export const LEAST_SHOWN = 8;

/**
 * Returns `''` if the number is too short to show its last four digits.
 * @param number complete or masked number. The node's own masks are shorter than the numbers.
 */
export function lastDigits(number: unknown): string {
  const places = asText(number).replace(/[^\dxX*]/g, '');
  const isLong = places.length >= LEAST_SHOWN || /^x\d{4}$/.test(places);
  return (isLong && /\d{4}$/.exec(places)?.[0]) || '';
}

/** Numbers with at least as many digits may be card numbers. */
const LONG = 12;
const DIGITS = /[\p{Nd}\p{No}]+/gu;
const LETTERS = new RegExp(`(?:(?![${DISGUISE}])\\p{L})+`, 'u');

/** Letters end a number, so most IDs need no search. */
const hasNoLongNumber = (text: string): boolean =>
  text.length < LONG || text.split(LETTERS).every((part) => digitCount(part) < LONG);

const digitCount = (text: string) => (text.match(DIGITS) ?? []).reduce((count, { length }) => count + length, 0);

/**
 * Masks all but the last four digits of numbers with 12 or more digits, which may be card numbers. Use this function
 * for user input, because users need shorter numbers to find typos.
 */
export function maskLongNumbers(text: string): string {
  if (hasNoLongNumber(text)) return text;
  return replaceNumbers(text, (run) => (digitsOf(run).length >= LONG ? lastFour(run) : run));
}

/**
 * Masks tokens, card numbers, and numbers of 7 or more digits, which may be account numbers. Use this function for
 * external text in messages, logs and stored executions.
 */
export function scrub(text: string): string {
  const withoutTokens = text.replace(/\b(Basic|Bearer)\s+[A-Za-z0-9+/=_-]+/gi, '$1 ***');
  return replaceNumbers(maskCardNumbers(withoutTokens), lastFour);
}

/** Webhook addresses contain UUIDs, whose digits can look like a card number. */
const UUID = /(\b[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b)/i;

/** Shows only the last four digits. Leaves UUIDs unchanged. */
export function maskCardNumbers(text: string): string {
  if (hasNoLongNumber(text)) return text;
  const parts = text.split(UUID);
  return parts.map((part, index) => (index % 2 ? part : replaceMaybeCards(part, maskCardsAmong))).join('');
}

/** Leaves IDs of 17 or 18 digits unchanged, because these are rarely card numbers. */
export function maskCardsInId(id: string): string {
  return /^\d{17,18}$/.test(id) ? id : maskCardNumbers(id);
}

/** Regex alternatives: Visa, Mastercard and Mir, American Express, Diners, JCB, and Maestro, UnionPay and Discover. */
const CARD =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11,16}|35\d{14,17}|(?:50|5[6-9]|6\d)\d{10,17})$/;

/** Checks the prefixes and lengths of card brands and the Luhn check digit. */
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
function maskCardsAmong(run: string, groups: DigitGroup[]): string {
  let masked = '';
  let shownTo = 0;
  let at = 0;
  while (at < groups.length) {
    const count = groupsOfCard(groups, at);
    const first = groups[at];
    const last = groups[at + count - 1];
    at += Math.max(count, 1);
    if (count === 0 || !first || !last) continue;
    masked += run.slice(shownTo, first.start) + lastFour(run.slice(first.start, last.end));
    shownTo = last.end;
  }
  return masked + run.slice(shownTo);
}

const LONGEST = 19;

function groupsOfCard(groups: DigitGroup[], from: number): number {
  let digits = '';
  let found = 0;
  for (let at = from; at < groups.length; at += 1) {
    digits += groups[at]?.digits ?? '';
    if (digits.length > LONGEST) break;
    if (isCardNumber(digits)) found = at - from + 1;
  }
  return found;
}

export const STARS = '***';

/** Secrets with fewer characters occur inside words by chance, so they count only as separate words. */
const SHORT = 4;
/** Numbers with fewer digits occur inside numbers by chance, so they count only as whole groups of digits. */
const LONG_NUMBER = 7;
/** Longer secrets, such as a wallet payload, would make the pattern too large. */
const LONGEST_IN_PATTERN = 500;

const WORD = /[\p{L}\p{N}]+/gu;

export interface Secrets {
  /** Matches secrets that aren't numbers or short words. */
  pattern?: RegExp;
  shortWords: ReadonlySet<string>;
  /** Longest first. */
  numbers: string[];
  long: string[];
  isEmpty: boolean;
  /** Matches text that is long enough to contain a secret in base64. */
  encoded: RegExp;
}

/** @param least minimum length of a secret. */
export function secretsFrom(given: readonly string[], least: number): Secrets {
  const secrets = [...new Set(given.map((secret) => secret.trim()))]
    .filter(({ length }) => length >= least)
    // Longer secrets come first, because a shorter secret can be part of a longer secret.
    .sort(longestFirst);
  const [short, others] = divide(secrets, (secret) => secret.length < SHORT && /^[\p{L}\p{N}]+$/u.test(secret));
  const [digits, texts] = divide(others, (secret) => /^\d+$/.test(secret));
  // A JSON number has no leading zeros.
  const longEnough = Math.max(least, LONG_NUMBER);
  const written = digits.map((number) => number.replace(/^0+/, '')).filter(({ length }) => length >= longEnough);
  const [long, words] = divide(texts, ({ length }) => length > LONGEST_IN_PATTERN);
  const shortest = [...secrets, ...written].sort(longestFirst).at(-1)?.length ?? least;
  const forms = [...new Set(words.flatMap((word) => [word, wellFormed(word)]))].map(patternOf);
  return {
    ...(forms.length > 0 && { pattern: new RegExp(forms.join('|'), 'giu') }),
    shortWords: new Set(short.map((word) => word.toLowerCase())),
    numbers: [...new Set([...digits, ...written])].sort(longestFirst),
    long,
    isEmpty: secrets.length === 0,
    // Each base64 character encodes 6 bits.
    encoded: new RegExp(`[\\w+/\\r\\n-]{${Math.ceil((shortest * 8) / 6)},}=*`, 'g'),
  };
}

const longestFirst = (a: string, b: string) => b.length - a.length;

function divide<One>(all: readonly One[], isFirst: (one: One) => boolean): [One[], One[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function patternOf(word: string): string {
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/]/g, (sign) => `\\${sign}`);
  return word.length < SHORT ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped;
}

/**
 * Removes secrets in the forms in which the service could echo them: unchanged, as grouped digits, with the escapes of
 * HTML, URLs and JSON, and in base64.
 */
export function withoutSecrets(text: string, secrets: Secrets): string {
  if (secrets.isEmpty) return text;
  const plain = replaceForms(text, secrets);
  const unescaped = withoutEscapes(plain);
  const replaced = unescaped === plain ? plain : replaceForms(unescaped, secrets);
  return replaced === unescaped ? plain : replaced;
}

const replaceForms = (text: string, secrets: Secrets): string =>
  replaceSecrets(text, secrets).replace(secrets.encoded, (run) => (encodesSecret(run, secrets) ? STARS : run));

function replaceSecrets(text: string, { pattern, shortWords, numbers, long }: Secrets): string {
  let shown = long.reduce((rest, secret) => rest.split(secret).join(STARS), text);
  if (pattern) shown = shown.replace(pattern, STARS);
  if (numbers.length > 0) shown = replaceShortNumbers(shown, (run, groups) => replaceNumbersIn(run, groups, numbers));
  if (shortWords.size === 0) return shown;
  return shown.replace(WORD, (word) => (shortWords.has(word.toLowerCase()) ? STARS : word));
}

/** Other characters can precede the base64 text, so the search tries each position in a group of four characters. */
const encodesSecret = (run: string, secrets: Secrets): boolean =>
  [0, 1, 2, 3].some((start) => {
    const decoded = Buffer.from(run.slice(start), 'base64').toString('utf8');
    return [decoded, withoutEscapes(decoded)].some((text) => replaceSecrets(text, secrets) !== text);
  });

function replaceNumbersIn(run: string, groups: DigitGroup[], numbers: readonly string[]): string {
  const digits = groups.map((group) => group.digits).join('');
  const wanted = numbers.filter((number) => digits.includes(number));
  if (wanted.length === 0) return run;
  const places = groups.flatMap(placesOf);
  let replaced = '';
  let copiedTo = 0;
  for (let at = 0; at < places.length; at += 1) {
    const number = wanted.find((one) => digits.startsWith(one, at) && isWhole(one, places, at));
    const [first, last] = [places[at], places[at + (number?.length ?? 0) - 1]];
    if (number === undefined || !first || !last) continue;
    replaced += run.slice(copiedTo, first.start) + STARS;
    copiedTo = last.end;
    at += number.length - 1;
  }
  return replaced + run.slice(copiedTo);
}

interface Place {
  start: number;
  end: number;
  begins: boolean;
  ends: boolean;
}

/** A digit of a rare script can have two UTF-16 code units. Such a group has one place. */
function placesOf({ digits, start, end }: DigitGroup): Place[] {
  const isExact = end - start === digits.length;
  return Array.from(digits, (_, at) => ({
    start: isExact ? start + at : start,
    end: isExact ? start + at + 1 : end,
    begins: at === 0,
    ends: at === digits.length - 1,
  }));
}

function isWhole({ length }: string, places: readonly Place[], at: number): boolean {
  if (length >= LONG_NUMBER) return true;
  const [first, last] = [places[at], places[at + length - 1]];
  return first?.begins === true && last?.ends === true;
}

const ESCAPES =
  /&#0*(\d{1,7});|&#x0*([\da-f]{1,6});|&(amp|lt|gt|quot|apos);|((?:%[\da-f]{2})+)|\\u([\da-f]{4})|\\(["'/\\nrt])/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** A text can be escaped several times, such as JSON in a URL. */
const MOST_ESCAPES = 4;

function withoutEscapes(text: string): string {
  let plain = text;
  for (let times = 0; times < MOST_ESCAPES && /[&%\\]/.test(plain); times += 1)
    plain = plain.replace(ESCAPES, unescaped);
  return plain;
}

function unescaped(escape: string, ...groups: Array<string | undefined>): string {
  const [decimal, hexadecimal, named, bytes, unit, character] = groups;
  if (named !== undefined) return NAMED[named.toLowerCase()] ?? escape;
  if (bytes !== undefined) return Buffer.from(bytes.replace(/%/g, ''), 'hex').toString('utf8');
  if (unit !== undefined) return String.fromCharCode(parseInt(unit, 16));
  if (character !== undefined) return /[nrt]/i.test(character) ? '\n' : character;
  const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
}
