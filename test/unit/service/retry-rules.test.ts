import { isRepeatable, retryDelayMs } from '../../../nodes/PaymentPlatform/service/retry-rules';
import type { Effect } from '../../../nodes/PaymentPlatform/model/types';
import type { Failure } from '../../../nodes/PaymentPlatform/model/failure';

const failure = (outcome: Failure['outcome'], more: Partial<Failure> = {}): Failure => ({
  outcome,
  message: '',
  advice: '',
  ...more,
});

describe('requests that may be sent again', () => {
  test.each(['reads', 'writesOnce', 'repeatsSafely'] as const)(
    'requests that may be sent again include a request that was not applied and %s',
    (effect) => {
      expect(isRepeatable(effect, failure('notSent'))).toBe(true);
      expect(isRepeatable(effect, failure('notSent', { httpStatus: 429 }))).toBe(true);
    },
  );

  test.each(['writesOnce', 'repeatsSafely'] as Effect[])(
    'requests that may be sent again exclude a request with an unknown outcome that %s',
    (effect) => {
      for (const httpStatus of [undefined, 408, 429, 500, 503])
        expect(isRepeatable(effect, failure('unknown', { httpStatus }))).toBe(false);
    },
  );

  test.each([
    [undefined, true],
    [200, false],
    [400, false],
    [404, false],
    [407, false],
    [408, true],
    [409, false],
    [428, false],
    [429, true],
    [430, false],
    [499, false],
    [500, true],
    [503, true],
    [599, true],
  ])('decides whether to repeat a read with an unknown outcome and status %s: %s', (httpStatus, wanted) => {
    expect(isRepeatable('reads', failure('unknown', { httpStatus }))).toBe(wanted);
  });

  test.each(['invalid', 'declined'] as const)(
    'requests that may be sent again exclude requests that were %s',
    (outcome) => {
      for (const effect of ['reads', 'writesOnce', 'repeatsSafely'] as const)
        for (const httpStatus of [undefined, 429, 503])
          expect(isRepeatable(effect, failure(outcome, { httpStatus }))).toBe(false);
    },
  );
});

describe('the retry delay', () => {
  const options = {
    maxParallelRequests: 20,
    timeoutMs: 60_000,
    maxTries: 9,
    retryTimeMs: 120_000,
    unknownOutcome: 'lookUp',
    testEnvironmentOnly: false,
  };
  const delay = (
    {
      tries = 1,
      elapsed = 0,
      random = 0.5,
      asked,
    }: { tries?: number; elapsed?: number; random?: number; asked?: number },
    more: Partial<typeof options> = {},
  ) => retryDelayMs(failure('notSent', { retryAfterMs: asked }), tries, elapsed, { ...options, ...more }, () => random);

  test('the retry delay doubles from half a second to half a minute with a random part', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => delay({ tries, random: 1 }));
    expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(delay({ tries: 3, random: 0.25 })).toBe(500);
    expect(delay({ tries: 3, random: 0 })).toBe(0);
  });

  test('the retry delay is random between zero and the back-off by default', () => {
    const delays = Array.from({ length: 200 }, () => retryDelayMs(failure('notSent'), 1, 0, options) ?? NaN);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThan(500);
    expect(new Set(delays).size).toBeGreaterThan(100);
  });

  test('no retry follows the last attempt', () => {
    expect(delay({ tries: 2 }, { maxTries: 3 })).toBe(500);
    expect(delay({ tries: 3 }, { maxTries: 3 })).toBeUndefined();
    expect(delay({ tries: 4 }, { maxTries: 3 })).toBeUndefined();
    expect(delay({ tries: 1, asked: 10 }, { maxTries: 1 })).toBeUndefined();
  });

  test("a retry isn't sent before the time that the service requested", () => {
    expect(delay({ asked: 7000, random: 0 })).toBe(7000);
    expect(delay({ asked: 7000, random: 1 })).toBe(7500);
  });

  test('the retry delay includes a full pause of the service but never exceeds the maximum', () => {
    expect(delay({ asked: 119_900, random: 1 })).toBe(120_000);
    expect(delay({ asked: 120_000, random: 1 })).toBe(120_000);
    expect(delay({ asked: 60_000, elapsed: 60_000, random: 1 })).toBe(60_000);
  });

  test("no retry follows if the service's pause exceeds the maximum", () => {
    expect(delay({ asked: 120_001, random: 0 })).toBeUndefined();
    expect(delay({ asked: 60_000, elapsed: 60_001, random: 0 })).toBeUndefined();
    expect(delay({ asked: 3_600_000 }, { retryTimeMs: 3_600_000 })).toBe(3_600_000);
  });

  test('no retry follows if the back-off exceeds the maximum', () => {
    expect(delay({ elapsed: 119_749, random: 0.5 })).toBe(250);
    expect(delay({ elapsed: 119_750, random: 0.5 })).toBeUndefined();
    expect(delay({ elapsed: 130_000, random: 0 })).toBeUndefined();
  });

  test('no retry follows if no retry time is allowed', () => {
    expect(delay({ random: 0 }, { retryTimeMs: 0 })).toBeUndefined();
    expect(delay({ asked: 0, random: 0 }, { retryTimeMs: 0 })).toBeUndefined();
    expect(delay({ asked: 1, random: 0 }, { retryTimeMs: 0 })).toBeUndefined();
  });
});
