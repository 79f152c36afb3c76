import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { momentOf, now, timeText } from '../fields/kinds/date';
import { fillListPath, highestOf, type Cutoff, type ListReading } from './list-cache';
import type { LookingRun } from './match-records';
import type { ListResult } from '../service/fetch-list';
import { beganAt } from '../n8n/lineage';
import { timeZoneOf } from '../n8n/read-parameter';
import { hasEvidence, isOpen, type Remembered } from '../model/write-memory';
import {
  agreementOf,
  NO_MATCH,
  couldNotRead,
  notComparable,
  NOT_SENT_UNREADABLE,
  NOT_SENT_UNSEEN,
  unseenWords,
  type FoundRecord,
  type Match,
} from './found-record';
import { amountOf, movesMoneyAtOnce } from '../model/read-amounts';
import { filtersOf } from '../model/candidates';
import { canExist, lifetimeOf, likenessOf, type Footprint } from '../model/footprint';
import { isOwnMerchant } from '../model/operation';
import type { PlannedRequest } from '../model/types';
import type { Answer, Failure } from '../model/failure';

/** Milliseconds before each look-up, because the service may show a write late. */
const WAITS_MS = [2000, 4000, 8000];
/** Assumed maximum difference between n8n's and the service's clocks. */
const APART = { minutes: 2 };
const WITHIN = 'within 2 minutes';
const NEW = 'not there before';

/** Output field that describes the match of a look-up. */
export const FOUND = 'found_at_service';

/** State of a request whose response may be lost. */
interface Progress {
  /** Highest ID before sending. Set only if records contain no creation time. */
  highest?: string | Failure;
  /** Time of sending in Unix milliseconds. */
  leftAt?: number;
  /** Unblocks other requests. */
  release?: () => void;
  found?: FoundRecord;
  /** Sentence about a look-up that found no record. */
  sentence?: string;
  /** Whether a record may belong to the request, because a match is unclear or a list incomplete. */
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
  /** Whether a person approved another attempt. */
  isReleased?: boolean;
  read: () => Promise<ListReading>;
}

/**
 * Searches for the records of writes with an unknown outcome. Either the response was lost in this run, or an earlier
 * attempt began the write. If the node finds the record, the write is done. Otherwise, the outcome stays unknown,
 * because the record may appear later. The node then sends again only if a person approved another attempt.
 */
export class LostAnswers {
  private readonly all = new Map<PlannedRequest, Progress>();

  /** @param goOn whether other items continue after a failure. */
  constructor(
    private readonly run: LookingRun,
    private readonly goOn: boolean,
  ) {}

  leaves(request: PlannedRequest): void {
    this.of(request).leftAt = Date.now();
    this.run.recordMatcher.leaves(request);
  }

  /**
   * Prepares an attempt. If records contain no time, reads the highest ID first.
   * @param found records already read.
   */
  async begins(request: PlannedRequest, found?: IDataObject[]): Promise<void> {
    delete this.of(request).leftAt;
    if (request.operation.footprint?.time) return;
    const footprint = this.footprintOf(request);
    if (!footprint) return;
    const matches = (record: IDataObject) => likenessOf(footprint, record, request.values) === 'equal';
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

  /** Completes the item with a found record, returned as a response. */
  sighted(request: PlannedRequest, found: FoundRecord): Answer {
    this.of(request).found = found;
    return { ok: true, record: found.record };
  }

  /**
   * Notes that the service doesn't show a write of unknown outcome.
   * @param failure reason why the record was unreadable.
   */
  notAsAsked(request: PlannedRequest, failure?: Failure): void {
    const seen = `At ${this.now()}, the service did not show the requested change. The request may still be applied.`;
    this.of(request).sentence = failure ? `${failure.message}.` : seen;
  }

  /** Adds the look-up's result to an item's failure. */
  told(request: PlannedRequest, failure: Failure): Failure {
    const sentence = this.all.get(request)?.sentence;
    if (sentence === undefined) return failure;
    return { ...failure, advice: [failure.advice, sentence].filter(Boolean).join(' ') };
  }

  /**
   * Looks up a request whose response was lost. Returns the found record, or otherwise the original response, even if
   * the look-up fails.
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
    const since = { at: momentOf(leftAt).minus(APART), above };
    const list = fillListPath(footprint.list, request.values);
    const question = { since, filter: filtersOf(footprint, request.values) };
    const read = async () => await lists.latest({ ...footprint, list }, question);
    const span = footprint.when ?? (footprint.time ? WITHIN : NEW);
    const search: Search = { footprint, since, waits: WAITS_MS, span, kind: 'lost', read };
    recordMatcher.loses(request);
    const looking = async () => await this.look(request, search);
    // If On Error is Stop, no other request may start until this outcome is known.
    if (!this.goOn) this.of(request).release = gate.hold();
    const record = this.goOn ? await gate.releaseSlotWhile(looking) : await looking();
    return record ?? { ok: false, failure: this.told(request, answer.failure) };
  }

  /**
   * Returns whether a look-up can show an earlier attempt's outcome.
   * @param known stored state. Missing if a person approved another attempt.
   * @param sentAt time of sending in Unix milliseconds, if known.
   */
  canFind(request: PlannedRequest, known: Remembered | undefined, sentAt?: number): boolean {
    if (this.sinceOf(known, sentAt) === undefined || !(isOpen(known) || lacksResult(known, request))) return false;
    // The earlier attempt may have sent another reference.
    if (request.values.reference?.isLasting === false) return false;
    const footprint = this.footprintOf(request);
    const lifetime = footprint && lifetimeOf(footprint, request.values);
    return footprint !== undefined && lifetime !== 'minutes' && (lifetime !== 'day' || footprint.time !== undefined);
  }

  /**
   * Looks up an earlier attempt's record once.
   * @param known stored state. Missing if a person approved another attempt.
   * @returns the found record as a response, or a failure if `known` is missing and a record may belong to the write.
   */
  async earlier(request: PlannedRequest, known: Remembered | undefined, sentAt?: number): Promise<Answer | undefined> {
    const footprint = this.footprintOf(request);
    const at = this.sinceOf(known, sentAt);
    if (!footprint || !at || !this.canFind(request, known, sentAt)) {
      if (known !== undefined || !repeatsPayment(request)) return undefined;
      this.of(request).sentence = NOT_SENT_UNREADABLE;
      return { ok: false, failure: MAY_BE_DONE };
    }
    const { context, lists, recordMatcher, writes } = this.run;
    recordMatcher.leaveOpen(request);
    // If records contain no time, a match at any time identifies the write.
    const since = { at, above: footprint.time ? undefined : '0' };
    const span = footprint.time ? `since ${timeText(at, timeZoneOf(context))}` : 'at any time';
    const list = fillListPath(footprint.list, request.values);
    const filter = writes.length === 1 ? filtersOf(footprint, request.values) : [];
    const read = async () => await lists.earlier({ ...footprint, list }, { since, filter });
    const isReleased = known === undefined;
    const search: Search = { footprint, since, waits: [0], span, kind: 'earlier', isReleased, read };
    const record = await this.look(request, search);
    if (record) return record;
    return isReleased && this.of(request).isDoubtful ? { ok: false, failure: MAY_BE_DONE } : undefined;
  }

  /**
   * Looks up the write whose key of Once per Key has an unknown outcome. The node doesn't know when another execution
   * sent it, so only the reference that the key determines is proof.
   * @param isApproved whether a person approved another attempt.
   * @returns the found record, a failure if the node must not send the write, or `undefined`.
   */
  async ofKey(request: PlannedRequest, isApproved: boolean): Promise<Answer | undefined> {
    const { options, values } = request;
    const { match } = (options.unknownOutcome === 'refuse' ? undefined : await this.lookAtKey(request)) ?? {};
    const isProof = values.reference !== undefined;
    if (match?.record && isProof) return this.sighted(request, this.found(request, match.record, 'earlier'));
    const isAbsent = match !== undefined && match.record === undefined && !match.isDoubtful;
    const mayRepeat = options.unknownOutcome === 'resend' ? isAbsent : isApproved && (match === undefined || isAbsent);
    return mayRepeat ? undefined : { ok: false, failure: MAY_BE_DONE };
  }

  /** Returns the record of the payment that another item with the key completed, if readable. */
  async doneWithKey(request: PlannedRequest): Promise<Answer | undefined> {
    const { match, alike = 0 } = (await this.lookAtKey(request)) ?? {};
    // Without a reference from the key, one of several records may belong to another payment.
    const isProof = request.values.reference !== undefined || alike === 1;
    return isProof && match?.record ? this.sighted(request, this.found(request, match.record, 'existed')) : undefined;
  }

  /**
   * Returns the match in the complete list and the number of records that may belong to the request, or `undefined` if
   * the records are unreadable.
   */
  private async lookAtKey(request: PlannedRequest): Promise<{ match: Match; alike: number } | undefined> {
    const footprint = this.readableFootprint(request);
    if (!footprint || !canExist(footprint) || !footprint.isIdentifiable(request.values)) return undefined;
    const { lists, recordMatcher } = this.run;
    const { values } = request;
    const read = await lists.whole(fillListPath(footprint.list, values), [undefined], filtersOf(footprint, values));
    const seen = await lists.complete(footprint, values, read);
    if ('failure' in seen) this.of(request).sentence = couldNotRead(footprint, seen.failure);
    if ('failure' in seen || seen.note !== undefined) return undefined;
    const { compare, list } = footprint;
    // Records without an effect, such as voided payments, count, because they may be the key's payment.
    const alike = seen.records.filter((record) => likenessOf({ compare, list }, record, seen.values) !== 'different');
    return { match: recordMatcher.claim(request, { footprint, ...seen, kind: 'existed' }), alike: alike.length };
  }

  private found(
    { operation: { footprint }, values }: PlannedRequest,
    found: IDataObject,
    kind: FoundRecord['kind'],
  ): FoundRecord {
    const record = footprint?.answer?.(found) ?? found;
    return { record, agreement: `same key, ${footprint && agreementOf(footprint, values)}`, kind };
  }

  private sinceOf(known: Remembered | undefined, sentAt?: number): DateTime | undefined {
    const at = known && hasEvidence(known) ? beganAt(this.run.context) : sentAt;
    return at === undefined ? undefined : momentOf(at).minus(APART);
  }

  /** Returns the footprint for a look-up, which can't show an item of several steps or another merchant's records. */
  private footprintOf(request: PlannedRequest): Footprint | undefined {
    const footprint = request.options.unknownOutcome === 'refuse' ? undefined : this.readableFootprint(request);
    return footprint?.isIdentifiable(request.values) ? footprint : undefined;
  }

  private readableFootprint({ operation: { footprint, steps }, values }: PlannedRequest): Footprint | undefined {
    const isOfWrite = !steps || steps.each.length === 1 || steps.createsFirst;
    const isReadable = isOwnMerchant(values, this.run.account) && isOfWrite;
    return isReadable ? footprint : undefined;
  }

  /** Looks up the request after each delay until its record appears. */
  private async look(request: PlannedRequest, search: Search): Promise<Answer | undefined> {
    const { footprint, waits, read, span, kind } = search;
    const { gate, context, lists, recordMatcher, keys } = this.run;
    const progress = this.of(request);
    let looks = 0;
    let failure: Failure | undefined;
    let isCut = false;
    let unclear: IDataObject[] = [];
    const agreement = agreementOf(footprint, request.values);
    for (const wait of waits) {
      // If the run ends during the wait, looks once more, unless a person stopped the run.
      const goesOn = await gate.rest(wait);
      if (context.getExecutionCancelSignal()?.aborted) break;
      const seen = await lists.complete(footprint, request.values, await read(), search.since);
      if ('failure' in seen) failure = seen.failure;
      else {
        looks += 1;
        isCut = seen.note !== undefined;
        // Another process may have begun an equal write during the look-up.
        const hasEqualElsewhere = await keys.hasEqualElsewhere(request, search.since.at.toMillis());
        const match = footprint.list.removesRecord
          ? { ...NO_MATCH, record: isRemoved(request, footprint, seen) ? {} : undefined }
          : recordMatcher.claim(request, { ...search, ...seen, hasEqualElsewhere });
        if (match.record) {
          const record = footprint.answer?.(match.record) ?? match.record;
          return this.sighted(request, { record, agreement: `${agreement}, ${span}`, kind });
        }
        ({ unclear, isDoubtful: progress.isDoubtful } = match);
      }
      if (!goesOn) break;
    }
    const isUnread = looks === 0 || isCut;
    // An incomplete list doesn't prove that the service didn't apply the write.
    progress.isDoubtful ||= isUnread;
    const words = unseenWords({ footprint, agreement, span, looks, until: this.now(), isCut, unclear, failure });
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
    return timeText(now(), timeZoneOf(this.run.context));
  }
}

const isRemoved = ({ values }: PlannedRequest, footprint: Footprint, { records, note }: ListResult) =>
  note === undefined && records.every((record) => likenessOf(footprint, record, values) === 'different');

/** Returns whether only the option makes the node repeat a payment of unknown outcome. */
const repeatsPayment = (request: PlannedRequest): boolean =>
  request.options.unknownOutcome === 'resend' &&
  (request.options.oncePerKey !== undefined || (movesMoneyAtOnce(request.operation) && amountOf(request) !== 0));

/** The item's next write needs the record of a completed write, unless that write only found an existing record. */
const lacksResult = (known: Remembered | undefined, { options }: PlannedRequest): boolean =>
  known?.outcome === 'unknown' && known.evidence === 'done' && options.existing?.then !== 'return';

/** Users don't see this failure, because the item fails with a message about its earlier attempt. */
const MAY_BE_DONE: Failure = {
  outcome: 'unknown',
  message: 'An earlier attempt may have created a record at the service',
  advice: '',
};
