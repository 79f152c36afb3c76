import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { fillListPath, highestOf, type Cutoff, type ListReading } from './list-cache';
import type { LookingRun } from './match-records';
import type { ListResult } from '../service/fetch-list';
import { beganAt } from '../n8n/lineage';
import { hasWitness, isOpen, type Remembered } from '../model/write-memory';
import { NO_MATCH, notComparable, NOT_SENT_UNSEEN, unseenWords, type FoundRecord } from './found-record';
import { lifetimeOf, type Footprint } from '../model/footprint';
import type { PlannedRequest } from '../model/types';
import type { Answer, Failure } from '../model/failure';

/** Delays before the look-ups in milliseconds, because the service may show a write late. */
const WAITS_MS = [2000, 4000, 8000];
/** Assumed maximum difference between the clocks of n8n and the service. */
const APART = { minutes: 2 };
const WITHIN = 'within 2 minutes';
const NEW = 'not there before';

/** Output field that describes the match if a look-up found the record. */
export const FOUND = 'found_at_service';

/** State of a request whose response may be lost. */
interface Progress {
  /** Highest ID before the node sent the request. Set only if records contain no creation time. */
  highest?: string | Failure;
  /** Time of sending, in milliseconds since 1970. */
  leftAt?: number;
  /** Unblocks other requests. */
  release?: () => void;
  found?: FoundRecord;
  /** Sentence about a look-up that found no record. */
  sentence?: string;
  /** Whether an unclear match or an incomplete list means that a record may belong to the request. */
  isDoubtful?: boolean;
}

/** Search for the record of one write. */
interface Search {
  since: Cutoff;
  /** Description of `since` for a message. */
  span: string;
  footprint: Footprint;
  waits: number[];
  kind: 'lost' | 'earlier';
  /** Whether a person approved another attempt at the write. */
  isReleased?: boolean;
  read: () => Promise<ListReading>;
}

/**
 * Searches for the records of writes with an unknown outcome. Either the response was lost in this run, or an earlier
 * attempt began the write. If the node finds the record, the write is done. Otherwise, the outcome stays unknown,
 * because the record may appear later. The node then sends the write again only if a person approved another attempt.
 */
export class LostAnswers {
  private readonly all = new Map<PlannedRequest, Progress>();

  /** @param goOn whether other items continue after a failed item. */
  constructor(
    private readonly run: LookingRun,
    private readonly goOn: boolean,
  ) {}

  leaves(request: PlannedRequest): void {
    this.of(request).leftAt = Date.now();
    this.run.recordMatcher.leaves(request);
  }

  /**
   * Prepares a request attempt. If records contain no time, reads the highest ID before the attempt.
   * @param found records that were already read.
   */
  async begins(request: PlannedRequest, found?: IDataObject[]): Promise<void> {
    delete this.of(request).leftAt;
    if (request.operation.footprint?.time) return;
    const footprint = this.footprintOf(request);
    if (!footprint) return;
    const matches = (record: IDataObject) => footprint.matches(record, request.values);
    const list = fillListPath(footprint.list, request.values);
    const highest = found ? highestOf(found, list, matches) : await this.run.lists.highest(list, matches);
    this.of(request).highest = highest;
  }

  /** Lets other requests start after the outcome is final. */
  stands(request: PlannedRequest): void {
    this.all.get(request)?.release?.();
  }

  /** Returns the record that a look-up found for the item, if any. */
  sighting(request: PlannedRequest): FoundRecord | undefined {
    return this.all.get(request)?.found;
  }

  /** Completes the item with a found record, and returns the record as a response. */
  sighted(request: PlannedRequest, found: FoundRecord): Answer {
    this.of(request).found = found;
    return { ok: true, record: found.record };
  }

  /**
   * Notes that the service doesn't show a write whose outcome is unknown.
   * @param failure reason why the node could not read the service's record.
   */
  notAsAsked(request: PlannedRequest, failure?: Failure): void {
    const seen = `At ${this.now()}, the service did not show the requested change. The earlier attempt may still be applied.`;
    this.of(request).sentence = failure ? `${failure.message}.` : seen;
  }

  /** Adds the result of the look-up to the failure of an item. */
  told(request: PlannedRequest, failure: Failure): Failure {
    const sentence = this.all.get(request)?.sentence;
    if (sentence === undefined) return failure;
    return { ...failure, advice: [failure.advice, sentence].filter(Boolean).join(' ') };
  }

  /**
   * Looks up a request whose response was lost. Returns the found record, or otherwise the original response. Doesn't
   * throw if the look-up fails.
   */
  async settle(request: PlannedRequest, answer: Answer): Promise<Answer> {
    if (answer.ok || answer.failure.outcome !== 'unknown') return answer;
    const footprint = this.footprintOf(request);
    const { leftAt, highest: above } = this.of(request);
    if (!footprint || leftAt === undefined) return answer;
    const { gate, lists, recordMatcher } = this.run;
    if (typeof above === 'object') {
      this.of(request).sentence = notComparable(footprint, above);
      return { ok: false, failure: this.told(request, answer.failure) };
    }
    const since = { at: DateTime.fromMillis(leftAt).minus(APART), above };
    const list = fillListPath(footprint.list, request.values);
    const question = { since, filter: footprint.filter(request.values) };
    const read = async () => await lists.latest({ ...footprint, list }, question);
    const span = footprint.when ?? (footprint.time ? WITHIN : NEW);
    const search: Search = { footprint, since, waits: WAITS_MS, span, kind: 'lost', read };
    recordMatcher.loses(request);
    const looking = async () => await this.look(request, search);
    // If On Error is Stop, no other request may start until the outcome of this item is known.
    if (!this.goOn) this.of(request).release = gate.hold();
    const record = this.goOn ? await gate.releaseSlotWhile(looking) : await looking();
    return record ?? { ok: false, failure: this.told(request, answer.failure) };
  }

  /**
   * Returns whether a look-up can show the outcome of an earlier attempt.
   * @param known stored state of the attempt. Missing if a person approved another attempt.
   * @param sentAt time of sending in milliseconds since 1970, if known.
   */
  canFind(request: PlannedRequest, known: Remembered | undefined, sentAt?: number): boolean {
    if (this.sinceOf(known, sentAt) === undefined || !isOpen(known)) return false;
    const footprint = this.footprintOf(request);
    const lifetime = footprint && lifetimeOf(footprint, request.values);
    return footprint !== undefined && lifetime !== 'minutes' && (lifetime !== 'day' || footprint.time !== undefined);
  }

  /**
   * Looks up the record of an earlier attempt once.
   * @param known stored state of the attempt. Missing if a person approved another attempt.
   * @returns the found record as a response, or a failure if `known` is missing and a record may belong to the write.
   */
  async earlier(request: PlannedRequest, known: Remembered | undefined, sentAt?: number): Promise<Answer | undefined> {
    const footprint = this.footprintOf(request);
    const at = this.sinceOf(known, sentAt);
    if (!footprint || !at || !this.canFind(request, known, sentAt)) return undefined;
    const { context, lists, recordMatcher, writes } = this.run;
    recordMatcher.leaveOpen(request);
    // If records contain no time, a match at any time identifies the write, so the search includes all records.
    const since = { at, above: footprint.time ? undefined : '0' };
    const moment = at.setZone(context.getTimezone()).toFormat('yyyy-MM-dd HH:mm');
    const span = footprint.time ? `since ${moment}` : 'at any time';
    const list = fillListPath(footprint.list, request.values);
    const filter = writes.length === 1 ? footprint.filter(request.values) : [];
    const read = async () => await lists.earlier({ ...footprint, list }, { since, filter });
    const isReleased = known === undefined;
    const search: Search = { footprint, since, waits: [0], span, kind: 'earlier', isReleased, read };
    const record = await this.look(request, search);
    if (record) return record;
    return isReleased && this.of(request).isDoubtful ? { ok: false, failure: MAY_BE_DONE } : undefined;
  }

  private sinceOf(known: Remembered | undefined, sentAt?: number): DateTime | undefined {
    const at = known && hasWitness(known) ? beganAt(this.run.context) : sentAt;
    return at === undefined ? undefined : DateTime.fromMillis(at).minus(APART);
  }

  /** Returns the footprint for a look-up. No look-up can show the progress of an item with several steps. */
  private footprintOf({ operation, options, values }: PlannedRequest): Footprint | undefined {
    const { footprint, steps } = operation;
    const isLookedUp = options.unknownOutcome !== 'refuse' && (!steps || steps.each.length === 1);
    return isLookedUp && footprint?.isIdentifiable(values) ? footprint : undefined;
  }

  /** Looks up the request after each delay until it finds the request's record. */
  private async look(request: PlannedRequest, search: Search): Promise<Answer | undefined> {
    const { footprint, waits, read, span, kind } = search;
    const { gate, context, lists, recordMatcher, keys } = this.run;
    const progress = this.of(request);
    const hasEqualLater = await keys.hasEqualLater(request);
    let looks = 0;
    let failure: Failure | undefined;
    let isCut = false;
    let unclear: IDataObject[] = [];
    for (const wait of waits) {
      // If the run ends during the wait, looks up the request once more, unless a person stopped the run.
      const goesOn = await gate.rest(wait);
      if (context.getExecutionCancelSignal()?.aborted) break;
      const listed = await lists.withRows(footprint, request.values, search.since, await read());
      const seen = await lists.withSource(footprint, request.values, listed);
      if ('failure' in seen) failure = seen.failure;
      else {
        looks += 1;
        isCut = seen.note !== undefined;
        const match = footprint.list.removesRecord
          ? { ...NO_MATCH, record: isRemoved(request, footprint, seen) ? {} : undefined }
          : recordMatcher.claim(request, { ...search, ...seen, hasEqualLater });
        if (match.record) {
          const record = footprint.answer?.(match.record) ?? match.record;
          return this.sighted(request, { record, agreement: `${footprint.agreement}, ${span}`, kind });
        }
        ({ unclear, isDoubtful: progress.isDoubtful } = match);
      }
      if (!goesOn) break;
    }
    const isUnread = looks === 0 || isCut;
    // An incomplete list doesn't prove that the service didn't apply the write.
    progress.isDoubtful ||= isUnread;
    const words = unseenWords({ footprint, span, looks, until: this.now(), isCut, unclear, failure });
    progress.sentence = search.isReleased && isUnread ? `${words} ${NOT_SENT_UNSEEN}` : words;
    recordMatcher.leaveOpen(request);
    return undefined;
  }

  private of(request: PlannedRequest): Progress {
    const known = this.all.get(request) ?? {};
    this.all.set(request, known);
    return known;
  }

  private now(): string {
    return DateTime.now().setZone(this.run.context.getTimezone()).toFormat('HH:mm:ss');
  }
}

const isRemoved = ({ values }: PlannedRequest, { matches }: Footprint, { records, note }: ListResult) =>
  note === undefined && !records.some((record) => matches(record, values));

/** Users don't see this failure, because the item fails with a message about its earlier attempt. */
const MAY_BE_DONE: Failure = {
  outcome: 'unknown',
  message: 'An earlier attempt may have created a record at the service',
  advice: '',
};
