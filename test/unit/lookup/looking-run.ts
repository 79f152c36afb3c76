import { ListCache } from '../../../nodes/PaymentPlatform/lookup/list-cache';
import { LostAnswers } from '../../../nodes/PaymentPlatform/lookup/lost-answers';
import { RecordMatcher } from '../../../nodes/PaymentPlatform/lookup/match-records';
import type { Answer, Failure } from '../../../nodes/PaymentPlatform/model/failure';
import type { Account, Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { Gate } from '../../../nodes/PaymentPlatform/service/gate';
import { ended } from '../ended';
import { BASE_URL, fakeService, type Asked, type Reply } from '../fake-service';

/** Noon in New York. */
export const NOON = Date.parse('2026-06-15T16:00:00Z');
/** Merchant of the credential. */
export const MERCHANT = '100';

export const lost: Failure = { outcome: 'unknown', message: 'The answer got lost', advice: 'Look first.' };
export const lostAnswer: Answer = { ok: false, failure: lost };

let items = 0;

/** Returns a planned write of another item than the earlier writes. */
export const write = (operation: unknown, values: object, options: object = {}) =>
  ({
    operation: operation as Operation,
    items: [(items += 1)],
    part: 0,
    effect: 'writesOnce',
    options,
    values: { path: {}, query: {}, body: {}, node: {}, ...values },
  }) as unknown as PlannedRequest;

interface Setting {
  reply?: (asked: Asked, number: number) => Reply;
  goOn?: boolean;
  context?: object;
  most?: number;
  hasEqualElsewhere?: boolean | (() => boolean);
}

/** Creates the look-ups of a run, whose time is `NOON`. */
export function runOf(
  writes: PlannedRequest[],
  { reply = () => ({}), goOn = true, context: more, most = 5, hasEqualElsewhere = false }: Setting = {},
) {
  const moments: number[] = [];
  const { context, asked } = fakeService((one, number) => {
    moments.push(Date.now() - NOON);
    return reply(one, number);
  }, more);
  const gate = new Gate({ most, longestWaitMs: 1000 });
  const claims = new RecordMatcher(context, writes);
  const account = { baseUrl: BASE_URL, merchantId: MERCHANT } as Account;
  const lists = new ListCache(
    { context, account, options: { timeoutMs: 1 } },
    async (milliseconds) => await gate.rest(milliseconds),
  );
  const isElsewhere = typeof hasEqualElsewhere === 'function' ? hasEqualElsewhere : () => hasEqualElsewhere;
  const keys = { hasEqualElsewhere: async () => await Promise.resolve(isElsewhere()) };
  const lookUps = new LostAnswers({ context, account, lists, gate, recordMatcher: claims, keys, writes }, goOn);
  const loses = async (request: PlannedRequest) => {
    await lookUps.begins(request);
    lookUps.leaves(request);
    return await lookUps.settle(request, lostAnswer);
  };
  return {
    asked,
    moments,
    gate,
    claims,
    lookUps,
    loses: async (one: PlannedRequest) => await ended(gate.run(undefined, async () => await loses(one))),
  };
}

/** Replies with the same records to every request. */
export const showing =
  (...data: object[]) =>
  () => ({ data });

export const adviceOf = (answer?: Answer) => (answer && !answer.ok ? answer.failure.advice : undefined);
