import { NotStarted } from '../../../nodes/PaymentPlatform/service/gate';
import { controlled, named, newGate, settle } from '../controlled';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const reasonOf = (error: unknown) => (error instanceof NotStarted ? error.reason : `not refused: ${String(error)}`);

/** Checks which requests the gate started before and after the last millisecond of a wait. */
async function expectStarts({ started }: ReturnType<typeof controlled>, ms: number, before: string[], after: string[]) {
  await jest.advanceTimersByTimeAsync(ms - 1);
  expect(started).toEqual(before);
  await jest.advanceTimersByTimeAsync(1);
  expect(started).toEqual(after);
}

async function limitOf(gate: ReturnType<typeof newGate>): Promise<number> {
  const requests = controlled(gate, named(60));
  await settle();
  const limit = requests.inFlight().length;
  while (requests.inFlight().length > 0) for (const name of requests.inFlight()) await requests.complete(name);

  return limit;
}

describe('a pause requested by the service', () => {
  test.each([1, 250, 7000, 60_001, 119_999, 120_000])(
    'a pause that the service asks for lasts %d ms in full before requests continue',
    async (ms) => {
      const gate = newGate();
      gate.slowDown(ms);
      const requests = controlled(gate, ['a']);
      await expectStarts(requests, ms, [], ['a']);
      expect(jest.getTimerCount()).toBe(0);
    },
  );

  test('a pause that the service asks for without a time lasts a second, or less if the run may not wait as long', async () => {
    for (const [longestWaitMs, pauseMs] of [
      [120_000, 1000],
      [400, 400],
    ] as const) {
      const gate = newGate({ longestWaitMs });
      gate.slowDown();
      const requests = controlled(gate, ['a']);
      await expectStarts(requests, pauseMs, [], ['a']);
    }
  });

  test('a requested pause of zero is ignored', () => {
    const gate = newGate();
    gate.slowDown(0);
    const requests = controlled(gate, ['a']);
    expect(requests.started).toEqual(['a']);
  });

  test('a pause that the service asks for holds waiting requests and outlasts requests in flight', async () => {
    const gate = newGate({ most: 2 });
    const requests = controlled(gate, named(6));
    gate.slowDown(5000);
    for (const name of ['0', '1']) requests.answer(name);
    await expectStarts(requests, 5000, ['0', '1'], ['0', '1', '2']);
  });

  test('a pause that the service asks for is extended by a later one but never shortened', async () => {
    const gate = newGate();
    gate.slowDown(3000);
    const requests = controlled(gate, ['a']);
    await jest.advanceTimersByTimeAsync(1000);
    gate.slowDown(5000);
    gate.slowDown(10);
    await expectStarts(requests, 5000, [], ['a']);
    requests.answer('a');
    gate.slowDown(2000);
    requests.add('b');
    await expectStarts(requests, 2000, ['a'], ['a', 'b']);
  });

  test("a run with nothing to send doesn't wait for a requested pause", () => {
    const gate = newGate();
    gate.slowDown(60_000);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a pause that the service asks for uses one timer for all waiting requests', async () => {
    const gate = newGate();
    gate.slowDown(60_000);
    const requests = controlled(gate, named(50));
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(500);
    for (const name of named(50)) requests.add(`${name} more`);
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(59_500);
    expect(requests.started).toEqual(['0', '1']);
  });

  test('a requested pause and the wait for a retry end even if the clock stands still', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(5);
    const gate = newGate();
    gate.slowDown(2500);
    const requests = controlled(gate);
    requests.add('a', { again: (result) => (result === 'busy' ? 1500 : undefined) });
    await expectStarts(requests, 2500, [], ['a']);
    requests.answer('a', 'busy');
    await expectStarts(requests, 1500, ['a'], ['a', 'a']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a pause that the service asks for ends by the clock if timers are late, as after sleep mode', async () => {
    const gate = newGate();
    gate.slowDown(100_000);
    const requests = controlled(gate, ['a']);
    jest.setSystemTime(Date.now() + 99_000);
    await jest.advanceTimersByTimeAsync(1000);
    expect(requests.started).toEqual(['a']);
  });
});

describe('a service that rejects requests', () => {
  test('rejections halve the number of parallel requests down to one', async () => {
    for (const [most, wanted] of [
      [20, 10],
      [15, 7],
      [1, 1],
    ] as const) {
      const gate = newGate({ most });
      for (let success = 0; success < 30; success++) gate.speedUp();
      gate.slowDown(10);
      await jest.advanceTimersByTimeAsync(10);
      expect(await limitOf(gate)).toBe(wanted);
    }
  });

  test('simultaneous rejections halve the number of parallel requests once', async () => {
    const gate = newGate({ most: 16 });
    for (let success = 0; success < 30; success++) gate.speedUp();
    for (let request = 0; request < 4; request++) gate.slowDown(1000);
    await jest.advanceTimersByTimeAsync(999);
    gate.slowDown(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await limitOf(gate)).toBe(8);
    gate.slowDown(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await limitOf(gate)).toBe(4);
  });

  test('the number of parallel requests grows by one after each full round of successes', async () => {
    const gate = newGate({ most: 16 });
    for (let success = 0; success < 30; success++) gate.speedUp();
    gate.slowDown(1);
    await jest.advanceTimersByTimeAsync(1);
    const limits: number[] = [];
    for (let success = 1; success <= 17; success++) {
      gate.speedUp();
      limits.push(await limitOf(gate));
    }
    expect(limits).toEqual([...Array<number>(7).fill(8), ...Array<number>(8).fill(9), 10, 10]);
  });
});

describe('the maximum time that a run waits', () => {
  test.each([
    [
      120_001,
      120_000,
      'The service asked the node to wait for 121 seconds, but the option "Longest Retry Time" allows only 120',
    ],
    [
      3_600_000,
      120_000,
      'The service asked the node to wait for 3600 seconds, but the option "Longest Retry Time" allows only 120',
    ],
    [1000, 0, 'The service asked the node to wait for 1 seconds, but the option "Longest Retry Time" allows only 0'],
    [1500, 1499, 'The service asked the node to wait for 2 seconds, but the option "Longest Retry Time" allows only 1'],
  ])(
    'stops requests and gives the reason if the service asks for %d ms and %d ms are allowed',
    async (asked, longestWaitMs, reason) => {
      const gate = newGate({ most: 1, longestWaitMs });
      const requests = controlled(gate, ['a', 'b']);
      gate.slowDown(asked);
      await requests.complete('a', 'turned away');
      expect(requests.ended.a).toBe('turned away');
      expect(reasonOf(requests.ended.b)).toBe(reason);
      expect(jest.getTimerCount()).toBe(0);
    },
  );

  async function refuseAll(gate: ReturnType<typeof newGate>, asked: number | undefined, most = 1000) {
    const start = Date.now();
    for (let count = 0; count < most; count++) {
      gate.slowDown(asked);
      const requests = controlled(gate, ['next']);
      await settle();
      while (requests.started.length === 0 && requests.ended.next === undefined && jest.getTimerCount() > 0)
        await jest.advanceTimersToNextTimerAsync();
      if (requests.ended.next) return { ms: Date.now() - start, reason: reasonOf(requests.ended.next) };
      await requests.complete('next');
    }
    return undefined;
  }
  const again =
    'The service keeps rejecting requests because it is busy, and the option "Longest Retry Time" allows only 10 seconds of waiting';

  test('stops requests before a repeated pause would exceed the allowed time', async () => {
    expect(await refuseAll(newGate({ longestWaitMs: 10_000 }), 3000)).toEqual({ ms: 9000, reason: again });
    expect(await refuseAll(newGate({ longestWaitMs: 10_000 }), 5000)).toEqual({ ms: 10_000, reason: again });
    expect(await refuseAll(newGate({ longestWaitMs: 10_000 }), undefined)).toEqual({ ms: 10_000, reason: again });
  });

  test('the waiting time resets after a success or another response from a working service', async () => {
    for (const event of ['speedUp', 'answered'] as const) {
      const gate = newGate({ longestWaitMs: 10_000 });
      expect(await refuseAll(gate, 3000, 3)).toBeUndefined();
      gate[event]();
      expect(await refuseAll(gate, 3000)).toEqual({ ms: 9000, reason: again });
    }
  });

  test('the waiting time counts simultaneous responses once', async () => {
    const gate = newGate({ longestWaitMs: 10_000 });
    gate.slowDown(10_000);
    await jest.advanceTimersByTimeAsync(50);
    gate.slowDown(10_000);
    const requests = controlled(gate, ['a']);
    await expectStarts(requests, 10_000, [], ['a']);
  });

  test('if no wait is allowed, one rejection without a time is accepted, but not a second rejection', async () => {
    const gate = newGate({ longestWaitMs: 0 });
    gate.slowDown();
    const requests = controlled(gate, ['a']);
    expect(requests.started).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(1);
    gate.slowDown();
    requests.add('b');
    await settle();
    expect(requests.ended.b).toBeInstanceOf(NotStarted);
  });
});
