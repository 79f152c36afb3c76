import { formatCents } from './money';

/** Letters of the currencies that hosted pages show; of any other the digits are shown (ISO 4217). */
const LETTERS: Readonly<Record<string, string>> = {
  '036': 'AUD',
  '124': 'CAD',
  '484': 'MXN',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '978': 'EUR',
};

/** What is charged where a request names no currency. */
export const DEFAULT_CURRENCY = '840';

/** How a currency is called beside an amount: its letters, where known. */
export function currencyName(currency = DEFAULT_CURRENCY): string {
  return LETTERS[currency] ?? `currency ${currency}`;
}

/** An amount for people, such as "12.50 USD". */
export function moneyText(cents: number, currency?: string): string {
  return `${formatCents(cents)} ${currencyName(currency)}`;
}
