import type { IDataObject } from 'n8n-workflow';

import { isList, isObject, type DataValue } from '../shared/objects';
import { NAMES, READABLE_IDS, RECORD_IDS, UNMASKED_SECRETS } from '../wire/marks';
import { inRecord, sentReferences } from '../model/operation';
import type { Finished, Evidence } from '../model/write-memory';
import type { PlannedRequest, PartialFailure } from '../model/types';

/** Fields that identify a record to the service or to a person. */
const IDS: ReadonlySet<string> = new Set([...RECORD_IDS, ...READABLE_IDS, ...NAMES]);

export interface WriteDigests {
  request: string;
  /** Digest of the parameters and input items. */
  origin: string;
}

/** Write that the node sent or may have sent in an execution. */
export interface MemoryEntry extends WriteDigests {
  /** Digests of the request's fields, in the order of `RunMemory.names`. */
  fields: string;
  /** Index in `Store.accounts`. Defaults to 0. */
  account?: number;
  /** IDs, references and amounts of the latest attempt, by request field. Missing if the write is done. */
  sent?: IDataObject;
  /** Digest of the latest attempt's payment, which an expression such as $now can change. Missing if it is done. */
  payment?: string;
  /** Time of the first attempt without a response, in Unix milliseconds. */
  sentAt?: number;
  /** Cents that the write moves. Missing if it moves no money or its amount is unknown. */
  cents?: number;
  /**
   * Number of attempts that a person resolved as not applied, or of approvals to repeat a completed write. Each changes
   * the write's code.
   */
  releases?: number;
  /** Whether another item began at the write's position (`WriteKey.kind`). */
  elsewhere?: true;
  /** Code with which a person resolved an attempt. */
  resolvedBy?: string;
  /** Number of earlier attempts with an unknown outcome. */
  openAttempts?: number;
  /**
   * Set if the service refused the write, or a person stated that it wasn't applied. The entry stays, so that a later
   * attempt gets a different code.
   */
  notApplied?: true;
  /** Result of the write. Missing while the outcome is unknown. */
  records?: IDataObject[];
  partialFailure?: PartialFailure;
  /** Names of the secrets removed from the records. */
  withoutSecrets?: string[];
  /** Set if a person stated that the service applied the write. */
  byWord?: true;
  /** Set if the attempt sent another payment than the item had when a person resolved the attempt. */
  isOtherPayment?: true;
  /** Evidence in n8n's database, if this memory didn't contain the write. */
  evidence?: Evidence;
  /** Position and digest of the shared request. */
  sentWith?: string;
  /** Whether the item has later steps. */
  inPart?: true;
}

/** Writes of one loop iteration. */
export interface RunMemory {
  /** Writes, keyed by item and step. */
  entries: Record<string, MemoryEntry>;
  /** Names of request fields in the order of their first occurrence. */
  names: string[];
  /** Length of all records as JSON, in characters. */
  size: number;
}

/** Memory of an execution. */
export interface Store {
  /** Digest of the first attempt's account. */
  account?: string;
  accounts: string[];
  /** Cents that the node moved or may have moved in the execution. */
  moved?: number;
  /** Cents of the writes that another attempt was sending, by loop iteration. */
  underWay?: Record<string, number>;
  runs: Record<string, RunMemory>;
}

/** Returns a completed write's result, or `undefined` if the outcome is unknown. */
export function finished({ records, evidence, ...entry }: Omit<Partial<MemoryEntry>, 'account'>): Finished | undefined {
  const { partialFailure, openAttempts, withoutSecrets, byWord, inPart } = entry;
  const byDatabase = evidence && true;
  const isOtherPayment = evidence === 'doneOther' || entry.isOtherPayment;
  const known = { partialFailure, openAttempts, withoutSecrets, byWord, byDatabase, isOtherPayment, inPart };
  return records && { outcome: 'done', records, ...known };
}

/** Secrets that the service returns unmasked (openapi.yaml#Webhook). The memory never stores them. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(UNMASKED_SECRETS);

/** Returns the records without secrets, and the secrets' names. */
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
        left.add(name);
        return [];
      }),
    );
  return { records: records.map(stripped), left: [...left] };
}

/**
 * Maximum length of the stored records per loop iteration, in characters of JSON. Beyond it, `onlyIds` selects the
 * fields to store.
 */
const MOST_CHARACTERS = 8_000_000;

/** Returns the records, or only their main fields if the memory is full. */
export function limitRecords(run: RunMemory, records: IDataObject[], request: PlannedRequest): IDataObject[] {
  run.size += JSON.stringify(records).length;
  return run.size <= MOST_CHARACTERS ? records : records.map((record) => onlyIds(record, request));
}

function onlyIds(record: IDataObject, { operation: { addedBySimplify = [] } }: PlannedRequest): IDataObject {
  const kept = (name: string) => IDS.has(name) || addedBySimplify.includes(name) || name === 'rcode';
  return Object.fromEntries(Object.entries(record).filter(([name]) => kept(name)));
}

export const hasStepsAfter = ({ operation: { steps }, part }: PlannedRequest) => part + 1 < (steps?.each.length ?? 0);

/**
 * Returns a placeholder with each item's references, because the service's record is unknown.
 * @param sent references that the attempt sent, by request field.
 */
export function ofEach(request: PlannedRequest, how: IDataObject, sent = sentReferences(request)): IDataObject[] {
  const { reference } = request.values;
  const known = Object.entries(inRecord(request, sent));
  // Otherwise, the earlier attempt may have sent another reference.
  const lasting = known.filter(([name]) => reference?.isLasting !== false || name !== reference.name);
  return request.items.map(() => ({ ...how, ...Object.fromEntries(lasting) }));
}

/** Returns each item's writes, except those that the service didn't apply. */
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

/** Returns whether the node refused the write only because another item began at its position. */
export const isNeverSent = ({ evidence }: MemoryEntry): boolean => evidence === 'otherContent';

export const isSameWrite = (one: WriteDigests, other: WriteDigests): boolean =>
  one.request === other.request || one.origin === other.origin;

/** Moves each entry to its write's current position, unless another entry keeps that position. */
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
  // `pop` returns the last of several identical writes, so the first write must be at the end.
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

export function indexOfAccount({ accounts }: Store, account: string): number {
  const index = accounts.indexOf(account);
  return index >= 0 ? index : accounts.push(account) - 1;
}

/** Maximum number of field names per loop iteration. Every entry has a digest for each. */
const MOST_NAMES = 200;
/** Stands for a field that the request doesn't contain. */
const NO_FIELD = '---';

/** Joins the field digests in the order of `names`, to which it adds new names. */
export function encodeFields({ names }: RunMemory, digests: Array<[string, string]>): string {
  const own = new Map(digests);
  for (const name of own.keys()) if (names.length < MOST_NAMES && !names.includes(name)) names.push(name);
  return names.map((name) => own.get(name) ?? NO_FIELD).join('');
}

/** Returns the names of the fields that differ between two entries. */
export function differingFields({ names }: RunMemory, one: string, other: string): string[] {
  const part = (text: string, index: number) =>
    text.slice(index * NO_FIELD.length, (index + 1) * NO_FIELD.length) || NO_FIELD;
  return names.filter((_, index) => part(one, index) !== part(other, index));
}

/** Maximum number of loop iterations in the memory. n8n can retry only the latest iterations. */
const MOST_RUNS = 3;

/** Returns a loop iteration's memory. If the memory is full, replaces the oldest iteration. */
export function runOf({ runs }: Store, key: string): RunMemory {
  const existing = runs[key];
  if (existing) return existing;
  // JavaScript lists integer keys in ascending order, so the oldest iterations come first.
  const others = Object.keys(runs);
  for (const oldest of others.slice(0, Math.max(0, others.length - MOST_RUNS + 1))) delete runs[oldest];
  return (runs[key] = { entries: {}, names: [], size: 0 });
}
