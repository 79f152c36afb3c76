import { maskLongNumbers } from '../shared/privacy';

/** `wrong`: problems with the notation. `meant`: numbers that the user may have meant. */
interface Reading {
  wrong: string[];
  meant: string[];
}

const NOTHING: Reading = { wrong: [], meant: [] };

/** Longer text is not a mistyped number. */
const LONGEST = 40;
const EXPONENT = /^[+-]?\d+([.,]\d+)?e[+-]?\d{1,2}$/i;
/** Examples: $5, -€ 5, 5 USD, Rs. 5, 8.25 %. */
const DRESSED =
  /^(?<sign>[+-]?)(?<before>(?:[\p{L}\p{Sc}]{1,5}\.?)?) ?(?<inner>[+-]?)(?<number>[.,]?\d(?:[\d.,' _]*\d)?) ?(?<after>[\p{L}\p{Sc}]{0,5}|%)$/u;
/** Dashes replace the decimals of a price: 25,- or 25.-- */
const NO_DECIMALS = /(?<=\d)([.,])-{1,2}(?=$| ?[\p{L}\p{Sc}])/u;
const GROUPED_BY_SIGN = /^\d{1,3}([ '_])\d{3}(?:\1\d{3})*(?=$|[.,])/;
const GROUPED_BY_POINT = /^\d{1,3}(?:\.\d{3})+(?=$|,)/;
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+(?=$|\.)/;

interface Wanted {
  fits: (plain: string) => boolean;
  decimals: number;
  /** Whether the field is an amount of money, which a percentage never is. */
  money?: boolean;
}

/** The node never sends a suggested number. "100,50" becomes 100.50, and "1,000" can mean 1000 or 1.00. */
export function whatToType(value: unknown, { fits, decimals, money = false }: Wanted): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST || (money && value.includes('%'))) return undefined;
  const { wrong, meant } = readingOf(value.trim());
  // Messages mask long numbers, which may be card numbers.
  const isShown = (text: string) => maskLongNumbers(text) === text;
  const proposed = [...new Set(meant.map((plain) => shortened(plain, decimals)))].filter(
    (plain) => fits(plain) && (isShown(value) || isShown(plain)),
  );
  if (proposed.length === 0 || wrong.length === 0) return undefined;
  return proposed.length > 1
    ? `has two possible meanings. Enter ${proposed.join(' or ')}`
    : `must be written ${wrong.join(', ')}. Did you mean ${proposed.join()}?`;
}

const withUsualSigns = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\u2019/g, "'");

function readingOf(written: string): Reading {
  // Superscript digits can be exponents or footnote marks.
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

function plainOf(number: string): Reading {
  const [groups] = GROUPED_BY_SIGN.exec(number) ?? GROUPED_BY_POINT.exec(number) ?? GROUPED_BY_COMMA.exec(number) ?? [];
  const whole = groups?.replace(/\D/g, '') ?? '';
  const rest = number.slice(groups?.length ?? 0);
  if (groups !== undefined && rest === '') {
    if (/^\d+\.\d\d[1-9]$/.test(groups)) return { wrong: [], meant: [groups] };
    // A point or comma before exactly three digits can be a decimal or a thousands separator.
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

const shortened = (plain: string, decimals: number): string => {
  const [whole = '', fraction = ''] = plain.split('.');
  const needed = fraction.slice(0, decimals) + fraction.slice(decimals).replace(/0+$/, '');
  return needed === '' ? whole : `${whole}.${needed}`;
};
