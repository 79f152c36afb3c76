import { type DataValue, isList } from '../shared/objects';
import { declaredFields } from '../model/operation';
import type { Planned, Operation, PlannedRequest } from '../model/types';
import type { ItemOptions } from '../model/option-types';
import type { Remembered } from '../model/write-memory';

type Entry = { item: number; value: DataValue; part: number };

const valuesIn = (list: DataValue): DataValue[] => (isList(list) ? list : []);

/** Returns the list that items combine in requests, and its maximum number of entries per request. */
export function sharedList(operation: Operation): { name: string; most: number } | undefined {
  const list = declaredFields(operation).find(({ perRequest }) => perRequest !== undefined);
  return list?.perRequest === undefined ? undefined : { name: list.name, most: list.perRequest };
}

/**
 * Combines the list entries of items into shared requests (service.md#account-updater). Items share a request only if
 * all other fields are equal.
 */
export function batchItems(operation: Operation, planned: Planned[]): Planned[] {
  const shared = sharedList(operation);
  if (!shared) return planned;
  const { name, most } = shared;
  const groups = new Map<string, { first: PlannedRequest; entries: Entry[]; options: ItemOptions }>();
  for (const plan of planned) {
    if (!('request' in plan)) continue;
    const { [name]: list, ...rest } = plan.request.values.body;
    const key = JSON.stringify([plan.request.path, plan.request.values.query, rest]);
    const group = groups.get(key) ?? { first: plan.request, entries: [], options: plan.request.options };
    group.options = strictest(group.options, plan.request.options);
    groups.set(key, group);
    const item = plan.request.items[0] ?? 0;
    for (const [part, value] of valuesIn(list).entries()) group.entries.push({ item, value, part });
  }
  const requests = [...groups.values()].flatMap(({ first, entries, options }) =>
    cut(entries, most).map((part) => ({ request: requestOf({ ...first, options }, name, part) })),
  );
  return [...planned.filter((plan) => 'failure' in plan), ...numbered(requests)];
}

/** The node resends a shared request only if all its items allow it. */
const strictest = (one: ItemOptions, other: ItemOptions): ItemOptions => ({
  ...one,
  unknownOutcome: one.unknownOutcome === other.unknownOutcome ? one.unknownOutcome : 'lookUp',
  resolved: new Map([...(one.resolved ?? []), ...(other.resolved ?? [])]),
});

const isSentOnce = (value: DataValue): boolean => typeof value === 'string';

function cut(entries: Entry[], most: number): Entry[][] {
  const equal = new Map<unknown, Entry[]>();
  for (const entry of entries) {
    const key = isSentOnce(entry.value) ? entry.value : entry;
    const others = equal.get(key);
    if (others) others.push(entry);
    else equal.set(key, [entry]);
  }
  const groups = [...equal.values()];
  return Array.from({ length: Math.ceil(groups.length / most) }, (_, index) =>
    groups
      .slice(index * most, (index + 1) * most)
      .flat()
      .sort((one, other) => one.item - other.item || one.part - other.part),
  );
}

function requestOf(first: PlannedRequest, field: string, part: Entry[]): PlannedRequest {
  const byItem = new Map<number, Entry[]>();
  for (const entry of part) {
    const own = byItem.get(entry.item);
    if (own) own.push(entry);
    else byItem.set(entry.item, [entry]);
  }
  const items = [...byItem.keys()];
  const valuesOf = (entries: Entry[]) => ({
    ...first.values,
    body: { ...first.values.body, [field]: [...new Set(entries.map(({ value }) => value))] },
  });
  const perItem = [...byItem.values()].map(valuesOf);
  const whole: PlannedRequest = { ...first, items, values: valuesOf(part), perItem };
  const shareOf = (entry: Entry) => ({
    ...first,
    shares: undefined,
    items: [entry.item],
    part: entry.part,
    values: valuesOf([entry]),
    isSentOnce: isSentOnce(entry.value),
    whole,
  });
  whole.shares = part.map(shareOf);
  return whole;
}

/** Copies a shared request with only the parts in `shares`. */
export function withShares(request: PlannedRequest, shares: PlannedRequest[]): PlannedRequest {
  const { name = '' } = sharedList(request.operation) ?? {};
  const entries = shares.flatMap(({ items: [item = 0], part, values }) =>
    valuesIn(values.body[name]).map((value) => ({ item, part, value })),
  );
  return { ...requestOf(request, name, entries), part: request.part };
}

/** Groups the parts that earlier attempts sent: completed parts by item, other parts by failure reason. */
export function groupKnownShares(
  request: PlannedRequest,
  known: Map<PlannedRequest, Remembered>,
): Array<{ request: PlannedRequest; known: Remembered }> {
  const groups = new Map<string, { shares: PlannedRequest[]; all: Remembered[] }>();
  for (const [share, one] of known) {
    const { outcome } = one;
    const why = outcome === 'done' ? [share.items, one.ofOther] : [one.code, outcome === 'unknown' && one.evidence];
    const key = [outcome, ...why].join(' ');
    const group = groups.get(key) ?? { shares: [], all: [] };
    groups.set(key, group);
    group.shares.push(share);
    group.all.push(one);
  }
  return [...groups.values()].flatMap(({ shares, all: [first, ...others] }) =>
    first ? [{ request: withShares(request, shares), known: joined(first, others) }] : [],
  );
}

function joined(first: Remembered, others: Remembered[]): Remembered {
  if (first.outcome !== 'done') return first;
  const done = [first, ...others.filter((one) => one.outcome === 'done')];
  const own = done.filter(({ byWord, byDatabase }) => !byWord && !byDatabase);
  const from = own.length > 0 ? own : [first];
  return { ...(own[0] ?? first), records: [...new Set(from.flatMap(({ records }) => records))] };
}

function numbered(requests: Array<{ request: PlannedRequest }>) {
  const seen = new Map<number | undefined, number>();
  for (const { request } of requests) {
    request.part = seen.get(request.items[0]) ?? 0;
    seen.set(request.items[0], request.part + 1);
  }
  return requests;
}
