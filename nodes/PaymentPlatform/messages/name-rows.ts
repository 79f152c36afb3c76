import type { IDataObject } from 'n8n-workflow';
import type { FieldValues, Planned } from '../model/types';
import { asText, cut } from '../shared/objects';
import { NAMES, RECORD_IDS } from '../wire/marks';
import type { Scrubber } from './scrubber';

export const MOST_ROWS_NAMED = 20;

/** Row numbers start at 1. */
export interface Rows {
  count: number;
  names: ReadonlyMap<number, string>;
}

/** @param planned one entry for each item. */
export function nameRows(planned: Planned[]): Rows['names'] {
  const named = planned.flatMap((plan): Array<[number, string]> => {
    const item = 'failure' in plan ? plan.item : plan.request.items[0];
    const name = plan.name?.();
    return name === undefined || item === undefined ? [] : [[item, name]];
  });
  return new Map(named);
}

/** Returns text such as "Row 2 of 3 (X-2)", or `''` if there is only one row. */
export const titleOf = ({ count, names }: Rows, item: number): string =>
  count > 1 ? `Row ${item + 1} of ${count}${inBrackets([names.get(item)])}` : '';

/** Returns text such as "row 2 (X-2)". */
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

/** Formats sorted numbers as at most twenty ranges, such as "3-5, 9". */
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

/** Falls back to the ID of the record or customer that the item affects. */
export function nameItem({ path, body }: FieldValues, scrubber: Scrubber): string | undefined {
  const all: IDataObject = { ...body, ...path };
  const found = NAMES.map((name) => all[name]).find((value) => value !== undefined && typeof value !== 'object');
  return found === undefined ? undefined : cut(scrubber.id(asText(found)), LONGEST_NAME);
}

export const idsOf = (record: IDataObject): IDataObject =>
  Object.fromEntries(RECORD_IDS.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
