import { maskAccountNumber, maskCardNumber, passesCheckDigit } from './cards';

const HIDDEN = '[redacted]';

/** What card numbers begin with; keeps dates written as digits readable. */
const CARD_PREFIX = /^([3-6]|2[2-7])/;

/** How each field that may hold a secret is shown; the type stays a string so that the journal still proves the type. */
const SECRET_FIELDS: Readonly<Record<string, (text: string) => string>> = {
  card_number: hideCardNumber,
  cvv2: (text) => 'x'.repeat(text.length),
  dda_number: maskAccountNumber,
  tr_number: (text) => 'x'.repeat(text.length),
  card_swipe: () => HIDDEN,
  authorization: () => HIDDEN,
  user_password: () => HIDDEN,
  security_key: () => HIDDEN,
  payload_walleta_pay: () => HIDDEN,
  payload_walletb_pay: () => HIDDEN,
};

function hideCardNumber(text: string): string {
  const alreadyMasked = /^\d{0,6}x+\d{0,4}$/.test(text);
  const digits = text.replace(/\D/g, '');
  if (alreadyMasked) return text;
  return digits.length >= 12 ? maskCardNumber(digits) : 'x'.repeat(text.length);
}

/** A random identifier, as in the address of a webhook: its digits say nothing, and it is of no use with some hidden. */
const UUID = '\\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\\b';
const UUID_OR_DIGITS = new RegExp(`(${UUID})|\\d(?:[ -]?\\d){12,18}`, 'gi');

/** Masks digit runs in free text that could be card numbers: 13 to 19 digits with a valid check digit. */
export function maskText(text: string): string {
  return text.replace(UUID_OR_DIGITS, (run, uuid?: string) => {
    const digits = run.replace(/\D/g, '');
    const isCard = uuid === undefined && CARD_PREFIX.test(digits) && passesCheckDigit(digits);
    return isCard ? maskCardNumber(digits) : run;
  });
}

/**
 * A copy of a JSON value that holds no card number, verification value, account number, token or password: named fields
 * by their name, anything else by what it looks like. Masked numbers stay as they are.
 */
export function redact(value: unknown, fieldName = ''): unknown {
  const hide = SECRET_FIELDS[fieldName.toLowerCase()];
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
