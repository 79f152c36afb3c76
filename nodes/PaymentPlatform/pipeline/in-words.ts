import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { WORDS } from '../wire/words';
import type { FieldValues, Operation } from './types';

/** The field with which every result of a write begins: what was done, in sentences for a person. */
export const WHAT_HAPPENED = 'what_happened';

/** The field in which the words for a code stand, beside the code itself: `status_text` for `status`. */
export const textOf = (name: string): string => `${name}_text`;

/** Fields of the operation's records that hold codes of a letter or two. */
export const codedFields = (operationId: string | undefined): string[] => Object.keys(WORDS[operationId ?? ''] ?? {});

/** The record with the words for each of its codes right behind it. A code that nobody knows has none. */
export function withWords(record: IDataObject, operationId: string | undefined): IDataObject {
  const coded = WORDS[operationId ?? ''];
  if (!coded) return record;
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const words = coded[name]?.[asText(value)];
      return words === undefined
        ? [[name, value]]
        : [
            [name, value],
            [textOf(name), words],
          ];
    }),
  );
}

/** What was done, for the beginning of a result. What the node can't word is no failure: the record tells it then. */
export function whatHappened(operation: Operation, record: IDataObject, values: FieldValues): IDataObject {
  if (!operation.says) return {};
  try {
    return { [WHAT_HAPPENED]: operation.says(record, values) };
  } catch {
    return {};
  }
}

/** An amount as people write it: "5.00". What is no number stays as it is. */
export function inMoney(amount: unknown): string {
  const text = asText(amount).trim();
  const number = Number(text);
  return text === '' || !Number.isFinite(number) ? text : number.toFixed(2);
}

/** "a, b and c" */
export const inRow = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
