import type { IDataObject } from 'n8n-workflow';

import type { Part } from './line-parts';
import { entriesOf, type ListEntry, type Picker, type View } from './picker';
import type { Term } from './terms';

/** Rank 0 is the best match. */
export interface Ranked {
  entry: ListEntry;
  record: IDataObject;
  rank: number;
}

/** Exceeds the number of parts in a list entry, so that a better match outranks an earlier position. */
const NEXT_GRADE = 100;

function termRank(parts: Part[], term: Term): number | undefined {
  const ranks = parts.flatMap(({ match }, place) => {
    const grade = match(term);
    return grade === undefined ? [] : [grade * NEXT_GRADE + place];
  });
  return ranks.length > 0 ? Math.min(...ranks) : undefined;
}

function rankOf({ shown, known }: ListEntry, terms: Term[]): number | undefined {
  const parts = [...shown, ...known];
  const ranks = terms.map((term) => termRank(parts, term));
  return ranks.reduce((sum, rank) => (sum === undefined || rank === undefined ? undefined : sum + rank), 0);
}

/** Returns the entries that match all typed terms, best match first. */
export function ranked(records: IDataObject[], terms: Term[], picker: Picker, view: View): Ranked[] {
  const seen = new Set<string>();
  return records
    .flatMap((record) =>
      entriesOf(picker, record, view).map((entry) => ({ entry, record, rank: rankOf(entry, terms) })),
    )
    .flatMap(({ entry, record, rank }) => {
      if (rank === undefined || entry.id === '' || seen.has(entry.id)) return [];
      seen.add(entry.id);
      return [{ entry, record, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
}
