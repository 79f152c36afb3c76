import type { IDataObject } from 'n8n-workflow';

import { attemptWrite, findEarlierAttempt, findEarlierResult } from './attempt-write';
import { decideRequest, refusal } from './decide-request';
import { describeFailure } from '../messages/describe-failure';
import { madeId } from '../service/decode-response';
import { NotStarted } from '../service/gate';
import { couldNotLook, lookUp, notWhole } from '../service/look-up';
import { adjustPace, sendWithRetries } from '../service/send';
import { partlyDone, refusedLater, stoppedBetweenSteps } from '../messages/earlier-attempts';
import { itemOf, itemStepsOf, recallSteps } from '../model/operation';
import {
  failed,
  formatForItem,
  notStarted,
  OWN_MISTAKE,
  recalled,
  recordSuccess,
  refuseForEarlierAttempt,
  reviewed,
  stillOpen,
  stopsRun,
  withNotice,
} from './write-results';
import type { Done, RequestResult } from '../model/results';
import { UNDECIDED } from '../output/describe-previews';
import { isOpen, type Finished, type Remembered } from '../model/write-memory';
import type { SharedRun } from './shared-run';
import type { Decision, PlannedRequest, Step } from '../model/types';
import { refused, type Answer, type Failure } from '../model/failure';

/** Sends the writes one after the other. Never throws for connection errors or error responses. */
export async function processWrite(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const writes = new WritesOfItem(shared, request);
  try {
    return await writes.process();
  } catch (error) {
    return writes.resultOfError(error);
  }
}

class WritesOfItem {
  private current: PlannedRequest;
  private readonly places: PlannedRequest[];
  private done: Done[] = [];
  private notice?: string | undefined;
  /** Records on which the node based its decision. If they change, the node refuses the write. */
  private base?: { found: IDataObject[] };

  constructor(
    private readonly shared: SharedRun,
    private readonly item: PlannedRequest,
  ) {
    this.places = itemStepsOf(item);
    this.current = this.place;
  }

  async process(): Promise<RequestResult> {
    const { shared, item } = this;
    const { done, next, stop } = recallSteps(shared.memory, item);
    const whole = next || item.operation.steps ? undefined : await this.findResult(done);
    if (whole) return whole;
    this.done = done.map((one, part): Done => recalled(shared, this.places[part] ?? item, one));
    this.current = this.place;
    if (!next) return reviewed(item, this.whole);
    const seen = (await findEarlierResult(shared, next, stop)) ?? (stop && (await this.lookAgain(next, stop)));
    const standing = seen && !seen.ok ? shared.memory.reopen?.(next) : stop;
    if (seen?.ok) this.done.push(recordSuccess(shared, next, seen));
    else if (standing) return this.refuse(next, standing);
    return this.done.length === this.places.length ? reviewed(item, this.whole) : await this.send();
  }

  /** After an internal error, the outcome is unknown, because the node may have sent the request. */
  resultOfError(error: unknown): RequestResult {
    const { shared, item, done, current } = this;
    if (error instanceof NotStarted) {
      const result = notStarted(shared.memory, current, error.reason);
      if (done.length === 0) return result;
      const failure = result.kind === 'failed' ? result.failure : stoppedBetweenSteps(error.reason);
      return { items: item.items, kind: 'failed', failure: this.told(describeFailure(failure, current)) };
    }
    shared.recordMatcher.leaveOpen(current);
    return { items: item.items, kind: 'failed', failure: this.told(describeFailure(OWN_MISTAKE, current)) };
  }

  private async findResult([known]: Finished[]): Promise<RequestResult | undefined> {
    const seen = await findEarlierResult(this.shared, this.item, known);
    return seen?.ok ? reviewed(this.item, recordSuccess(this.shared, this.item, seen)) : undefined;
  }

  private async send(): Promise<RequestResult> {
    const { shared, item } = this;
    const { options: patience, gate, lostAnswers, earlier } = shared;
    const { effect, objectKey } = item;
    const ends = (last: Answer | undefined) => {
      lostAnswers.stands(this.current);
      return stopsRun(shared, item, last);
    };
    const answer = await sendWithRetries({ effect, patience, gate, objectKey, ends }, async () => await this.go());
    if (answer.ok) return reviewed(item, withNotice(this.whole, this.notice));
    const known = earlier.get(this.current);
    if (known) return this.refuse(this.current, known);
    return failed(shared, this.current, stillOpen(shared, this.current, answer.failure), (one) => this.told(one));
  }

  private refuse(request: PlannedRequest, known: Remembered): RequestResult {
    const result = refuseForEarlierAttempt(this.shared, request, known);
    return result.kind === 'failed' ? { ...result, failure: this.told(result.failure) } : result;
  }

  private told(failure: Failure): Failure {
    return partlyDone(failure, this.done, this.item);
  }

  private get whole(): Done {
    const openAttempts = this.done.reduce((sum, one) => sum + (one.openAttempts ?? 0), 0);
    const found = this.done.find((one) => !one.existed && one.found !== undefined)?.found;
    const last = this.done.at(-1) ?? { records: [] };
    return {
      ...last,
      ...this.withFirstRecord(last),
      ...(openAttempts > 0 && { openAttempts }),
      ...(found !== undefined && { found }),
    };
  }

  /** If no record shows the last write, the record that the first write created identifies the item. */
  private withFirstRecord({ records: [last = {}], byWord, byDatabase }: Done): Pick<Done, 'records'> | undefined {
    const place = this.places.at(-1);
    const step = place && stepOf(place);
    if (!step || !(byWord || byDatabase) || !this.createsFirst) return undefined;
    const decision = this.decide(step, place, []);
    if (!('request' in decision)) return undefined;
    const request = decideRequest(place, decision.request, this.shared.account, this.shared.memory);
    return 'outcome' in request ? undefined : { records: [formatForItem(request, last)] };
  }

  private get createsFirst(): boolean {
    return this.item.operation.steps?.createsFirst === true;
  }

  private async go(): Promise<Answer> {
    for (;;) {
      this.current = this.place;
      const answer = await this.take(this.current);
      const done = this.doneBy(answer);
      if (!done) return answer;
      this.done.push(done);
      this.base = undefined;
      this.notice ??= this.shared.recentPayments?.notice(this.current);
      if (this.isOthersRecord(done)) this.skipOthers(done);
      if (this.done.length === this.places.length) return answer.ok ? answer : { ok: true, record: {} };
      // Otherwise, the item's next write would wait for a look-up that found this one.
      this.shared.lostAnswers.stands(this.current);
    }
  }

  /** A person may not want the node to change a record that the option If It Already Exists returns. */
  private isOthersRecord({ existed }: Done): boolean {
    return existed === true && this.createsFirst && this.item.options.existing?.then === 'return';
  }

  private skipOthers(done: Done): void {
    for (const place of this.places.slice(this.done.length)) {
      this.shared.memory.done(place, done.records);
      this.done.push(done);
    }
  }

  /** If the service's record already matches the request, the write is done. */
  private async lookAgain(place: PlannedRequest, known: Remembered): Promise<Answer | undefined> {
    const { gate } = this.shared;
    return isOpen(known)
      ? await gate.run(place.objectKey, async () => await this.lookForChange(place, place)).catch(() => undefined)
      : undefined;
  }

  /** Looks for the change of a write after the first one, whose response was lost. */
  private async lookAfter(place: PlannedRequest, answer: Answer): Promise<Answer> {
    const isLost = !answer.ok && answer.failure.outcome === 'unknown' && !answer.isUnsent;
    if (!isLost || place.part === 0 || !this.createsFirst) return answer;
    const { gate, lostAnswers } = this.shared;
    await gate.rest(BEFORE_LOOK_MS);
    const seen = await this.lookForChange(place, this.current).catch(() => undefined);
    return seen ?? { ok: false, failure: lostAnswers.told(this.current, answer.failure) };
  }

  /** @param request request that the node sent or would send for the step. */
  private async lookForChange(place: PlannedRequest, request: PlannedRequest): Promise<Answer | undefined> {
    const { lostAnswers } = this.shared;
    const step = stepOf(place);
    if (!step?.look || place.operation.footprint || place.options.unknownOutcome === 'refuse') return undefined;
    const seen = await this.look(step, place);
    const decision = 'outcome' in seen ? { refuse: '' } : this.decide(step, place, seen.found);
    const kind = place === request ? 'earlier' : 'lost';
    if ('done' in decision) return lostAnswers.sighted(request, { record: decision.done, agreement: AS_ASKED, kind });
    lostAnswers.notAsAsked(request, 'outcome' in seen ? seen : undefined);
    return undefined;
  }

  private doneBy(answer: Answer): Done | undefined {
    const { shared, current } = this;
    // The service has no record of a request that a preview only shows.
    if (answer.ok && shared.preview?.requests.has(itemOf(current))) return { records: newRecord(current) };
    if (answer.ok) return recordSuccess(shared, current, answer);
    const known = shared.earlier.get(current);
    return known?.outcome === 'done' ? recalled(shared, current, known) : undefined;
  }

  private get place(): PlannedRequest {
    return this.places[this.done.length] ?? this.item;
  }

  private async take(place: PlannedRequest): Promise<Answer> {
    const { account, memory, keys, preview } = this.shared;
    const step = stepOf(place);
    if (!step) return await attemptWrite(this.shared, place);
    const isNew = this.createsFirst && this.done.at(-1)?.remembered !== true;
    if (!isNew && step.look?.(place.values, this.before) && preview?.isDependent(place)) return refused(UNDECIDED);
    const first = isNew ? { found: [] } : (this.base ?? (await this.look(step, place)));
    if ('outcome' in first) return await this.refusedUnlessSent(place, first);
    const decision = this.decide(step, place, first.found);
    if ('refuse' in decision) return await this.refusedUnlessSent(place, refusal(decision.refuse));
    if ('done' in decision) {
      const failure = await keys.oncePerKey.recordDone(place);
      return failure ? refused(failure) : { ok: true, record: decision.done };
    }
    const request = decideRequest(place, decision.request, account, memory);
    if ('outcome' in request) return await this.refusedUnlessSent(place, request);
    if (step.unchanged) {
      this.base = first;
      const now = await this.look(step, place);
      if ('outcome' in now) return await this.refusedUnlessSent(place, now);
      if (JSON.stringify(now.found) !== JSON.stringify(first.found))
        return await this.refusedUnlessSent(place, refusal(CHANGED));
    }
    this.current = request;
    return await this.lookAfter(place, await attemptWrite(this.shared, request, first.found));
  }

  /** An earlier attempt may have sent the write, although this attempt can't prepare it. */
  private async refusedUnlessSent(place: PlannedRequest, failure: Failure): Promise<Answer> {
    const earlier = await findEarlierAttempt(this.shared, place).catch(() =>
      refused(refusedLater(failure, { outcome: 'unknown', noted: 'unread' })),
    );
    return earlier ?? refused(failure);
  }

  private async look({ look }: Step, { values }: PlannedRequest): Promise<{ found: IDataObject[] } | Failure> {
    const wanted = look?.(values, this.before);
    if (!wanted) return { found: [] };
    const { context, account, options, gate } = this.shared;
    gate.assertOpen();
    const answered = (answer: Answer) => adjustPace(gate, answer);
    const seen = await lookUp({ context, account, options, answered }, wanted);
    const failure = 'failure' in seen ? seen.failure : seen.note === undefined ? undefined : notWhole(seen.note);
    const what = `The node could not read the current records of the service, so ${this.done.length > 0 ? 'nothing more' : 'nothing'} was sent`;
    if (failure) return couldNotLook(what, failure);
    return { found: 'records' in seen ? seen.records : [] };
  }

  private decide({ decide }: Step, { values }: PlannedRequest, found: IDataObject[]): Decision {
    try {
      return decide(found, values, this.before);
    } catch {
      return { refuse: 'The node could not read the current record, so nothing was sent' };
    }
  }

  private get before(): IDataObject[] {
    return this.done.map(({ records }) => records[0] ?? {});
  }
}

const stepOf = ({ operation, part }: PlannedRequest): Step | undefined => operation.steps?.each[part];

/** A preview shows the requests for a record that doesn't exist yet. */
function newRecord(request: PlannedRequest): IDataObject[] {
  const made = request.operation.steps?.createsFirst && madeId(request);
  return made === undefined ? [] : [{ [made]: `new_${made}` }];
}

/** Milliseconds before a look-up, because the service may show a write late. */
const BEFORE_LOOK_MS = 2000;

const AS_ASKED = 'the service already has the requested values';

const CHANGED = 'The record changed after the node read it, so the node did not overwrite the record';
