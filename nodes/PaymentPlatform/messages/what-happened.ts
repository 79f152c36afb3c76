import type { IDataObject } from 'n8n-workflow';

import { currencyLetters } from '../fields/currencies';
import { isEmpty } from '../fields/value';
import { asText } from '../shared/objects';
import { CODE_WORDS } from '../wire/words';
import type { Came, FieldValues, Operation } from '../model/types';

/** The field with which every result of a write begins: what was done, in sentences for a person. */
export const WHAT_HAPPENED = 'what_happened';

/** The field in which the words for a code stand, beside the code itself: `status_text` for `status`. */
export const wordsFieldOf = (name: string): string => `${name}_text`;

/** Fields of the operation's records that hold codes of a letter or two. */
export const codedFields = (operationId: string | undefined): string[] =>
  Object.keys(CODE_WORDS[operationId ?? ''] ?? {});

/** The record with the words for each of its codes right behind it. A code that nobody knows has none. */
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

/** What was done, for the beginning of a result. A sentence that can't be made is no failure of the item. */
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
 * An amount as people write it: "5.00 USD". What is no number stays as it is.
 * @param currency its three digits, where they are known.
 */
export function inMoney(amount: unknown, currency?: unknown): string {
  const text = asText(amount).trim();
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) return text;
  return [number.toFixed(2), currencyLetters(asText(currency))].filter(Boolean).join(' ');
}

/** The day of a date, after some words; nothing where there is no date. */
export const onDay = (words: string, date: unknown): string =>
  isEmpty(date) ? '' : `${words}${asText(date).slice(0, 10)}`;

/** Names a single recipient and counts several: "a@example.com" or "3 recipients". */
export const recipients = (addresses: readonly string[]): string =>
  addresses.length > 1 ? `${addresses.length} recipients` : addresses.join('');

/** Joins texts: "a, b and c". */
export const inRow = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
