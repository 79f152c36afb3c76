import { formatCents } from './money';

/** Letter codes (ISO 4217) of currencies on hosted pages. Pages show the numeric code of other currencies. */
const LETTERS: Readonly<Record<string, string>> = {
  '036': 'AUD',
  '124': 'CAD',
  '484': 'MXN',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '978': 'EUR',
};

/** Currency of a request without a currency. */
export const DEFAULT_CURRENCY = '840';

/** Returns the letter code of a currency, or "currency" and the numeric code if the table has no letter code. */
export function currencyName(currency = DEFAULT_CURRENCY): string {
  return LETTERS[currency] ?? `currency ${currency}`;
}

/** Formats an amount with its currency, for example "12.50 USD". */
export function moneyText(cents: number, currency?: string): string {
  return `${formatCents(cents)} ${currencyName(currency)}`;
}
