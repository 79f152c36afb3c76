import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { Baseline, highestOf } from './baseline';
import type { RecordMatcher } from './match-records';
import type { Gate } from '../service/gate';
import type { FailedAnswer } from '../service/fetch-list';
import { beganAt } from '../n8n/lineage';
import type { Looking } from '../service/look-up';
import { fillListPath, readNewest, type Newest } from './read-newest';
import { hasWitness, isOpen, type Remembered } from '../model/write-memory';
import { SharedList } from './shared-list';
import { notComparable, NOT_SENT_UNSEEN, unseenWords, type FoundRecord } from './found-record';
import type { Cutoff } from './cutoff';
import { withCopiedRecord } from './copied-record';
import { lifetimeOf, type Listing, type Footprint } from '../model/footprint';
import type { PlannedRequest } from '../model/types';
import type { Answer, Failure } from '../model/failure';

/** How long is waited before each look, in milliseconds: what was applied may be shown a little later. */
const WAITS_MS = [2000, 4000, 8000];
/** Maximum difference between the clocks of n8n and the service. */
const APART = { minutes: 2 };
const WITHIN = 'within 2 minutes';
const NEW = 'not there before';

/** The field of a result that says that it was found, not answered: what agreed. */
export const FOUND = 'found_at_service';

/** With what a run looks. */
export interface LostAnswersOfRun extends Pick<Looking, 'context' | 'account' | 'options'> {
  gate: Gate;
  /** Whether a failed item leaves the others to go on. */
  goOn: boolean;
  /** The option Look Up Unknown Outcomes. */
  isOn: boolean;
  recordMatcher: RecordMatcher;
  /** All that the run is to write. */
  writes: PlannedRequest[];
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
  read: () => Promise<Newest | FailedAnswer>;
}

/**
 * Looks at the service for writes of which nobody knows what became of them: those of this run whose answer got lost, and
 * those that an earlier try began. What is found makes the item done; what is not found leaves it as unknown as it was:
 * it may appear later, and nothing is sent again because of it.
 */
export class LostAnswers {
  private readonly lists = new Map<string, SharedList>();
  private readonly befores = new Map<string, Baseline>();
  /** The highest ID that was there before each request left, where records do not say when they were made. */
  private readonly highest = new Map<PlannedRequest, string | Failure>();
  /** When each request left, in milliseconds since 1970. */
  private readonly left = new Map<PlannedRequest, number>();
  private readonly holds = new Map<PlannedRequest, () => void>();
  private readonly found = new Map<PlannedRequest, FoundRecord>();
  /** What the service had of earlier tries: read once for all items. */
  private readonly readings = new Map<string, { since: Cutoff; seen: Promise<Newest | FailedAnswer> }>();
  /** What was looked at for those that were not found. */
  private readonly sentences = new Map<PlannedRequest, string>();

  /** Those that a record may be of: another write may have left the record, or the list could not be read. */
  private readonly doubts = new Set<PlannedRequest>();

  private readonly recordMatcher: RecordMatcher;

  constructor(private readonly run: LostAnswersOfRun) {
    this.recordMatcher = run.recordMatcher;
  }

  /** The request is on its way from now on. */
  leaves(request: PlannedRequest): void {
    this.left.set(request, Date.now());
    this.recordMatcher.leaves(request);
  }

  /**
   * The request is about to be tried, and has not left. Reads what is there before, where that alone tells what is new.
   * @param found what a step read before it decided for the request: nothing else is read then.
   */
  async begins(request: PlannedRequest, found?: IDataObject[]): Promise<void> {
    this.left.delete(request);
    const footprint = this.footprintOf(request);
    if (!footprint || footprint.time) return;
    const agrees = (record: IDataObject) => footprint.matches(record, request.values);
    const list = fillListPath(footprint.list, request);
    const highest = found ? highestOf(found, list, agrees) : await this.beforeOf(list).highest(agrees);
    this.highest.set(request, highest);
  }

  /** The request's answer stands: others may begin. To be called before the gate goes on. */
  stands(request: PlannedRequest): void {
    this.holds.get(request)?.();
  }

  /** By what record the item is done, where the service's answer to this try is not what says so. */
  sighting(request: PlannedRequest): FoundRecord | undefined {
    return this.found.get(request);
  }

  /** The item is done by this record. @returns the same as the answer. */
  sighted(request: PlannedRequest, sighting: FoundRecord): Answer {
    this.found.set(request, sighting);
    return { ok: true, record: sighting.record };
  }

  /** Records that this run made, in this try or an earlier one, are no other item's, and no duplicates. */
  own(request: PlannedRequest, records: IDataObject[], openTries?: number): void {
    this.recordMatcher.own(request, records, openTries);
  }

  /**
   * A step looked for an open write, and the service does not have what the item asks for.
   * @param failure why the service could not be asked.
   */
  notAsAsked(request: PlannedRequest, failure?: Failure): void {
    const seen = `The node looked at ${this.now()}, and the service did not have it as this item asks. The earlier try may still be applied.`;
    this.sentences.set(request, failure ? `${failure.message}.` : seen);
  }

  /** The failure of an item that was looked for and not found says so. */
  told(request: PlannedRequest, failure: Failure): Failure {
    const sentence = this.sentences.get(request);
    return sentence === undefined ? failure : { ...failure, advice: joined(failure.advice, sentence) };
  }

  /**
   * Waits and looks for a request of this run that may have been applied; an answer that is known is given back at once.
   * @returns the record in place of the answer, or the answer. Never throws for what happens on the wire.
   */
  async settle(request: PlannedRequest, answer: Answer): Promise<Answer> {
    const footprint = this.footprintOf(request);
    const left = this.left.get(request);
    if (answer.ok || answer.failure.outcome !== 'unknown' || !footprint || left === undefined) return answer;
    const { gate, goOn } = this.run;
    const above = this.highest.get(request);
    if (typeof above === 'object') this.sentences.set(request, notComparable(footprint, above));
    if (typeof above === 'object') return { ok: false, failure: this.told(request, answer.failure) };
    const since = { at: DateTime.fromMillis(left).minus(APART), above };
    const ask = { since, filter: footprint.filter(request.values) };
    const read = async () => await this.listOf(footprint, request).ask(ask);
    const span = footprint.when ?? (footprint.time ? WITHIN : NEW);
    const search: Search = { footprint, since, waits: WAITS_MS, span, kind: 'lost', read };
    this.recordMatcher.loses(request);
    const looking = async () => await this.look(request, search);
    // With On Error set to stop nothing may begin as long as nobody knows whether this one failed.
    if (!goOn) this.holds.set(request, gate.hold());
    const record = goOn ? await gate.releaseSlotWhile(looking) : await looking();
    if (record) return this.seen(request, search, record);
    return { ok: false, failure: this.told(request, answer.failure) };
  }

  /**
   * Whether a record at the service would say what became of what an earlier try began, or did without leaving its result.
   * @param known what is remembered of it; `undefined` where a person had it sent again although it is open.
   * @param sentAt when it was sent, in milliseconds since 1970, where that is remembered.
   */
  canFind(request: PlannedRequest, known: Remembered | undefined, sentAt?: number): boolean {
    const footprint = this.footprintOf(request);
    const tells = footprint && lifetimeOf(footprint, request.values);
    if (!footprint || tells === 'minutes' || (tells === 'day' && !footprint.time)) return false;
    return isOpen(known) && this.sinceOf(known, sentAt) !== undefined;
  }

  /**
   * Looks for it once.
   * @param known `undefined` where a person had it sent again.
   * @returns its record as the answer, or nothing. For what is to be sent again a failure, if a record may be its own.
   */
  async earlier(request: PlannedRequest, known: Remembered | undefined, sentAt?: number): Promise<Answer | undefined> {
    const footprint = this.footprintOf(request);
    const at = this.sinceOf(known, sentAt);
    if (!footprint || !at || !this.canFind(request, known, sentAt)) return undefined;
    this.recordMatcher.leaveOpen(request);
    // What tells it from others at any time needs no moment.
    const since = { at, above: footprint.time ? undefined : '0' };
    const moment = at.setZone(this.run.context.getTimezone()).toFormat('yyyy-MM-dd HH:mm');
    const span = footprint.time ? `since ${moment}` : 'at any time';
    const read = async () => await this.readBefore(footprint, since, request);
    const isReleased = known === undefined;
    const search: Search = { footprint, since, waits: [0], span, kind: 'earlier', isReleased, read };
    const record = await this.look(request, search);
    if (record) return this.seen(request, search, record);
    return isReleased && this.doubts.has(request) ? { ok: false, failure: MAY_BE_DONE } : undefined;
  }

  private sinceOf(known: Remembered | undefined, sentAt?: number): DateTime | undefined {
    const at = known && hasWitness(known) ? beganAt(this.run.context) : sentAt;
    return at === undefined ? undefined : DateTime.fromMillis(at).minus(APART);
  }

  /** What was there before is there in every reading of this run. */
  private async readBefore(
    footprint: Footprint,
    since: Cutoff,
    request: PlannedRequest,
  ): Promise<Newest | FailedAnswer> {
    const list = fillListPath(footprint.list, request);
    const known = this.readings.get(list.path);
    if (known && known.since.at <= since.at) return await known.seen;
    const filter = this.run.writes.length === 1 ? footprint.filter(request.values) : [];
    const seen = readNewest(this.looking, { ...footprint, list }, since, filter);
    this.readings.set(list.path, { since, seen });
    return await seen;
  }

  /** Of an item of many steps no footprint says which of them is done. */
  private footprintOf({ operation, values }: PlannedRequest): Footprint | undefined {
    const { footprint, steps } = operation;
    return this.run.isOn && (!steps || steps.each.length === 1) && footprint?.isIdentifiable(values)
      ? footprint
      : undefined;
  }

  private seen(request: PlannedRequest, { footprint, span, kind }: Search, found: IDataObject): Answer {
    const record = footprint.answer?.(found) ?? found;
    return this.sighted(request, { record, agreement: `${footprint.agreement}, ${span}`, kind });
  }

  /** Looks as often as it is worth it. What is found is this item's from then on. */
  private async look(request: PlannedRequest, search: Search): Promise<IDataObject | undefined> {
    const { footprint, waits, read } = search;
    const { gate, context } = this.run;
    let looks = 0;
    let failure: Failure | undefined;
    let isCut = false;
    let unclear: IDataObject[] = [];
    for (const wait of waits) {
      // A run that ends looks once more without waiting, one that a person stops does not.
      const goesOn = await gate.rest(wait);
      if (context.getExecutionCancelSignal()?.aborted) break;
      const seen = await withCopiedRecord(this.looking, request, footprint, await read());
      if ('failure' in seen) failure = seen.failure;
      else {
        const match = footprint.list.removesRecord
          ? { ...NO_MATCH, record: removed(request, footprint, seen) }
          : this.recordMatcher.claim(request, { ...search, ...seen });
        if (match.record) return match.record;
        looks += 1;
        ({ isCut } = seen);
        ({ unclear } = match);
        if (match.isDoubtful) this.doubts.add(request);
        else this.doubts.delete(request);
      }
      if (!goesOn) break;
    }
    const isUnread = looks === 0 || isCut;
    // A list that was not read whole does not show that nothing was done.
    if (isUnread) this.doubts.add(request);
    const unseen = { footprint, span: search.span, looks, until: this.now(), isCut, unclear, failure };
    const words = unseenWords(unseen);
    this.sentences.set(request, search.isReleased && isUnread ? `${words} ${NOT_SENT_UNSEEN}` : words);
    this.recordMatcher.leaveOpen(request);
    return undefined;
  }

  private listOf(footprint: Footprint, request: PlannedRequest): SharedList {
    const list = fillListPath(footprint.list, request);
    const rest = async (milliseconds: number) => await this.run.gate.rest(milliseconds);
    const known = this.lists.get(list.path) ?? new SharedList(this.looking, { ...footprint, list }, rest);
    this.lists.set(list.path, known);
    return known;
  }

  private beforeOf(list: Listing): Baseline {
    const known = this.befores.get(list.path) ?? new Baseline(this.looking, list);
    this.befores.set(list.path, known);
    return known;
  }

  private get looking(): Looking {
    const { context, account, options } = this.run;
    return { context, account, options };
  }

  private now(): string {
    return DateTime.now().setZone(this.run.context.getTimezone()).toFormat('HH:mm:ss');
  }
}

/** What is left of a record that a write removed: nothing, where the whole list was read. */
const removed = (
  { values }: PlannedRequest,
  { matches }: Footprint,
  { records, isCut }: Newest,
): IDataObject | undefined => (isCut || records.some((record) => matches(record, values)) ? undefined : {});

const NO_MATCH = { unclear: [], isDoubtful: false };

/** Nobody reads it: what is told of the item is that an earlier try stands in its way. */
const MAY_BE_DONE: Failure = { outcome: 'unknown', message: 'A record may be of an earlier try', advice: '' };

const joined = (...parts: string[]) => parts.filter(Boolean).join(' ');
