import type { IDataObject } from 'n8n-workflow';

import { withShares } from './batch-items';
import { sharesOf } from '../model/item-steps';
import type { Finished, Obstacle, Remembered } from '../model/write-memory';
import type { KeptRoom, MemoryWithRoom } from '../limits/total';
import type { PlannedRequest, PartialFailure } from '../model/types';
import type { Failure } from '../model/failure';

/**
 * A memory that knows a request of many objects by each of its objects, because the next try may put them into other
 * requests.
 */
export class MemoryOfShares implements Required<MemoryWithRoom> {
  readonly room: KeptRoom;

  constructor(private readonly each: MemoryWithRoom) {
    this.room = each.room;
  }

  get movedCents(): number {
    return this.each.movedCents;
  }

  recall = (request: PlannedRequest): Remembered | undefined =>
    request.shares ? undefined : this.each.recall(request);

  sending(request: PlannedRequest): Failure | undefined {
    for (const share of sharesOf(request)) {
      const failure = this.each.sending(share);
      if (failure) return failure;
    }
    return undefined;
  }

  /** @param records for each item of the request as many. An item's records are kept with its first share. */
  done(request: PlannedRequest, records: IDataObject[], partialFailure?: PartialFailure): void {
    if (!request.shares) {
      this.each.done(request, records, partialFailure);
      return;
    }
    const count = records.length / request.items.length;
    const left = new Map(request.items.map((item, index) => [item, records.slice(index * count, (index + 1) * count)]));
    for (const share of request.shares) {
      const [item = 0] = share.items;
      this.each.done(share, left.get(item) ?? [], partialFailure);
      left.delete(item);
    }
  }

  notApplied(request: PlannedRequest): void {
    for (const share of sharesOf(request)) this.each.notApplied(share);
  }

  attempt = (request: PlannedRequest): string => this.each.attempt(request);

  witnessed = (request: PlannedRequest, witness: Obstacle): Remembered | undefined =>
    this.each.witnessed(request, witness);

  sentAt = (request: PlannedRequest): number | undefined => (request.shares ? undefined : this.each.sentAt(request));

  reopen = (request: PlannedRequest): Remembered | undefined => this.each.reopen?.(request);

  openTries = (request: PlannedRequest): number =>
    Math.max(0, ...sharesOf(request).map((share) => this.each.openTries(share)));

  moved = (request: PlannedRequest): number =>
    sharesOf(request).reduce((sum, share) => sum + this.each.moved(share), 0);

  standing = (item: number): Finished | { outcome: 'unknown' } | undefined => this.each.standing?.(item);

  meanwhile = (request: PlannedRequest): Remembered | undefined => this.each.meanwhile?.(request);

  end(complete: boolean): void {
    this.each.end(complete);
  }
}

/** Shares of a request of which the same is known, put together again. */
export interface KnownShares {
  request: PlannedRequest;
  known: Remembered;
}

/**
 * What is known of the shares of a request: for each item what is done of it, and together what is not done for the same
 * reason.
 */
export function knownShares(request: PlannedRequest, known: Map<PlannedRequest, Remembered>): KnownShares[] {
  const groups = new Map<string, { shares: PlannedRequest[]; all: Remembered[] }>();
  for (const [share, one] of known) {
    const { outcome } = one;
    const why = outcome === 'done' ? share.items : [one.code, outcome === 'unknown' && one.witness];
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

/** What is done of one item: its records, and what a person said or n8n's database says only once. */
function joined(first: Remembered, others: Remembered[]): Remembered {
  if (first.outcome !== 'done') return first;
  const done = [first, ...others.filter((one) => one.outcome === 'done')];
  const own = done.filter(({ byWord, byJournal }) => !byWord && !byJournal);
  const from = own.length > 0 ? own : [first];
  const word = own.length > 0 ? {} : { byWord: first.byWord, byJournal: first.byJournal };
  return { ...first, ...word, records: from.flatMap(({ records }) => records) };
}
