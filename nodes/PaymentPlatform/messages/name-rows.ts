import type { IDataObject } from 'n8n-workflow';
import { declaredFields, recordName } from '../model/operation';
import { originalRequest } from '../model/item-steps';
import type { FieldValues, Planned, PlannedRequest } from '../model/types';
import { asText } from '../shared/objects';
import { maskCardsInId } from '../shared/privacy';
import { NAMES, RECORD_IDS, REFERENCES } from '../wire/marks';
import type { Scrubber } from './scrubber';

/** Maximum number of rows to list individually. */
export const MOST_ROWS_NAMED = 20;

/** Numbers and names of input items for messages. Row numbers start at 1. */
export interface Rows {
  count: number;
  names: ReadonlyMap<number, string>;
}

/**
 * Returns the names of items by item index.
 * @param planned one entry for each item.
 */
export function nameRows(planned: Planned[]): Rows['names'] {
  const named = planned.flatMap((plan): Array<[number, string]> => {
    const item = 'failure' in plan ? plan.item : plan.request.items[0];
    const name = plan.name?.();
    return name === undefined || item === undefined ? [] : [[item, name]];
  });
  return new Map(named);
}

/** Returns a title such as "Row 2 of 3 (X-2)", or `''` if there is only one row. */
export const titleOf = ({ count, names }: Rows, item: number): string =>
  count > 1 ? `Row ${item + 1} of ${count}${inBrackets([names.get(item)])}` : '';

/** Returns a reference to a row, such as "row 2 (X-2)". */
export const rowOf = ({ names }: Rows, item: number, ...more: Array<string | undefined>): string =>
  `row ${item + 1}${inBrackets([names.get(item), ...more])}`;

const inBrackets = (texts: Array<string | undefined>): string => {
  const given = [...new Set(texts.filter(Boolean))];
  return given.length > 0 ? ` (${given.join(', ')})` : '';
};

/** Lists up to three rows with their names ("row 2, row 4"), and more rows only by number ("rows 2-9, 11"). */
export function rowList(rows: Rows, items: number[]): string {
  if (items.length <= 3) return items.map((item) => rowOf(rows, item)).join(', ');
  return `rows ${ranges(items.map((item) => item + 1))}`;
}

/** Formats sorted numbers as ranges, such as "3-5, 9" for 3, 4, 5 and 9. Returns at most twenty ranges. */
export function ranges(numbers: number[]): string {
  const parts: Array<[number, number]> = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  const named = parts.slice(0, MOST_ROWS_NAMED).map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  return [...named, ...(parts.length > MOST_ROWS_NAMED ? ['...'] : [])].join(', ');
}

const LONGEST_NAME = 40;

/**
 * Returns the item's name for messages: its number or reference, or the ID of the record or customer that it affects.
 */
export function nameItem({ path, body }: FieldValues, scrubber: Scrubber): string | undefined {
  const all: IDataObject = { ...body, ...path };
  const found = NAMES.map((name) => all[name]).find((value) => value !== undefined && typeof value !== 'object');
  return found === undefined ? undefined : scrubber.id(asText(found)).slice(0, LONGEST_NAME);
}

/**
 * Returns the IDs and references that identify the record of a request, without secrets. Uses the field names of the
 * service's records.
 */
export function referencesOf(request: PlannedRequest): IDataObject {
  const called = new Map(declaredFields(request.operation).map((field) => [field.name, recordName(field)]));
  return Object.fromEntries(
    Object.entries(sentReferences(request)).map(([name, value]) => [called.get(name) ?? name, value]),
  );
}

/**
 * Returns the IDs and references that identify the record of a request, without secrets. Uses the field names of the
 * request.
 */
export function sentReferences(request: PlannedRequest): IDataObject {
  const [asked, sent] = [originalRequest(request).values, request.values];
  const all: IDataObject = { ...asked.body, ...asked.path, ...sent.body, ...sent.path };
  return Object.fromEntries(
    REFERENCES.filter((name) => all[name] !== undefined && typeof all[name] !== 'object').map((name) => [
      name,
      maskCardsInId(asText(all[name])),
    ]),
  );
}

/** Returns the IDs that let users find a created record. */
export const idsOf = (record: IDataObject): IDataObject =>
  Object.fromEntries(RECORD_IDS.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
