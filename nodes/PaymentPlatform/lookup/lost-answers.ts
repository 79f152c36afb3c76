import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { fillListPath, highestOf, type Cutoff, type ListCache, type ListReading } from './list-cache';
import type { RecordMatcher } from './match-records';
import type { ListResult } from '../service/fetch-list';
import type { Gate } from '../service/gate';
import { beganAt } from '../n8n/lineage';
import type { Looking } from '../service/look-up';
import { hasWitness, isOpen, type Remembered } from '../model/write-memory';
import { notComparable, NOT_SENT_UNSEEN, unseenWords, type FoundRecord } from './found-record';
import { lifetimeOf, type Footprint } from '../model/footprint';
import type { PlannedRequest } from '../model/types';
import type { Answer, Failure } from '../model/failure';

/** Waiting times before each look, in milliseconds. The service may show a write a little later. */
const WAITS_MS = [2000, 4000, 8000];
/** Maximum difference between the clocks of n8n and the service. */
const APART = { minutes: 2 };
const WITHIN = 'within 2 minutes';
const NEW = 'not there before';

/** Field of a result whose record was found. It says what matched. */
export const FOUND = 'found_at_service';

/** What a run shares with its look-ups. */
export interface LostAnswersOfRun extends Pick<Looking, 'context'> {
  lists: ListCache;
  gate: Gate;
  /** Whether other items continue after a failed item. */
  goOn: boolean;
  recordMatcher: RecordMatcher;
  /** All writes of the run. */
  writes: PlannedRequest[];
}

/** What is known of a request whose answer may get lost. */
interface Progress {
  /** The highest ID before the request left, if records do not say when they were made. */
  highest?: string | Failure;
  /** When the request left, in milliseconds since 1970. */
  leftAt?: number;
  /** Lets other requests start again. */
  release?: () => void;
  found?: FoundRecord;
  /** Describes a look that found nothing. */
  sentence?: string;
  /** Whether a record may belong to the request: another write may have left it, or the list could not be read. */
  isDoubtful?: boolean;
}

/** What is looked for, and how the list is read. */
interface Search {
  since: Cutoff;
  /** The same in words. */
  span: string;
  footprint: Footprint;
  waits: number[];
  kind: 'lost' | 'earlier';
  /** Whether a person had the write sent again. */
  isReleased?: boolean;
  read: () => Promise<ListReading>;
}

/**
 * Looks for the records of writes whose outcome is unknown: writes of this run whose answer got lost, and writes that an
 * earlier attempt began. A write whose record is found is done. Otherwise, the outcome stays unknown and nothing is sent
 * again, because the record may appear later.
 */
export class LostAnswers {
  private readonly all = new Map<PlannedRequest, Progress>();

  constructor(private readonly run: LostAnswersOfRun) {}

  /** The request leaves. */
  leaves(request: PlannedRequest): void {
    this.of(request).leftAt = Date.now();
    this.run.recordMatcher.leaves(request);
  }

  /**
   * The request is about to be tried. Reads what is there before, if records do not say when they were made.
   * @param found what a step read before it decided for the request. Then nothing else is read.
   */
  async begins(request: PlannedRequest, found?: IDataObject[]): Promise<void> {
    delete this.of(request).leftAt;
    const footprint = this.footprintOf(request);
    if (!footprint || footprint.time) return;
    const matches = (record: IDataObject) => footprint.matches(record, request.values);
    const list = fillListPath(footprint.list, request.values);
    const highest = found ? highestOf(found, list, matches) : await this.run.lists.highest(list, matches);
    this.of(request).highest = highest;
  }

  /** The outcome of the request stands, so other requests may start. To be called before the gate continues. */
  stands(request: PlannedRequest): void {
    this.all.get(request)?.release?.();
  }

  /** Returns the found record that completes the item, or `undefined` if the response contained the record. */
  sighting(request: PlannedRequest): FoundRecord | undefined {
    return this.all.get(request)?.found;
  }

  /** The item is done by this record. @returns the record as an answer. */
  sighted(request: PlannedRequest, found: FoundRecord): Answer {
    this.of(request).found = found;
    return { ok: true, record: found.record };
  }

  /**
   * A step looked for an open write, and the service does not have what the item asks for.
   * @param failure why the service could not be asked.
   */
  notAsAsked(request: PlannedRequest, failure?: Failure): void {
    const seen = `At ${this.now()}, the service did not show the requested change. The earlier attempt may still be applied.`;
    this.of(request).sentence = failure ? `${failure.message}.` : seen;
  }

  /** Adds to the failure of an item that the node looked for it. */
  told(request: PlannedRequest, failure: Failure): Failure {
    const sentence = this.all.get(request)?.sentence;
    if (sentence === undefined) return failure;
    return { ...failure, advice: [failure.advice, sentence].filter(Boolean).join(' ') };
  }

  /**
   * Waits and looks for a request of this run whose outcome is unknown. Other answers are returned at once.
   * @returns the record in place of the answer, or the answer. Never throws for what happens on the wire.
   */
  async settle(request: PlannedRequest, answer: Answer): Promise<Answer> {
    const footprint = this.footprintOf(request);
    const { leftAt, highest: above } = this.of(request);
    if (answer.ok || answer.failure.outcome !== 'unknown' || !footprint || leftAt === undefined) return answer;
    const { gate, goOn, lists, recordMatcher } = this.run;
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
    // With On Error set to Stop, nothing may start while it is unknown whether this item failed.
    if (!goOn) this.of(request).release = gate.hold();
    const record = goOn ? await gate.releaseSlotWhile(looking) : await looking();
    return record ?? { ok: false, failure: this.told(request, answer.failure) };
  }

  /**
   * Whether a record at the service would show the outcome of an earlier attempt.
   * @param known what is remembered of the attempt. Not set if a person had the write sent again.
   * @param sentAt when the attempt was sent, in milliseconds since 1970, if that is remembered.
   */
  canFind(request: PlannedRequest, known: Remembered | undefined, sentAt?: number): boolean {
    const footprint = this.footprintOf(request);
    const lifetime = footprint && lifetimeOf(footprint, request.values);
    if (!footprint || lifetime === 'minutes' || (lifetime === 'day' && !footprint.time)) return false;
    return isOpen(known) && this.sinceOf(known, sentAt) !== undefined;
  }

  /**
   * Looks once for the record of an earlier attempt.
   * @param known what is remembered of the attempt. Not set if a person had the write sent again.
   * @returns the record as an answer, or nothing. For a write to be sent again, a failure if a record may belong to it.
   */
  async earlier(request: PlannedRequest, known: Remembered | undefined, sentAt?: number): Promise<Answer | undefined> {
    const footprint = this.footprintOf(request);
    const at = this.sinceOf(known, sentAt);
    if (!footprint || !at || !this.canFind(request, known, sentAt)) return undefined;
    const { context, lists, recordMatcher, writes } = this.run;
    recordMatcher.leaveOpen(request);
    // A write that a reference identifies at any time needs no moment.
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

  /** Returns the footprint of a write. Of an item in several steps, no footprint says which of them is done. */
  private footprintOf({ operation, options, values }: PlannedRequest): Footprint | undefined {
    const { footprint, steps } = operation;
    const isLookedUp = options.unknownOutcome !== 'refuse' && (!steps || steps.each.length === 1);
    return isLookedUp && footprint?.isIdentifiable(values) ? footprint : undefined;
  }

  /** Looks after each waiting time. From then on, a record that is found belongs to this item. */
  private async look(request: PlannedRequest, search: Search): Promise<Answer | undefined> {
    const { footprint, waits, read, span, kind } = search;
    const { gate, context, lists, recordMatcher } = this.run;
    const progress = this.of(request);
    let looks = 0;
    let failure: Failure | undefined;
    let isCut = false;
    let unclear: IDataObject[] = [];
    for (const wait of waits) {
      // A run that ends looks once more without waiting. A run that a person stops does not look.
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
    // A list that was not read as a whole does not show that nothing was done.
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

/** Whether the whole list was read, and no record in it matches now. */
const isRemoved = ({ values }: PlannedRequest, { matches }: Footprint, { records, note }: ListResult) =>
  note === undefined && !records.some((record) => matches(record, values));

const NO_MATCH = { unclear: [], isDoubtful: false };

/** Users do not see it. The item fails because of its earlier attempt. */
const MAY_BE_DONE: Failure = { outcome: 'unknown', message: 'A record may belong to an earlier attempt', advice: '' };
