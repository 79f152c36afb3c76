import { maskLongNumbers } from '../shared/privacy';

/** Problems of a text that isn't a plain number, and the plain numbers that it can mean. */
interface Reading {
  wrong: string[];
  meant: string[];
}

const NOTHING: Reading = { wrong: [], meant: [] };

/** Maximum length of a text that a user could have meant as a number. Longer text isn't analyzed. */
const LONGEST = 40;
const EXPONENT = /^[+-]?\d+([.,]\d+)?e[+-]?\d{1,2}$/i;
/** Number with a currency or percent sign before or after it: $5, -€ 5, 5 USD, Rs. 5, 8.25 %. */
const DRESSED =
  /^(?<sign>[+-]?)(?<before>(?:[\p{L}\p{Sc}]{1,5}\.?)?) ?(?<inner>[+-]?)(?<number>[.,]?\d(?:[\d.,' _]*\d)?) ?(?<after>[\p{L}\p{Sc}]{0,5}|%)$/u;
/** Notation of prices without decimals: 25,- or 25.-- */
const NO_DECIMALS = /(?<=\d)([.,])-{1,2}(?=$| ?[\p{L}\p{Sc}])/u;
const GROUPED_BY_SIGN = /^\d{1,3}([ '_])\d{3}(?:\1\d{3})*(?=$|[.,])/;
const GROUPED_BY_POINT = /^\d{1,3}(?:\.\d{3})+(?=$|,)/;
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+(?=$|\.)/;

/** Values that a field accepts. */
interface Wanted {
  /** Returns whether the field accepts a plain number. Only such numbers are suggested. */
  fits: (plain: string) => boolean;
  /** Maximum number of decimals. */
  decimals: number;
  /** Whether the field is an amount of money. A percentage then gets no suggestion. */
  money?: boolean;
}

/**
 * Returns a suggestion for text that isn't a plain number, as the end of a sentence that begins with the label:
 * "100,50" is 100.50, and "1,000" can be two numbers. Returns `undefined` if no number is likely. The node only
 * suggests numbers and never sends a guess.
 * @param value the given value.
 */
export function whatToType(value: unknown, { fits, decimals, money = false }: Wanted): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST || (money && value.includes('%'))) return undefined;
  const { wrong, meant } = readingOf(value.trim());
  // A text that is long enough for a card or account number isn't repeated in a message, unless the message would show
  // it in full anyway.
  const isShown = (text: string) => maskLongNumbers(text) === text;
  const proposed = [...new Set(meant.map((plain) => shortened(plain, decimals)))].filter(
    (plain) => fits(plain) && (isShown(value) || isShown(plain)),
  );
  if (proposed.length === 0 || wrong.length === 0) return undefined;
  return proposed.length > 1
    ? `has two possible meanings. Enter ${proposed.join(' or ')}`
    : `must be written ${wrong.join(', ')}. Did you mean ${proposed.join()}?`;
}

/** Replaces digits, spaces, dashes and apostrophes of other scripts and keyboards by ASCII characters. */
const withUsualSigns = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\u2019/g, "'");

function readingOf(written: string): Reading {
  // A superscript digit is a power or a footnote.
  if (/\p{No}/u.test(written)) return NOTHING;
  const usual = withUsualSigns(written);
  const text = usual.replace(NO_DECIMALS, (_, point: string) => `${point}00`);
  if (EXPONENT.test(text)) return { wrong: ['without an exponent'], meant: [String(Number(text.replace(',', '.')))] };
  const { sign = '', before = '', inner = '', number = '', after = '' } = DRESSED.exec(text)?.groups ?? {};
  const { wrong, meant } = plainOf(number);
  const currency = (before + after).replace('%', '') !== '';
  return {
    wrong: [
      ...(currency ? ['without a currency'] : []),
      ...(after === '%' ? ['without the percent sign'] : []),
      ...(text === usual ? [] : ['without a dash']),
      ...(/[^\d\p{L}\p{Sc}\s%.,'_+-]/u.test(written) ? ['with standard digits and signs'] : []),
      ...wrong,
    ],
    meant: meant.map((plain) => `${sign || inner}${plain}`),
  };
}

const NO_GROUPS = 'without a thousands separator';
const POINT = 'with a decimal point';

/** Reads digits with points, commas and spaces between them. */
function plainOf(number: string): Reading {
  const [groups] = GROUPED_BY_SIGN.exec(number) ?? GROUPED_BY_POINT.exec(number) ?? GROUPED_BY_COMMA.exec(number) ?? [];
  const whole = groups?.replace(/\D/g, '') ?? '';
  const rest = number.slice(groups?.length ?? 0);
  if (groups !== undefined && rest === '') {
    // A nonzero third decimal means a plain number, not an amount of money or a thousands separator.
    if (/^\d+\.\d\d[1-9]$/.test(groups)) return { wrong: [], meant: [groups] };
    // A single point or comma before three digits can separate thousands or decimals.
    const decimal = /^\d+[.,]\d{3}$/.test(groups) ? [groups.replace(',', '.')] : [];
    return groups.startsWith('0')
      ? { wrong: groups.includes(',') ? [POINT] : [], meant: decimal }
      : { wrong: [NO_GROUPS], meant: [whole, ...decimal] };
  }
  if (groups !== undefined && /^[.,]\d+$/.test(rest))
    return {
      wrong: [NO_GROUPS, ...(rest.startsWith(',') ? [POINT] : [])],
      meant: [`${whole}${rest.replace(',', '.')}`],
    };
  const plain = number.replace(',', '.');
  if (/^\.\d+$/.test(plain)) return { wrong: ['with a digit before the decimal point'], meant: [`0${plain}`] };
  if (!/^\d+(\.\d+)?$/.test(plain)) return NOTHING;
  return { wrong: number.includes(',') ? [POINT] : [], meant: [plain] };
}

/** Removes trailing zeros beyond the usual decimals: 1.500 becomes 1.50 for two decimals. */
const shortened = (plain: string, decimals: number): string => {
  const [whole = '', fraction = ''] = plain.split('.');
  const needed = fraction.slice(0, decimals) + fraction.slice(decimals).replace(/0+$/, '');
  return needed === '' ? whole : `${whole}.${needed}`;
};
