import type { INodeListSearchItems } from 'n8n-workflow';

import { NOT_SHOWN } from '../../fields/searches';
import { BETWEEN, LINE } from './line-parts';
import type { ListEntry, Picker } from './picker';

export const nameEntry = (entry: ListEntry): string => textsOf(entry).join(BETWEEN);

const TELLING = 6;

/** Adds distinguishing text to rows with the same text. */
export function rows(entries: ListEntry[]): INodeListSearchItems[] {
  const alike = new Map<string, ListEntry[]>();
  for (const entry of entries) {
    const seen = nameEntry(entry).slice(0, LINE);
    alike.set(seen, [...(alike.get(seen) ?? []), entry]);
  }
  return entries.map((entry) => {
    const others = alike.get(nameEntry(entry).slice(0, LINE))?.filter((other) => other !== entry) ?? [];
    return { name: others.length === 0 ? nameEntry(entry) : toldApart(entry, others), value: entry.id };
  });
}

const textsOf = ({ shown }: ListEntry) => shown.map(({ text }) => text).filter((text) => text !== '');

/** The distinguishing text comes early, because the editor can truncate the end of a row. */
function toldApart(entry: ListEntry, others: ListEntry[]): string {
  const texts = textsOf(entry);
  const own = texts.filter((text, at) => at > 0 && !others.every((other) => textsOf(other).includes(text)));
  const isTwin = others.some((other) => nameEntry(other) === nameEntry(entry));
  const telling = [...own, ...(isTwin ? [idWords(entry.id)] : [])];
  return [...texts.slice(0, 1), ...telling, ...texts.slice(1).filter((text) => !own.includes(text))].join(BETWEEN);
}

const idWords = (id: string): string => (id.length <= TELLING ? `ID ${id}` : `ID ...${id.slice(-TELLING)}`);

/** Shows the number of omitted records and the reasons. */
export function leftOutRow(entries: ListEntry[], what: string): INodeListSearchItems[] {
  const [first, ...others] = entries;
  if (!first) return [];
  if (others.length === 0) return [{ name: `1 not shown (${first.leftOut}): ${nameEntry(first)}`, value: NOT_SHOWN }];
  const counts = new Map<string, number>();
  for (const { leftOut = '' } of entries) counts.set(leftOut, (counts.get(leftOut) ?? 0) + 1);
  const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${reason} (${count})`);
  return [{ name: `${entries.length} of ${what} not shown: ${reasons.join('; ')}`, value: NOT_SHOWN }];
}

/**
 * The search didn't include all records. Users can't select the row, because its value is boolean
 * (n8n.md#lists-in-the-editor).
 */
export const moreRow = (searched: number, { of, add }: Picker): INodeListSearchItems => ({
  name: `Not listed? Type ${add}. The list covers the latest ${searched} ${of} and older matches from the service.`,
  value: true,
});
