import { maskAccountNumber, maskCardNumber, passesCheckDigit } from './cards';
import { secretFields, type Shown } from './secret-fields';

const HIDDEN = '[redacted]';

/** Matches the first digits of card numbers. Timestamps, which begin with 20, don't match. */
const CARD_PREFIX = /^([3-6]|2[2-7])/;

/** Masking functions, keyed by x-masked keyword. */
const HIDING: Readonly<Record<Shown, (text: string) => string>> = {
  card: hideCardNumber,
  account: maskAccountNumber,
  hidden: (text) => 'x'.repeat(text.length),
  nothing: () => HIDDEN,
};

/** Header with the access token, which openapi.yaml doesn't declare as a field. */
const HEADER = 'authorization';

function hiderOf(fieldName: string): ((text: string) => string) | undefined {
  const name = fieldName.toLowerCase();
  const shown = name === HEADER ? 'nothing' : secretFields().get(name);
  return shown && HIDING[shown];
}

function hideCardNumber(text: string): string {
  const alreadyMasked = /^\d{0,6}x+\d{0,4}$/.test(text);
  const digits = text.replace(/\D/g, '');
  if (alreadyMasked) return text;
  return digits.length >= 12 ? maskCardNumber(digits) : 'x'.repeat(text.length);
}

/** Matches UUIDs, which contain no secret and stay visible in the journal. */
const UUID = '\\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\\b';
const UUID_OR_DIGITS = new RegExp(`(${UUID})|\\d(?:[ -]?\\d){12,18}`, 'gi');

/** Masks numbers in free text that have a card number's length and check digit. */
export function maskText(text: string): string {
  return text.replace(UUID_OR_DIGITS, (run, uuid?: string) => {
    const digits = run.replace(/\D/g, '');
    const isCard = uuid === undefined && CARD_PREFIX.test(digits) && passesCheckDigit(digits);
    return isCard ? maskCardNumber(digits) : run;
  });
}

/** Copies a JSON value without card numbers, security codes, account numbers, tokens or passwords. */
export function redact(value: unknown, fieldName = ''): unknown {
  const hide = hiderOf(fieldName);
  if (Array.isArray(value)) return value.map((entry) => redact(entry, fieldName));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [maskText(name), redact(entry, name)]));
  if (typeof value === 'string') return hide ? hide(value) : maskText(value);
  if (typeof value === 'number') {
    if (hide) return HIDDEN;
    const masked = maskText(String(value));
    return masked === String(value) ? value : masked;
  }
  return value;
}
