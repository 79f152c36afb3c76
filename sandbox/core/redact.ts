import { maskAccountNumber, maskCardNumber, passesCheckDigit } from './cards';
import { secretFields, type Shown } from './secret-fields';

const HIDDEN = '[redacted]';

/** What card numbers begin with; keeps dates written as digits readable. */
const CARD_PREFIX = /^([3-6]|2[2-7])/;

/** How a secret is shown; the type stays a string so that the journal still proves the type. */
const HIDING: Readonly<Record<Shown, (text: string) => string>> = {
  card: hideCardNumber,
  account: maskAccountNumber,
  hidden: (text) => 'x'.repeat(text.length),
  nothing: () => HIDDEN,
};

/** The header with the token, which is no field of the interface. */
const HEADER = 'authorization';

/** How the values of a field of this name are hidden; `undefined` where they are none of the interface's secrets. */
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
 * A copy of a JSON value that holds no card number, verification value, account number, token or password: marked fields
 * by their mark, anything else by what it looks like. Masked numbers stay as they are.
 */
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
