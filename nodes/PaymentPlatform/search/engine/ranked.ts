import type { IDataObject } from 'n8n-workflow';

import type { Part } from './line-parts';
import type { ListEntry, Picker, View } from './picker';
import type { Term } from './terms';

/** An entry, the record it is of, and how well it holds what was typed: 0 is best. */
export interface Ranked {
  entry: ListEntry;
  record: IDataObject;
  rank: number;
}

/** More than any number of parts. */
const NEXT_GRADE = 100;

/** How well the parts hold one thing that was typed: the better, and the earlier the part is read, the less. */
function termRank(parts: Part[], term: Term): number | undefined {
  const ranks = parts.flatMap(({ match }, place) => {
    const grade = match(term);
    return grade === undefined ? [] : [grade * NEXT_GRADE + place];
  });
  return ranks.length > 0 ? Math.min(...ranks) : undefined;
}

/** How well an entry holds all that was typed, or `undefined` when it lacks a part of it. */
function rankOf({ shown, known }: ListEntry, terms: Term[]): number | undefined {
  const parts = [...shown, ...known];
  const ranks = terms.map((term) => termRank(parts, term));
  return ranks.reduce((sum, rank) => (sum === undefined || rank === undefined ? undefined : sum + rank), 0);
}

/** The entries that hold all that was typed, the best first; equally good ones stay in the order of the records. */
export function ranked(records: IDataObject[], terms: Term[], { entries }: Picker, view: View): Ranked[] {
  const seen = new Set<string>();
  return records
    .flatMap((record) => entries(record, view).map((entry) => ({ entry, record, rank: rankOf(entry, terms) })))
    .flatMap(({ entry, record, rank }) => {
      if (rank === undefined || entry.id === '' || seen.has(entry.id)) return [];
      seen.add(entry.id);
      return [{ entry, record, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
}
