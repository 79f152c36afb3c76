import type { Planned } from '../model/types';

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
