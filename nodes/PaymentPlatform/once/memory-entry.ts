import type { IDataObject } from 'n8n-workflow';

import { NAMES, READABLE_IDS, RECORD_IDS } from '../wire/marks';
import { referencesOf } from '../messages/name-references';
import type { Finished, EarlierTry } from '../model/write-memory';
import type { PlannedRequest, PartialFailure } from '../model/types';

/** The IDs of records, and the references by which a person finds one again. */
const IDS: ReadonlySet<string> = new Set([...RECORD_IDS, ...READABLE_IDS, ...NAMES]);

/** What is kept of a write, by short names: n8n stores it with the execution. */
export interface Entry {
  /** Digest of the request. */
  d: string;
  /** Digest of what it was made from. */
  o: string;
  /** Digests of its fields, in the order of the run's names. */
  f: string;
  /** Which of the accounts; the first unless given. */
  a?: number;
  /** When the first try was sent that the service did not answer, in milliseconds since 1970. */
  t?: number;
  /** What it moves, in cents; none for what moves nothing. */
  c?: number;
  /** How often a person had it sent anew; makes the code of each try another one. */
  n?: number;
  /** Earlier tries of unknown outcome that a person had sent again without saying what became of them. */
  u?: number;
  /** It was not applied, and its code must not come back. */
  x?: true;
  /** What came out; none while the outcome is unknown. */
  r?: IDataObject[];
  /** What went wrong all the same. */
  m?: PartialFailure;
  /** Secrets that are not in the records. */
  l?: string[];
  /** A person's word, not the service's. */
  w?: true;
  /** What n8n's database says of it, and nothing else. */
  j?: EarlierTry;
  /** Place of the first share, and digest, of the request with which a share was sent. */
  g?: string;
  /** A step of an item with others after it. */
  p?: true;
}

/** What is kept of a round. */
export interface RunMemory {
  entries: Record<string, Entry>;
  /** Names of fields, in the order in which they first occurred. */
  names: string[];
  /** Characters of JSON in all records. */
  size: number;
}

/** What is kept of an execution. */
export interface Store {
  /** The account of the first try. */
  account?: string;
  accounts: string[];
  /** What all runs of the execution moved, or may have moved, in cents. */
  moved?: number;
  runs: Record<string, RunMemory>;
}

/** What an entry says of a write that is done; nothing of one whose outcome is unknown. */
export function finished(entry: Entry): Finished | undefined {
  const { r: records, m: partialFailure, u: openTries, l: withoutSecrets, w: byWord, j: witness, p: inPart } = entry;
  return (
    records && {
      outcome: 'done',
      records,
      ...(partialFailure && { partialFailure }),
      ...(openTries && { openTries }),
      ...(withoutSecrets && { withoutSecrets }),
      ...(byWord && { byWord }),
      ...(witness && { byJournal: true }),
      ...(inPart && { inPart }),
    }
  );
}

/** What a record is known by, with what the service answered and what the operation adds to its records. */
export function onlyIds(record: IDataObject, { operation: { addedBySimplify = [] } }: PlannedRequest): IDataObject {
  const kept = (name: string) => IDS.has(name) || addedBySimplify.includes(name) || name === 'rcode';
  return Object.fromEntries(Object.entries(record).filter(([name]) => kept(name)));
}

export const hasStepsAfter = ({ operation: { steps }, part }: PlannedRequest) => part + 1 < (steps?.each.length ?? 0);

/** What is known of each item of a request of which no record is: what the item itself names. */
export const ofEach = (request: PlannedRequest, how: IDataObject): IDataObject[] =>
  request.items.map(() => ({ ...how, ...referencesOf(request) }));

/** The writes of each item that were sent, and not given back by a person. */
export function entriesByItem(entries: Record<string, Entry>): Map<string, Entry[]> {
  const items = new Map<string, Entry[]>();
  for (const [place, entry] of Object.entries(entries)) {
    if (entry.x) continue;
    const item = place.replace(/\..*$/, '');
    const own = items.get(item) ?? [];
    own.push(entry);
    items.set(item, own);
  }
  return items;
}

/** A loop runs the node many times. Only its latest rounds can be tried again. */
const MOST_RUNS = 3;

/** What is kept of a round; the oldest rounds give way to a new one. */
export function runOf({ runs }: Store, key: string): RunMemory {
  const existing = runs[key];
  if (existing) return existing;
  // In ascending order, as objects keep whole numbers.
  const others = Object.keys(runs);
  for (const oldest of others.slice(0, Math.max(0, others.length - MOST_RUNS + 1))) delete runs[oldest];
  return (runs[key] = { entries: {}, names: [], size: 0 });
}
