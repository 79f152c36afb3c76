import type { IDataObject } from 'n8n-workflow';

import { currencyLetters } from '../fields/currencies';
import { isEmpty } from '../fields/value';
import { asText } from '../shared/objects';
import { CODE_WORDS } from '../wire/words';
import type { Came, FieldValues, Operation } from '../model/types';

/** First field of every result of a write: one sentence about what was done. */
export const WHAT_HAPPENED = 'what_happened';

/** Returns the name of the field that describes a code: `status_text` for `status`. */
export const wordsFieldOf = (name: string): string => `${name}_text`;

/** Returns the fields of the operation's records that contain short codes. */
export const codedFields = (operationId: string | undefined): string[] =>
  Object.keys(CODE_WORDS[operationId ?? ''] ?? {});

/** Adds a description after each code. Unknown codes get no description. */
export function withWords(record: IDataObject, operationId: string | undefined): IDataObject {
  const coded = CODE_WORDS[operationId ?? ''];
  if (!coded) return record;
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const words = coded[name]?.[asText(value)];
      return words === undefined
        ? [[name, value]]
        : [
            [name, value],
            [wordsFieldOf(name), words],
          ];
    }),
  );
}

/**
 * Returns the summary for the beginning of a result. If the summary can't be written, the item still succeeds without
 * it.
 */
export function whatHappened(
  told: Pick<Operation, 'summary'>,
  record: IDataObject,
  values: FieldValues,
  came: Came = 'sent',
): IDataObject {
  if (!told.summary) return {};
  try {
    return { [WHAT_HAPPENED]: told.summary(record, values, came) };
  } catch {
    return {};
  }
}

/**
 * Formats an amount: "5.00 USD". Values that aren't numbers stay unchanged.
 * @param currency three digits, if known.
 */
export function inMoney(amount: unknown, currency?: unknown): string {
  const text = asText(amount).trim();
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) return text;
  const letters = isEmpty(currency) ? '' : currencyLetters(asText(currency));
  return [number.toFixed(2), letters].filter(Boolean).join(' ');
}

/**
 * Formats an amount whose request names no currency: "5.00 USD" if the record names one, or else with a phrase for the
 * currency: "5.00 in the currency of the sale".
 */
export const inMoneyOf = (amount: unknown, record: object, words = ''): string =>
  'tran_currency' in record && !isEmpty(record.tran_currency)
    ? inMoney(amount, record.tran_currency)
    : `${inMoney(amount)}${words}`;

/** Names the customer of a record: " of customer C1". Returns empty text for a record without a customer. */
export const customerWords = ({ customer_id: id }: { customer_id?: unknown }): string =>
  isEmpty(id) ? '' : ` of customer ${asText(id)}`;

/** Maximum length of a summary, so that the summary fits on one line. */
const LONGEST = 90;

/** Returns the first text that is short enough for a summary, or else the last one. */
export const firstShort = (texts: readonly string[]): string =>
  texts.find(({ length }) => length <= LONGEST) ?? texts.at(-1) ?? '';

/** Returns the given text followed by the day of a date, or empty text if there is no date. */
export const onDay = (words: string, date: unknown): string =>
  isEmpty(date) ? '' : `${words}${asText(date).slice(0, 10)}`;

/** Names a single recipient and counts several: "a@example.com" or "3 recipients". */
export const recipients = (addresses: readonly string[]): string =>
  addresses.length > 1 ? `${addresses.length} recipients` : addresses.join('');

/** Joins texts: "a, b and c". */
export const inRow = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
