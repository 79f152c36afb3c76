import { Gate } from '../../../nodes/PaymentPlatform/service/gate';
import type { Patience } from '../../../nodes/PaymentPlatform/service/retry-rules';
import { sendWithRetries } from '../../../nodes/PaymentPlatform/service/send';
import type { Effect } from '../../../nodes/PaymentPlatform/model/types';
import type { Answer, Failure } from '../../../nodes/PaymentPlatform/model/failure';

const failed = (outcome: Failure['outcome'], more: Partial<Failure> = {}): Answer => ({
  ok: false,
  failure: { outcome, message: '', advice: '', ...more },
});
const done: Answer = { ok: true, record: {} };
const usual: Patience = { maxTries: 4, retryTimeMs: 60_000 };

async function sent(effect: Effect, answers: Answer[], patience: Partial<Patience> = {}) {
  let times = 0;
  const sending = sendWithRetries({ effect, patience: { ...usual, ...patience } }, async () => {
    const answer = answers[Math.min(times, answers.length - 1)] ?? done;
    times += 1;
    return await Promise.resolve(answer);
  });
  await jest.advanceTimersByTimeAsync(120_000);
  return { answer: await sending, times };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a response that leaves the outcome unknown', () => {
  const lost = failed('unknown');

  test('repeats a read until it gets a response', async () => {
    expect(await sent('reads', [lost, lost, done])).toEqual({ answer: done, times: 3 });
  });

  test("doesn't repeat a write that is safe to repeat unless the caller allows it", async () => {
    expect(await sent('repeatsSafely', [lost, done])).toEqual({ answer: lost, times: 1 });
    expect(await sent('repeatsSafely', [lost, done], { repeatsWrites: true })).toEqual({ answer: done, times: 2 });
  });

  test('never repeats a write that would happen twice', async () => {
    expect(await sent('writesOnce', [lost, done], { repeatsWrites: true })).toEqual({ answer: lost, times: 1 });
  });
});

test.each(['reads', 'repeatsSafely', 'writesOnce'] as const)(
  'repeats a request that was not applied and %s',
  async (effect) => {
    expect(await sent(effect, [failed('notSent'), done])).toEqual({ answer: done, times: 2 });
  },
);

test('states the number of attempts in a failure', async () => {
  const busy = failed('notSent', { httpStatus: 429 });
  expect((await sent('reads', [busy])).answer).toMatchObject({
    ok: false,
    failure: { httpStatus: 429, tries: usual.maxTries },
  });
  expect((await sent('reads', [busy], { maxTries: 2 })).answer).toMatchObject({ failure: { tries: 2 } });
  const unsent = { ...busy, isUnsent: true } as Answer;
  expect((await sent('reads', [unsent, busy])).answer).toMatchObject({ failure: { tries: usual.maxTries - 1 } });
  expect((await sent('reads', [unsent])).answer).toEqual(unsent);
  expect((await sent('reads', [failed('declined')])).answer).toEqual(failed('declined'));
});

test("stops retrying if the service's pause exceeds the retry time", async () => {
  const busy = failed('notSent', { httpStatus: 429, retryAfterMs: 61_000 });
  expect((await sent('reads', [busy])).times).toBe(1);
});

test("doesn't count the first response's time as retry time", async () => {
  let times = 0;
  const sending = sendWithRetries({ effect: 'reads', patience: { maxTries: 2, retryTimeMs: 1000 } }, async () => {
    times += 1;
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    return failed('unknown');
  });
  await jest.advanceTimersByTimeAsync(60_000);
  await sending;
  expect(times).toBe(2);
});

test('keeps the first response if the gate closes between two attempts', async () => {
  const gate = new Gate({ most: 1, longestWaitMs: 60_000 });
  const sending = sendWithRetries({ effect: 'reads', patience: usual, gate }, async () => {
    gate.close();
    return await Promise.resolve(failed('unknown'));
  });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await sending).toEqual(failed('unknown'));
});
