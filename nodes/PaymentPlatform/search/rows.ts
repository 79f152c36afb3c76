import type { INodeListSearchItems } from 'n8n-workflow';

import type { Entry, Picker } from './picker';

/**
 * A line that tells something and can't be picked: the editor picks no value that is true or false, and shows each value
 * once (docs/n8n.md#lists-in-the-editor).
 */
const line = (name: string, value: boolean): INodeListSearchItems => ({ name, value });

/** What a person reads of an entry. */
export const nameOf = ({ shown }: Entry): string =>
  shown
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(' · ');

/** Digits of an ID that tell apart what reads the same. */
const TELLING = 6;

/** The entries as the editor shows them; those that read the same are told apart by the end of their IDs. */
export function rows(entries: Entry[]): INodeListSearchItems[] {
  const names = entries.map(nameOf);
  return entries.map((entry, index) => {
    const name = names[index] ?? '';
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    return { name: isAlone ? name : `${name} · ID ...${entry.id.slice(-TELLING)}`, value: entry.id };
  });
}

/** Says how many were left out, and why. */
export function leftOutRow(entries: Entry[], what: string): INodeListSearchItems[] {
  const [first, ...others] = entries;
  if (!first) return [];
  if (others.length === 0) return [line(`1 left out: ${nameOf(first)} (${first.leftOut})`, false)];
  const counts = new Map<string, number>();
  for (const { leftOut = '' } of entries) counts.set(leftOut, (counts.get(leftOut) ?? 0) + 1);
  const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} ${reason}`);
  return [line(`${entries.length} left out of ${what}: ${reasons.join(', ')}`, false)];
}

/** Says that not all records were looked at. */
export const moreRow = (searched: number, { of, add }: Picker): INodeListSearchItems =>
  line(
    `There are more ${of} than the latest ${searched}; of older ones you see what the service found. Not there? Type ${add}.`,
    true,
  );
