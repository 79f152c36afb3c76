import { Gate } from '../../../nodes/PaymentPlatform/service/gate';
import type { Patience } from '../../../nodes/PaymentPlatform/service/retry-rules';
import { sendWithRetries } from '../../../nodes/PaymentPlatform/service/send-with-retries';
import type { Effect } from '../../../nodes/PaymentPlatform/model/types';
import type { Answer, Failure } from '../../../nodes/PaymentPlatform/model/failure';

const failed = (outcome: Failure['outcome'], more: Partial<Failure> = {}): Answer => ({
  ok: false,
  failure: { outcome, message: '', advice: '', ...more },
});
const done: Answer = { ok: true, record: {} };
const usual: Patience = { maxTries: 4, retryTimeMs: 60_000 };

/** Sends to a service with these responses. The last one repeats endlessly. */
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

describe('after an answer that leaves the outcome unknown', () => {
  const lost = failed('unknown');

  test('a read is sent again until it is answered', async () => {
    expect(await sent('reads', [lost, lost, done])).toEqual({ answer: done, times: 3 });
  });

  test('a write that repeats safely is not, unless its caller says so', async () => {
    expect(await sent('repeatsSafely', [lost, done])).toEqual({ answer: lost, times: 1 });
    expect(await sent('repeatsSafely', [lost, done], { repeatsWrites: true })).toEqual({ answer: done, times: 2 });
  });

  test('a write that happens once more with each repetition never is', async () => {
    expect(await sent('writesOnce', [lost, done], { repeatsWrites: true })).toEqual({ answer: lost, times: 1 });
  });
});

test.each(['reads', 'repeatsSafely', 'writesOnce'] as const)(
  'what provably was not applied is sent again: a request that %s',
  async (effect) => {
    expect(await sent(effect, [failed('notSent'), done])).toEqual({ answer: done, times: 2 });
  },
);

test('a failure says how often the request was sent, when more than once', async () => {
  const busy = failed('notSent', { httpStatus: 429 });
  expect((await sent('reads', [busy])).answer).toMatchObject({ failure: { httpStatus: 429, tries: usual.maxTries } });
  expect((await sent('reads', [failed('declined')])).answer).toEqual(failed('declined'));
});

test('a pause that the service asks for and that is longer than the retry time ends the tries', async () => {
  const busy = failed('notSent', { httpStatus: 429, retryAfterMs: 61_000 });
  expect((await sent('reads', [busy])).times).toBe(1);
});

test('the time spent on the first answer does not count as retry time', async () => {
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

test('a gate that closes between two tries lets the first answer stand', async () => {
  const gate = new Gate({ most: 1, longestWaitMs: 60_000 });
  const sending = sendWithRetries({ effect: 'reads', patience: usual, gate }, async () => {
    gate.close();
    return await Promise.resolve(failed('unknown'));
  });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await sending).toEqual(failed('unknown'));
});
