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

/** Waiting time before each look-up, in milliseconds, because the service may show a write with a delay. */
const WAITS_MS = [2000, 4000, 8000];
/** Maximum difference between the clocks of n8n and the service. */
const APART = { minutes: 2 };
const WITHIN = 'within 2 minutes';
const NEW = 'not there before';

/** Output field that describes the match if the node found the record by a look-up. */
export const FOUND = 'found_at_service';

/** State of a request whose response may be lost. */
interface Progress {
  /** Highest ID before the node sent the request. Set only if records contain no creation time. */
  highest?: string | Failure;
  /** Time at which the node sent the request, in milliseconds since 1970. */
  leftAt?: number;
  /** Lets other requests start again. */
  release?: () => void;
  found?: FoundRecord;
  /** Sentence about a look-up that found no record. */
  sentence?: string;
  /** Whether a record may belong to the request, because a match is unclear or the list was incomplete. */
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
  /** Whether a person approved another attempt of the write. */
  isReleased?: boolean;
  read: () => Promise<ListReading>;
}

/**
 * Searches for the records of writes with an unknown outcome. Either the response was lost in this run, or an earlier
 * attempt began the write. If the node finds the record, the write is done. Otherwise, the outcome stays unknown and
 * the node doesn't send the write again, because the record may appear later.
 */
export class LostAnswers {
  private readonly all = new Map<PlannedRequest, Progress>();

  /** @param goOn whether other items continue after a failed item. */
  constructor(
    private readonly run: LookingRun,
    private readonly goOn: boolean,
  ) {}

  /** Records that the node is sending the request. */
  leaves(request: PlannedRequest): void {
    this.of(request).leftAt = Date.now();
    this.run.recordMatcher.leaves(request);
  }

  /**
   * Prepares an attempt of the request. If records contain no time, reads the highest ID before the attempt.
   * @param found records that a step has already read, so that the function doesn't read the list.
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

  /** Lets other requests start after the outcome is final. Call this function before the gate continues. */
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
   * Records that a step found no proof of a write with an unknown outcome.
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
   * Looks up the request after a delay if the outcome in its response is unknown. Returns the found record, or
   * otherwise the original response. Doesn't throw if the look-up fails.
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
   * @param sentAt time at which the node sent the attempt, in milliseconds since 1970, if known.
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
   * @returns the record as a response, if found. If `known` is missing, a failure if a record may belong to the write.
   */
  async earlier(request: PlannedRequest, known: Remembered | undefined, sentAt?: number): Promise<Answer | undefined> {
    const footprint = this.footprintOf(request);
    const at = this.sinceOf(known, sentAt);
    if (!footprint || !at || !this.canFind(request, known, sentAt)) return undefined;
    const { context, lists, recordMatcher, writes } = this.run;
    recordMatcher.leaveOpen(request);
    // If records contain no time, a reference identifies the write, so the search includes all records.
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

  /** Returns the footprint for a look-up. A footprint can't show the progress of an item with several steps. */
  private footprintOf({ operation, options, values }: PlannedRequest): Footprint | undefined {
    const { footprint, steps } = operation;
    const isLookedUp = options.unknownOutcome !== 'refuse' && (!steps || steps.each.length === 1);
    return isLookedUp && footprint?.isIdentifiable(values) ? footprint : undefined;
  }

  /** Looks up the request after each waiting time, until a record belongs to the request. */
  private async look(request: PlannedRequest, search: Search): Promise<Answer | undefined> {
    const { footprint, waits, read, span, kind } = search;
    const { gate, context, lists, recordMatcher } = this.run;
    const progress = this.of(request);
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
          : recordMatcher.claim(request, { ...search, ...seen });
        if (match.record) {
          const record = footprint.answer?.(match.record) ?? match.record;
          return this.sighted(request, { record, agreement: `${footprint.agreement}, ${span}`, kind });
        }
        ({ unclear, isDoubtful: progress.isDoubtful } = match);
      }
      if (!goesOn) break;
    }
    const isUnread = looks === 0 || isCut;
    // An incomplete list doesn't prove that the write was not applied.
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

/** Returns whether the node read the whole list and no record matches. */
const isRemoved = ({ values }: PlannedRequest, { matches }: Footprint, { records, note }: ListResult) =>
  note === undefined && !records.some((record) => matches(record, values));

/** Users don't see this failure, because the item fails with a message about its earlier attempt. */
const MAY_BE_DONE: Failure = {
  outcome: 'unknown',
  message: 'A record at the service may come from an earlier attempt',
  advice: '',
};
