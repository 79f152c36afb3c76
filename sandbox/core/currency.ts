import { formatCents } from './money';

/** ISO 4217 letter codes by numeric code. */
const LETTERS: Readonly<Record<string, string>> = {
  '036': 'AUD',
  '124': 'CAD',
  '484': 'MXN',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '978': 'EUR',
};

/** Numeric code of US dollars. */
export const DEFAULT_CURRENCY = '840';

/** Returns a currency's letter code, or "currency" and the numeric code if unlisted. */
export function currencyName(currency = DEFAULT_CURRENCY): string {
  return LETTERS[currency] ?? `currency ${currency}`;
}

/** Formats an amount with its currency, for example "12.50 USD". */
export function moneyText(cents: number, currency?: string): string {
  return `${formatCents(cents)} ${currencyName(currency)}`;
}
