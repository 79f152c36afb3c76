import type { IDataObject } from 'n8n-workflow';

import { isList, isObject, type DataValue } from '../shared/objects';
import { NAMES, READABLE_IDS, RECORD_IDS, UNMASKED_SECRETS } from '../wire/marks';
import { referencesOf } from '../messages/name-rows';
import type { Finished, EarlierTry } from '../model/write-memory';
import type { PlannedRequest, PartialFailure } from '../model/types';

/** IDs of records, and references with which a person can find a record. */
const IDS: ReadonlySet<string> = new Set([...RECORD_IDS, ...READABLE_IDS, ...NAMES]);

/** Digests that identify a write. */
export interface WriteDigests {
  /** Digest of the request. */
  request: string;
  /** Digest of the parameters and input items from which the request was built. */
  origin: string;
}

/** Stored form of a write. n8n stores it with the execution. */
export interface MemoryEntry extends WriteDigests {
  /** Digests of the request's fields, in the order of `RunMemory.names`. */
  fields: string;
  /** Index of the account in `Store.accounts`. Defaults to 0. */
  account?: number;
  /** Time of the first attempt without a response, in milliseconds since 1970. */
  sentAt?: number;
  /** Amount that the write moves, in cents. Not set for a write that moves no money. */
  cents?: number;
  /** Number of times that a person released the write. The write gets another code each time. */
  releases?: number;
  /** Number of earlier attempts whose outcome was still unknown when the write was sent again. */
  openTries?: number;
  /** Set if the write was not applied. The entry is kept, so that the write never gets the same code again. */
  notApplied?: true;
  /** The result. Not set while the outcome is unknown. */
  records?: IDataObject[];
  partialFailure?: PartialFailure;
  /** Names of secrets that the records do not contain. */
  withoutSecrets?: string[];
  /** Set if a person stated that the write was applied. */
  byWord?: true;
  /** State of the write in n8n's database, if no other information is available. */
  witness?: EarlierTry;
  /** For a share: place of the first share and digest of the shared request. */
  sentWith?: string;
  /** Set for a step of an item with other steps after it. */
  inPart?: true;
}

/** Memory of a round. */
export interface RunMemory {
  /** Writes of the round, by their places. */
  entries: Record<string, MemoryEntry>;
  /** Names of fields, in the order in which they first occurred. */
  names: string[];
  /** Characters of JSON in all records. */
  size: number;
}

/** Memory of an execution. */
export interface Store {
  /** Account of the first attempt. */
  account?: string;
  accounts: string[];
  /** Amount that all runs of the execution moved or may have moved, in cents. */
  moved?: number;
  runs: Record<string, RunMemory>;
}

/** Returns the result of a completed write, or `undefined` for a write with an unknown outcome. */
export function finished({ records, witness, ...entry }: Omit<Partial<MemoryEntry>, 'account'>): Finished | undefined {
  const { partialFailure, openTries, withoutSecrets, byWord, inPart } = entry;
  const byDatabase = witness && true;
  return records && { outcome: 'done', records, partialFailure, openTries, withoutSecrets, byWord, byDatabase, inPart };
}

/** Secrets that the service returns without masking (openapi.yaml#Webhook). They are never stored. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(UNMASKED_SECRETS);

/** Replacement for a secret that the output leaves out. */
const HIDDEN = '***';

/** Returns the records without their secrets, and the names of the removed secrets. */
export function keepable(records: IDataObject[]): { records: IDataObject[]; left: string[] } {
  const left = new Set<string>();
  const strip = (value: DataValue): DataValue => {
    if (isList(value)) return value.map(strip);
    return isObject(value) ? stripped(value) : value;
  };
  const stripped = (record: IDataObject): IDataObject =>
    Object.fromEntries(
      Object.entries(record).flatMap(([name, inner]): Array<[string, DataValue]> => {
        if (!SECRET_FIELDS.has(name)) return [[name, strip(inner)]];
        // The secret was already hidden, so its name is not added.
        if (inner === HIDDEN) return [[name, inner]];
        left.add(name);
        return [];
      }),
    );
  return { records: records.map(stripped), left: [...left] };
}

/** Limit for the complete records of a round, in characters of JSON. Later records are reduced to their IDs. */
const MOST_CHARACTERS = 8_000_000;

/** Returns the records as the round keeps them. */
export function limitRecords(run: RunMemory, records: IDataObject[], request: PlannedRequest): IDataObject[] {
  run.size += JSON.stringify(records).length;
  return run.size <= MOST_CHARACTERS ? records : records.map((record) => onlyIds(record, request));
}

/** Returns the IDs of a record, its response code, and the fields that the operation adds to its records. */
function onlyIds(record: IDataObject, { operation: { addedBySimplify = [] } }: PlannedRequest): IDataObject {
  const kept = (name: string) => IDS.has(name) || addedBySimplify.includes(name) || name === 'rcode';
  return Object.fromEntries(Object.entries(record).filter(([name]) => kept(name)));
}

export const hasStepsAfter = ({ operation: { steps }, part }: PlannedRequest) => part + 1 < (steps?.each.length ?? 0);

/** Returns a record for each item of a request whose records are unknown, with the references of the item. */
export const ofEach = (request: PlannedRequest, how: IDataObject): IDataObject[] =>
  request.items.map(() => ({ ...how, ...referencesOf(request) }));

/** Returns the writes of each item, except those that were not applied. */
export function entriesByItem(entries: Record<string, MemoryEntry>): Map<string, MemoryEntry[]> {
  const items = new Map<string, MemoryEntry[]>();
  for (const [place, entry] of Object.entries(entries)) {
    if (entry.notApplied) continue;
    const item = place.replace(/\..*$/, '');
    const own = items.get(item) ?? [];
    own.push(entry);
    items.set(item, own);
  }
  return items;
}

export const isSameWrite = (one: WriteDigests, other: WriteDigests): boolean =>
  one.request === other.request || one.origin === other.origin;

/**
 * Moves the entries of writes whose position changed. An entry stays if its new position has an entry that stays.
 * @param writes writes of the current attempt with their positions.
 */
export function moveEntries(
  entries: Record<string, MemoryEntry>,
  writes: Array<WriteDigests & { place: string }>,
): void {
  const isHere = (write: (typeof writes)[number]) => {
    const entry = entries[write.place];
    return entry !== undefined && isSameWrite(entry, write);
  };
  const stays = new Set(writes.filter(isHere).map(({ place }) => place));
  const keyOf = (place: string, request: string) => `${place.replace(/^\d+/, '')} ${request}`;
  const free = new Map<string, string[]>();
  // The node takes equal writes from the end of the list, so the first write must be at the end.
  for (const [place, { request, notApplied }] of Object.entries(entries).reverse()) {
    if (notApplied || stays.has(place)) continue;
    const key = keyOf(place, request);
    const equal = free.get(key);
    if (equal) equal.push(place);
    else free.set(key, [place]);
  }
  const moves = new Map<string, string>();
  for (const { place, request } of writes) {
    const from = stays.has(place) ? undefined : free.get(keyOf(place, request))?.pop();
    if (from !== undefined) moves.set(place, from);
  }
  const leaving = new Set(moves.values());
  const blocked = [...moves.keys()].filter((to) => entries[to] && !entries[to].notApplied && !leaving.has(to));
  for (const to of blocked) {
    const from = moves.get(to) ?? '';
    moves.delete(to);
    if (moves.has(from)) blocked.push(from);
  }
  const moved = [...moves].flatMap(([to, from]) => (entries[from] ? [[to, entries[from]] as const] : []));
  for (const from of moves.values()) delete entries[from];
  Object.assign(entries, Object.fromEntries(moved));
}

/** Returns the index of an account in `Store.accounts`. A new account is added. */
export function indexOfAccount({ accounts }: Store, account: string): number {
  const index = accounts.indexOf(account);
  return index >= 0 ? index : accounts.push(account) - 1;
}

/**
 * Maximum number of fields that a message about an edited item can name. Every entry contains a digest for each field.
 */
const MOST_NAMES = 200;
/** Placeholder for a field that the request doesn't contain. */
const NO_FIELD = '---';

/** Returns `MemoryEntry.fields`. Adds new names of fields to the round. @param digests of the request's fields. */
export function encodeFields({ names }: RunMemory, digests: Array<[string, string]>): string {
  const own = new Map(digests);
  for (const name of own.keys()) if (names.length < MOST_NAMES && !names.includes(name)) names.push(name);
  return names.map((name) => own.get(name) ?? NO_FIELD).join('');
}

/** Returns the names of the fields that differ between two writes. */
export function differingFields({ names }: RunMemory, one: string, other: string): string[] {
  const part = (text: string, index: number) =>
    text.slice(index * NO_FIELD.length, (index + 1) * NO_FIELD.length) || NO_FIELD;
  return names.filter((_, index) => part(one, index) !== part(other, index));
}

/** A loop runs the node many times. n8n can retry only the latest rounds. */
const MOST_RUNS = 3;

/** Returns the memory of a round. A new round replaces the oldest one. */
export function runOf({ runs }: Store, key: string): RunMemory {
  const existing = runs[key];
  if (existing) return existing;
  // An object keeps whole numbers in ascending order.
  const others = Object.keys(runs);
  for (const oldest of others.slice(0, Math.max(0, others.length - MOST_RUNS + 1))) delete runs[oldest];
  return (runs[key] = { entries: {}, names: [], size: 0 });
}
