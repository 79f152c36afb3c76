import type { IDataObject } from 'n8n-workflow';

import type { RecordMatcher, Looked } from './match-records';
import { PAGE_SIZE, type ListResult, type FailedAnswer } from '../service/fetch-list';
import type { Gate } from '../service/gate';
import { couldNotLook, lookUp, notWhole, type Looking } from '../service/look-up';
import type { IfExists } from '../model/option-types';
import type { FoundRecord } from './found-record';
import { withCopiedRecord } from './copied-record';
import type { Footprint } from '../model/footprint';
import type { PlannedRequest } from '../model/types';
import type { Failure } from '../model/failure';
import { asText } from '../shared/objects';

/** How old a reading may be, in milliseconds, before the list is read anew. */
const MOST_AGE_MS = 60_000;
/** How long the node waits before it asks again whether another item was answered, in milliseconds. */
const WAIT_MS = 500;
/** With room: nothing says in which time zone the service tells days apart. */
const ROOM = { days: 2 };

/** With what a run looks for what exists. */
export interface DuplicateSearchOfRun extends Looking {
  recordMatcher: RecordMatcher;
  gate: Gate;
  /** All that the run is to write. */
  writes: PlannedRequest[];
}

interface Reading {
  began: number;
  /** `undefined` where it is cheaper to ask for each item. */
  seen: Promise<ListResult | FailedAnswer | undefined>;
}

/**
 * Looks, before a write is sent, for an equal one that the service has already (options If It Exists Already and Duplicate
 * Check). The list is read whole, for something is sent because nothing was found: for all items of the run at once, or
 * for each of them where the list has more pages than the run has items.
 */
export class DuplicateSearch {
  private readonly readings = new Map<string, Reading>();
  private readonly askers = new Map<Footprint, PlannedRequest[]>();

  constructor(private readonly run: DuplicateSearchOfRun) {
    for (const write of run.writes) {
      const { footprint } = write.operation;
      if (!footprint || !write.options.existing) continue;
      const askers = this.askers.get(footprint);
      if (askers) askers.push(write);
      else this.askers.set(footprint, [write]);
    }
  }

  /**
   * @returns the record that the item is done by, or the failure of the item: where there is such a record, or nobody could
   * look. Nothing where it is to be sent. Never throws for what happens on the wire.
   * @throws NotStarted when the gate closed while the node waited for another item's answer.
   */
  async findDuplicate(request: PlannedRequest): Promise<FoundRecord | { failure: Failure } | undefined> {
    const { operation, options, values } = request;
    const [footprint, wanted] = [operation.footprint, options.existing];
    if (!footprint || !wanted) return undefined;
    if (!footprint.isIdentifiable(values)) return { failure: nothingToLookFor(wanted) };
    const seen = await withCopiedRecord(this.run, request, footprint, await this.read(request, footprint));
    if ('failure' in seen) return { failure: blind(wanted, seen.failure) };
    const { records, note } = seen;
    const agreement = this.agreement(footprint, wanted);
    const since = wanted.since && { at: wanted.since, above: undefined };
    const isGuard = wanted.then === 'fail';
    const looked: Looked = { values: seen.values, footprint, records, since, isGuard, kind: 'existed' };
    const record = await this.claimed(request, looked);
    if (record && wanted.then === 'return') return { record, agreement, kind: 'existed' };
    const standing = record ?? this.run.recordMatcher.doubtful(looked);
    if (standing) {
      const id = asText(standing[footprint.list.identity]);
      const isSure = record !== undefined;
      return {
        failure: inTheWay(footprint, wanted, id, isSure ? agreement : (footprint.resemblance ?? agreement), isSure),
      };
    }
    return note === undefined ? undefined : { failure: blind(wanted, notWhole(note)) };
  }

  /** The record of the item. As long as another item's answer may name that record, the node waits for the answer. */
  private async claimed(request: PlannedRequest, looked: Looked): Promise<IDataObject | undefined> {
    const { recordMatcher, gate } = this.run;
    let match = recordMatcher.claim(request, looked);
    while (match.isPending) {
      await gate.rest(WAIT_MS);
      gate.assertOpen();
      match = recordMatcher.claim(request, looked);
    }
    return match.record;
  }

  /** What was read for all items, as long as it is young; otherwise what there is for this one. */
  private async read(request: PlannedRequest, footprint: Footprint): Promise<ListResult | FailedAnswer> {
    const { path } = footprint.list;
    const askers = this.askers.get(footprint) ?? [];
    if (askers.length > 1) {
      const known = this.readings.get(path);
      const isYoung = known !== undefined && Date.now() - known.began < MOST_AGE_MS;
      const reading = isYoung ? known : { began: Date.now(), seen: this.whole(footprint, askers) };
      this.readings.set(path, reading);
      const seen = await reading.seen;
      if (seen) return seen;
    }
    const { identity } = footprint.list;
    const query = { filter: footprint.filter(request.values) };
    return await lookUp(this.run, { path, family: 'platform', query, list: { identity } });
  }

  /** The list since the earliest moment that counts for any item; nothing where it has more pages than there are items. */
  private async whole(footprint: Footprint, askers: PlannedRequest[]): Promise<ListResult | FailedAnswer | undefined> {
    const { path, identity, newestBy } = footprint.list;
    const moments = askers.map(({ options }) => options.existing?.since);
    const [first, ...others] = moments;
    const since = moments.includes(undefined)
      ? undefined
      : others.reduce((least, one) => (one && least && one < least ? one : least), first);
    const filter = since ? [`${newestBy},GREATER,${since.toUTC().minus(ROOM).toISODate()}`] : [];
    const query = { ...(filter.length > 0 && { filter }) };
    let counted: { totalPages?: number; totalRecords?: number } = {};
    const answered: Looking['answered'] = (answer) => {
      if (answer.ok) counted = answer;
    };
    const page = { ...query, count: PAGE_SIZE, page: 0 };
    const begun = await lookUp({ ...this.run, answered }, { path, family: 'platform', query: page });
    if ('failure' in begun) return begun;
    const { length } = begun.records;
    const { totalPages = length < PAGE_SIZE ? 1 : Infinity, totalRecords = length } = counted;
    if (length < PAGE_SIZE && totalRecords <= length) return begun;
    if (totalPages > askers.length) return undefined;
    return await lookUp(this.run, { path, family: 'platform', query, list: { identity } });
  }

  private agreement({ agreement }: Footprint, { since }: IfExists): string {
    const zone = this.run.context.getTimezone();
    return since ? `${agreement}, since ${since.setZone(zone).toFormat('yyyy-MM-dd HH:mm')}` : agreement;
  }
}

/** Nobody can look: the couldNotLook failure of the option that asked. */
const blind = (wanted: IfExists, failure: Failure): Failure =>
  couldNotLook(`"${labelOf(wanted)}" could not look what the service has, so nothing was sent`, failure);

const nothingToLookFor = (wanted: IfExists): Failure => ({
  outcome: 'invalid',
  message: `"${labelOf(wanted)}" can't tell this item from others by what it says, so nothing was sent`,
  advice: `Fill in what tells it from others, or ${offSwitch(wanted)}`,
});

const labelOf = ({ byCheck }: IfExists) => (byCheck ? 'Duplicate Check' : 'If It Exists Already');

/** What a person changes so that the node sends without looking. */
const offSwitch = ({ byCheck }: IfExists) =>
  byCheck ? 'switch the option "Duplicate Check" off.' : 'choose "Send Anyway" in the option "If It Exists Already".';

/** What keeps the item from being sent. @param isSure whether the record is of an equal write that was applied. */
function inTheWay(
  { list, where }: Footprint,
  wanted: IfExists,
  id: string,
  agreement: string,
  isSure: boolean,
): Failure {
  const { byCheck } = wanted;
  const record = `${list.identity} ${id}`;
  const state = isSure ? 'was done already' : 'may have been done already';
  return {
    outcome: 'invalid',
    message: byCheck
      ? `Duplicate Check found that this ${state}: ${record}`
      : `This ${state}: ${record} is in ${where} (${agreement})`,
    advice: `Only if a person means it to happen once more: ${offSwitch(wanted)}`,
    ...(list.identity === 'pg_id' && { pgId: id }),
  };
}
