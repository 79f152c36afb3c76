import { rememberedFailure } from '../messages/earlier-tries';
import type { DatabaseKeys } from '../once/database-keys';
import type { LostAnswers } from './lost-answers';
import type { Remembered, WriteMemory } from '../model/write-memory';
import type { PlannedRequest } from '../model/types';
import type { Answer, Failure } from '../model/failure';

interface Noting {
  keys: DatabaseKeys;
  memory: WriteMemory;
  /** Gets what stands in the way. */
  earlier: Map<PlannedRequest, Remembered>;
  lostAnswers: Pick<LostAnswers, 'earlier'>;
}

/**
 * Notes a write in the journal before it is sent, and its key (option Once per Key). A write that a person has sent again is
 * looked up once before.
 * @returns what an earlier try of the execution, or another execution, left that stands in its way, after a person's word
 * about it.
 */
export async function noteBeforeSending(noting: Noting, request: PlannedRequest): Promise<Answer | undefined> {
  const { earlier, keys } = noting;
  if (!request.shares) return await notedOne(noting, request);
  const answers = await Promise.all(request.shares.map(async (share) => await notedOne(noting, share)));
  const inTheWay = answers.find((answer) => answer !== undefined);
  if (!inTheWay) return undefined;
  // The request does not leave as it is. Its other shares go without those that are known.
  for (const [index, share] of request.shares.entries()) {
    const known = earlier.get(share);
    if (known) earlier.set(request, known);
    if (!answers[index]) keys.settle(share, 'refused');
  }
  return inTheWay;
}

async function notedOne(
  { keys, memory, earlier, lostAnswers }: Noting,
  request: PlannedRequest,
): Promise<Answer | undefined> {
  let asked: string | undefined;
  for (;;)
    try {
      const attempt = memory.attempt(request);
      if (attempt === asked) return { ok: false, failure: UNTOLD };
      asked = attempt;
      const own = await keys.begin(request, attempt);
      const witness = own ?? (await keys.beginKey(request, attempt, memory.openTries(request) > 0));
      if (!witness) return undefined;
      // Another execution stands in its way: nothing was begun in this one.
      if (!own) keys.settle(request, 'refused');
      if (typeof witness === 'object') return { ok: false, failure: witness };
      let known = memory.witnessed(request, witness);
      const seen = known ? undefined : await lostAnswers.earlier(request, known, memory.sentAt(request));
      if (seen?.ok) return seen;
      if (seen) known = memory.reopen?.(request);
      if (known) {
        earlier.set(request, known);
        return standing(request, known);
      }
      // Where a person had it sent anew, that is a try of its own, of which the journal may know as well.
    } catch {
      return { ok: false, failure: NOT_NOTED };
    }
}

/**
 * What an earlier try of the execution did of a write that there is nothing left to send for: the record is as it is because
 * of that one.
 */
export async function doneEarlier(
  { keys, memory, earlier }: Omit<Noting, 'lostAnswers'>,
  request: PlannedRequest,
): Promise<Answer | undefined> {
  const witness = await keys.earlier(request, memory.attempt(request)).catch(() => undefined);
  const known = witness && memory.witnessed(request, witness);
  if (!known) return undefined;
  earlier.set(request, known);
  return standing(request, known);
}

const standing = (request: PlannedRequest, known: Remembered): Answer => ({
  ok: false,
  failure: known.outcome === 'done' ? DONE : rememberedFailure(known, request),
});

/** Nobody reads it: what is done is answered. */
const DONE: Failure = { outcome: 'doneBefore', message: 'An earlier try of this execution did this item', advice: '' };

/** The memory can't say what the journal means, nor did a person: asking once more would never end. */
const UNTOLD: Failure = {
  outcome: 'unknown',
  message: 'An earlier try of this execution began this item, and nothing tells what became of it',
  advice: 'Look it up at the service before anything is sent again.',
};

/**
 * Sent without a note it would look to a later try as if it was never begun. Where n8n's database does not answer, n8n can't
 * keep the result of the execution either.
 */
const NOT_NOTED: Failure = {
  outcome: 'notSent',
  message: "n8n's database did not take the note of what is about to be sent, so it was not sent",
  advice: 'Run this item again when the database of n8n works.',
};
