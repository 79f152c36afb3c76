import { formatCents } from './money';

/** Letter codes of the currencies on hosted pages. Other currencies are shown by their numeric code (ISO 4217). */
const LETTERS: Readonly<Record<string, string>> = {
  '036': 'AUD',
  '124': 'CAD',
  '484': 'MXN',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '978': 'EUR',
};

/** Currency of a request that names none. */
export const DEFAULT_CURRENCY = '840';

/** Returns the letter code of a currency, or its numeric code if the letters are unknown. */
export function currencyName(currency = DEFAULT_CURRENCY): string {
  return LETTERS[currency] ?? `currency ${currency}`;
}

/** Formats an amount with its currency, such as "12.50 USD". */
export function moneyText(cents: number, currency?: string): string {
  return `${formatCents(cents)} ${currencyName(currency)}`;
}
