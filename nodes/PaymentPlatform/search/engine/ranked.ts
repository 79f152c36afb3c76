import type { IDataObject } from 'n8n-workflow';

import type { Part } from './line-parts';
import type { ListEntry, Picker, View } from './picker';
import type { Term } from './terms';

/** Entry with its record and its rank. Rank 0 is the best match. */
export interface Ranked {
  entry: ListEntry;
  record: IDataObject;
  rank: number;
}

/** Distance between the ranks of two grades. The distance exceeds the number of parts in an entry. */
const NEXT_GRADE = 100;

/** Returns the rank of a term in an entry. The grade of the match is more important than the position of the part. */
function termRank(parts: Part[], term: Term): number | undefined {
  const ranks = parts.flatMap(({ match }, place) => {
    const grade = match(term);
    return grade === undefined ? [] : [grade * NEXT_GRADE + place];
  });
  return ranks.length > 0 ? Math.min(...ranks) : undefined;
}

/** Returns the rank of an entry for all terms, or `undefined` if a term doesn't match. */
function rankOf({ shown, known }: ListEntry, terms: Term[]): number | undefined {
  const parts = [...shown, ...known];
  const ranks = terms.map((term) => termRank(parts, term));
  return ranks.reduce((sum, rank) => (sum === undefined || rank === undefined ? undefined : sum + rank), 0);
}

/**
 * Returns the entries that match all terms, beginning with the best match. Entries with equal ranks keep the order of
 * their records.
 */
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
