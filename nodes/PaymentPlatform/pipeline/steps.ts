import type { IDataObject } from 'n8n-workflow';

import { decidedRequest, refusal } from './decided';
import { rememberedFailure } from './earlier-tries';
import { explained } from './explained';
import { NotStarted } from './gate';
import { couldNotLook, lookFor, notWhole } from './look';
import { adapt } from './pace';
import { inPart, notGoneOn } from './in-part';
import { doneEarlier } from './noted';
import { partsOf, recallParts } from './parts';
import { accepted, endsRun, failed, notStarted, recalled, reviewed, seenBefore, sendOnce, stillOpen } from './process';
import type { Done, RequestResult } from './results';
import { isOpen, type Remembered } from './remembered';
import type { SharedRun } from './shared-run';
import { sendUntilItStands } from './tries';
import type { Answer, Decision, Failure, PlannedRequest, Step } from './types';

const refused = (failure: Failure): Answer => ({ ok: false, failure });

/**
 * Takes the steps of an item one after the other, under one object key: each looks, decides, and sends what it decided
 * for. What the memory knows to be done is recalled before anything is looked at, for a look would see the item's own
 * write and decide otherwise. Never throws for what happens on the wire.
 */
export async function processSteps(shared: SharedRun, request: PlannedRequest): Promise<RequestResult> {
  const { items, effect, objectKey } = request;
  const { memory, options: patience, gate, lookUps, claims } = shared;
  const parts = partsOf(request);
  const known = recallParts(memory, request);
  const done = known.done.map((one, part): Done => recalled(shared, parts[part] ?? request, one));
  const told = (failure: Failure) => inPart(failure, done, request);
  const { next } = known;
  const run = new StepsOfItem(shared, parts, done);
  const seen =
    next && ((await seenBefore(shared, next, known.stop)) ?? (known.stop && (await run.lookAgain(next, known.stop))));
  const stop = next && seen && !seen.ok ? memory.reopen?.(next) : known.stop;
  if (next && seen?.ok) done.push(accepted(shared, next, seen));
  else if (next && stop && stop.outcome !== 'done') {
    claims.leaveOpen(next);
    const failure = told(lookUps.told(next, rememberedFailure(stop, next)));
    return { items, kind: 'failed', failure, remembered: true };
  }
  try {
    if (done.length < parts.length) {
      const ends = (last: Answer | undefined) => {
        lookUps.stands(run.current);
        return endsRun(shared, request, last);
      };
      const answer = await sendUntilItStands({ effect, patience, gate, objectKey, ends }, async () => await run.go());
      if (!answer.ok) return failed(shared, run.current, told(stillOpen(shared, run.current, answer.failure)));
    }
    return reviewed(request, wholeOf(done));
  } catch (error) {
    if (error instanceof NotStarted) {
      const result = notStarted(memory, run.current, error.reason);
      if (done.length === 0) return result;
      const failure = result.kind === 'failed' ? result.failure : notGoneOn(error.reason);
      return { items, kind: 'failed', failure: told(explained(failure, run.current)) };
    }
    claims.leaveOpen(run.current);
    // A mistake of our own after sending must not look like "not applied".
    const failure: Failure = { outcome: 'unknown', message: 'The answer could not be processed', advice: '' };
    return { items, kind: 'failed', failure: told(explained(failure, run.current)) };
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
    const { lookUps, gate } = this.shared;
    const step = stepOf(place);
    if (!isOpen(known) || !step.look || place.operation.trace) return undefined;
    const look = async (): Promise<Answer | undefined> => {
      const seen = await this.look(step, place);
      const decision = 'outcome' in seen ? { refuse: '' } : this.decide(step, place, seen.found);
      if ('done' in decision)
        return lookUps.sighted(place, { record: decision.done, agreement: AS_ASKED, kind: 'earlier' });
      lookUps.notAsAsked(place, 'outcome' in seen ? seen : undefined);
      return undefined;
    };
    return await gate.run(place.objectKey, look).catch(() => undefined);
  }

  /** What the step came to, in this try or, as its note or a person's word says, in an earlier one; nothing where it failed. */
  private doneBy(answer: Answer): Done | undefined {
    const { shared, current } = this;
    if (answer.ok) return accepted(shared, current, answer);
    const known = shared.earlier.get(current);
    return known?.outcome === 'done' ? recalled(shared, current, known) : undefined;
  }

  private get place(): PlannedRequest {
    const place = this.parts[this.done.length] ?? this.parts.at(-1);
    if (!place) throw new Error('An operation in steps has at least one');
    return place;
  }

  private async take(place: PlannedRequest): Promise<Answer> {
    const { account, memory, gate, keys, lookUps } = this.shared;
    const step = stepOf(place);
    const first = this.base ?? (await this.look(step, place));
    if ('outcome' in first) return refused(first);
    const decision = this.decide(step, place, first.found);
    if ('refuse' in decision) return (await this.earlier(place)) ?? refused(refusal(decision.refuse));
    if ('done' in decision) {
      const failure = await keys.doneUnsent(place);
      return failure ? refused(failure) : { ok: true, record: decision.done };
    }
    const request = decidedRequest(place, decision.request, account, memory);
    if ('outcome' in request) return refused(request);
    if (step.unchanged) {
      this.base = first;
      const now = await this.look(step, place);
      if ('outcome' in now) return refused(now);
      if (JSON.stringify(now.found) !== JSON.stringify(first.found)) return refused(refusal(CHANGED));
    }
    this.current = request;
    await lookUps.begins(request, first.found);
    const answer = await sendOnce(this.shared, request, request.values.query);
    adapt(gate, answer);
    const known = this.shared.earlier.get(request);
    return known ? ((await lookUps.earlier(request, known)) ?? answer) : await lookUps.settle(request, answer);
  }

  private async look({ look }: Step, { values }: PlannedRequest): Promise<{ found: IDataObject[] } | Failure> {
    const wanted = look?.(values, this.before);
    if (!wanted) return { found: [] };
    const { context, account, options, gate } = this.shared;
    gate.assertOpen();
    const answered = (answer: Answer) => adapt(gate, answer);
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
    return answer && known ? ((await this.shared.lookUps.earlier(place, known)) ?? answer) : undefined;
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
