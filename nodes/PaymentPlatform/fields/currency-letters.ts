import { CURRENCIES } from './currencies';

const LETTERS = new Map(
  [...CURRENCIES.matchAll(/(\d{3}) ([A-Z]{3}) /g)].map(([, digits = '', letters = '']): [string, string] => [
    digits,
    letters,
  ]),
);
const KNOWN = new Set(LETTERS.values());

/** The letters of a currency by its three-digit number; the number itself where nobody knows them. */
export const currencyLetters = (number: string): string => LETTERS.get(number.trim().padStart(3, '0')) ?? number.trim();

/** Whether letters, upper or lower case alike, are those of a currency. */
export const isCurrency = (letters: string): boolean => KNOWN.has(letters.toUpperCase());
