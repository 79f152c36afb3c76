import type { IDataObject } from 'n8n-workflow';

import { decideRequest, refusal } from './decide-request';
import { rememberedFailure } from '../messages/earlier-tries';
import { describeFailure } from '../messages/describe-failure';
import { NotStarted } from '../service/gate';
import { couldNotLook, lookFor, notWhole } from '../service/look-up';
import { adjustPace } from '../service/adjust-pace';
import { partlyDone, stoppedBetweenSteps } from '../messages/partly-done';
import { doneEarlier } from '../lookup/note-before-sending';
import { itemStepsOf, recallSteps } from '../model/item-steps';
import {
  recordSuccess,
  stopsRun,
  failed,
  notStarted,
  recalled,
  reviewed,
  findEarlierResult,
  sendOnce,
  stillOpen,
} from './process-request';
import type { Done, RequestResult } from '../model/results';
import { isOpen, type Remembered } from '../model/write-memory';
import type { SharedRun } from './shared-run';
import { sendWithRetries } from '../service/send-with-retries';
import type { Decision, PlannedRequest, Step } from '../model/types';
import type { Answer, Failure } from '../model/failure';

const refused = (failure: Failure): Answer => ({ ok: false, failure });

/**
 * Takes the steps of an item one after the other, under one object key: each looks, decides, and sends what it decided
 * for. What the memory knows to be done is recalled before anything is looked at, for a look would see the item's own
 * write and decide otherwise. Never throws for what happens on the wire.
 */
export async function processSteps(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { items, effect, objectKey } = request;
  const { memory, options: patience, gate, lostAnswers, recordMatcher } = shared;
  const parts = itemStepsOf(request);
  const known = recallSteps(memory, request);
  const done = known.done.map((one, part): Done => recalled(shared, parts[part] ?? request, one));
  const told = (failure: Failure) => partlyDone(failure, done, request);
  const { next } = known;
  const run = new StepsOfItem(shared, parts, done);
  const seen =
    next &&
    ((await findEarlierResult(shared, next, known.stop)) ?? (known.stop && (await run.lookAgain(next, known.stop))));
  const stop = next && seen && !seen.ok ? memory.reopen?.(next) : known.stop;
  if (next && seen?.ok) done.push(recordSuccess(shared, next, seen));
  else if (next && stop && stop.outcome !== 'done') {
    recordMatcher.leaveOpen(next);
    const failure = told(lostAnswers.told(next, rememberedFailure(stop, next)));
    return { items, kind: 'failed', failure, remembered: true };
  }
  try {
    if (done.length < parts.length) {
      const ends = (last: Answer | undefined) => {
        lostAnswers.stands(run.current);
        return stopsRun(shared, request, last);
      };
      const answer = await sendWithRetries({ effect, patience, gate, objectKey, ends }, async () => await run.go());
      if (!answer.ok) return failed(shared, run.current, told(stillOpen(shared, run.current, answer.failure)));
    }
    return reviewed(request, wholeOf(done));
  } catch (error) {
    if (error instanceof NotStarted) {
      const result = notStarted(memory, run.current, error.reason);
      if (done.length === 0) return result;
      const failure = result.kind === 'failed' ? result.failure : stoppedBetweenSteps(error.reason);
      return { items, kind: 'failed', failure: told(describeFailure(failure, run.current)) };
    }
    recordMatcher.leaveOpen(run.current);
    // A mistake of our own after sending must not look like "not applied".
    const failure: Failure = { outcome: 'unknown', message: 'The answer could not be processed', advice: '' };
    return { items, kind: 'failed', failure: told(describeFailure(failure, run.current)) };
  }
}

/** An item has the records of its last step. */
function wholeOf(done: Done[]): Done {
  const openTries = done.reduce((sum, one) => sum + (one.openTries ?? 0), 0);
  return { ...(done.at(-1) ?? { records: [] }), ...(openTries > 0 && { openTries }) };
}

/** How far an item is. A step that was turned away is taken once more, from its look on; those before it are not. */
class StepsOfItem {
  /** The request that is on its way, or the step's place as long as nothing is decided. */
  current: PlannedRequest;
  /** What the step has decided on, where it must stay so. */
  private base?: { found: IDataObject[] };

  constructor(
    private readonly shared: SharedRun,
    private readonly parts: PlannedRequest[],
    private readonly done: Done[],
  ) {
    this.current = this.place;
  }

  /** Takes the steps that are left. */
  async go(): Promise<Answer> {
    for (;;) {
      this.current = this.place;
      const answer = await this.take(this.current);
      const done = this.doneBy(answer);
      if (!done) return answer;
      this.done.push(done);
      this.base = undefined;
      if (this.done.length === this.parts.length) return answer.ok ? answer : { ok: true, record: {} };
    }
  }

  /**
   * Looks once for a write of an earlier try whose outcome is unknown. If nothing is left to send, because the service has
   * what the item asks for, the write is done.
   */
  async lookAgain(place: PlannedRequest, known: Remembered): Promise<Answer | undefined> {
    const { lostAnswers, gate } = this.shared;
    const step = stepOf(place);
    if (!isOpen(known) || !step.look || place.operation.footprint) return undefined;
    const look = async (): Promise<Answer | undefined> => {
      const seen = await this.look(step, place);
      const decision = 'outcome' in seen ? { refuse: '' } : this.decide(step, place, seen.found);
      if ('done' in decision)
        return lostAnswers.sighted(place, { record: decision.done, agreement: AS_ASKED, kind: 'earlier' });
      lostAnswers.notAsAsked(place, 'outcome' in seen ? seen : undefined);
      return undefined;
    };
    return await gate.run(place.objectKey, look).catch(() => undefined);
  }

  /** What the step came to, in this try or, as its note or a person's word says, in an earlier one; nothing where it failed. */
  private doneBy(answer: Answer): Done | undefined {
    const { shared, current } = this;
    if (answer.ok) return recordSuccess(shared, current, answer);
    const known = shared.earlier.get(current);
    return known?.outcome === 'done' ? recalled(shared, current, known) : undefined;
  }

  private get place(): PlannedRequest {
    const place = this.parts[this.done.length] ?? this.parts.at(-1);
    if (!place) throw new Error('An operation in steps has at least one');
    return place;
  }

  private async take(place: PlannedRequest): Promise<Answer> {
    const { account, memory, gate, keys, lostAnswers } = this.shared;
    const step = stepOf(place);
    const first = this.base ?? (await this.look(step, place));
    if ('outcome' in first) return refused(first);
    const decision = this.decide(step, place, first.found);
    if ('refuse' in decision) return (await this.earlier(place)) ?? refused(refusal(decision.refuse));
    if ('done' in decision) {
      const failure = await keys.doneUnsent(place);
      return failure ? refused(failure) : { ok: true, record: decision.done };
    }
    const request = decideRequest(place, decision.request, account, memory);
    if ('outcome' in request) return refused(request);
    if (step.unchanged) {
      this.base = first;
      const now = await this.look(step, place);
      if ('outcome' in now) return refused(now);
      if (JSON.stringify(now.found) !== JSON.stringify(first.found)) return refused(refusal(CHANGED));
    }
    this.current = request;
    await lostAnswers.begins(request, first.found);
    const answer = await sendOnce(this.shared, request, request.values.query);
    adjustPace(gate, answer);
    const known = this.shared.earlier.get(request);
    return known ? ((await lostAnswers.earlier(request, known)) ?? answer) : await lostAnswers.settle(request, answer);
  }

  private async look({ look }: Step, { values }: PlannedRequest): Promise<{ found: IDataObject[] } | Failure> {
    const wanted = look?.(values, this.before);
    if (!wanted) return { found: [] };
    const { context, account, options, gate } = this.shared;
    gate.assertOpen();
    const answered = (answer: Answer) => adjustPace(gate, answer);
    const seen = await lookFor({ context, account, options, answered }, wanted);
    const failure = 'failure' in seen ? seen.failure : seen.note === undefined ? undefined : notWhole(seen.note);
    const what = `The service could not be asked what it has, so ${this.done.length > 0 ? 'no more' : 'nothing'} was sent`;
    if (failure) return couldNotLook(what, failure);
    return { found: 'records' in seen ? seen.records : [] };
  }

  /** What an earlier try of the execution did, where that is why nothing is left to do. */
  private async earlier(place: PlannedRequest): Promise<Answer | undefined> {
    const answer = await doneEarlier(this.shared, place);
    const known = this.shared.earlier.get(place);
    return answer && known ? ((await this.shared.lostAnswers.earlier(place, known)) ?? answer) : undefined;
  }

  /** A declaration that can't read what was found has sent nothing. */
  private decide({ decide }: Step, { values }: PlannedRequest, found: IDataObject[]): Decision {
    try {
      return decide(found, values, this.before);
    } catch {
      return { refuse: 'What the service has could not be read, so nobody could decide what to send' };
    }
  }

  private get before(): IDataObject[] {
    return this.done.map(({ records }) => records[0] ?? {});
  }
}

function stepOf({ operation, part }: PlannedRequest): Step {
  const step = operation.steps?.each[part];
  if (!step) throw new Error('A step has a place of its own');
  return step;
}

const AS_ASKED = 'the service has what this item asks for';

const CHANGED = 'The record was changed by somebody since it was read, so it was not overwritten';
