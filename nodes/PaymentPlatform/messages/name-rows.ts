import type { IDataObject } from 'n8n-workflow';
import { declaredFields, recordName } from '../model/operation';
import { originalRequest } from '../model/item-steps';
import type { FieldValues, Planned, PlannedRequest } from '../model/types';
import { asText } from '../shared/objects';
import { maskCardsInId } from '../shared/privacy';
import { NAMES, RECORD_IDS, REFERENCES } from '../wire/marks';
import type { Scrubber } from './scrubber';

/** Rows named one by one in a text. */
export const MOST_ROWS_NAMED = 20;

/** The input items as a person counts them, from 1, and names them. */
export interface Rows {
  count: number;
  /** By the index of the item. */
  names: ReadonlyMap<number, string>;
}

/** @param planned one for each item. */
export function nameRows(planned: Planned[]): Rows {
  const named = planned.flatMap((plan): Array<[number, string]> => {
    const item = 'failure' in plan ? plan.item : plan.request.items[0];
    return plan.name === undefined || item === undefined ? [] : [[item, plan.name]];
  });
  return { count: planned.length, names: new Map(named) };
}

/** "Row 2 of 3 (X-2)"; nothing where there is one row only. */
export const titleOf = ({ count, names }: Rows, item: number): string =>
  count > 1 ? `Row ${item + 1} of ${count}${inBrackets([names.get(item)])}` : '';

/** "row 2 (X-2)" */
export const rowOf = ({ names }: Rows, item: number, ...more: Array<string | undefined>): string =>
  `row ${item + 1}${inBrackets([names.get(item), ...more])}`;

const inBrackets = (texts: Array<string | undefined>): string => {
  const given = [...new Set(texts.filter(Boolean))];
  return given.length > 0 ? ` (${given.join(', ')})` : '';
};

/** A few rows by their names, many by their numbers: "row 2, row 4", "rows 2-9, 11". */
export function rowList(rows: Rows, items: number[]): string {
  if (items.length <= 3) return items.map((item) => rowOf(rows, item)).join(', ');
  return `rows ${ranges(items.map((item) => item + 1))}`;
}

/** 3, 4, 5, 9 as "3-5, 9"; the first twenty of what is in a row. */
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

/** A name is to be recognised, not read. */
const LONGEST_NAME = 40;

/** What a person calls the item: its own number or reference, else the record or customer that it is about. */
export function nameItem({ path, body }: FieldValues, scrubber: Scrubber): string | undefined {
  const all: IDataObject = { ...body, ...path };
  const found = NAMES.map((name) => all[name]).find((value) => value !== undefined && typeof value !== 'object');
  return found === undefined ? undefined : scrubber.id(asText(found)).slice(0, LONGEST_NAME);
}

/** What identifies the object of a request for a person, by the names that records have; nothing secret. */
export function referencesOf(request: PlannedRequest): IDataObject {
  const called = new Map(declaredFields(request.operation).map((field) => [field.name, recordName(field)]));
  return Object.fromEntries(
    Object.entries(sentReferences(request)).map(([name, value]) => [called.get(name) ?? name, value]),
  );
}

/** The same by the names on the wire. */
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

/** IDs of a record that was made, by which a person finds it. */
export const idsOf = (record: IDataObject): IDataObject =>
  Object.fromEntries(RECORD_IDS.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
