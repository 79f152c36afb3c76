import type { Verdicts } from '../../../nodes/PaymentPlatform/service/gate';
import { controlled, named, newGate, settle } from '../controlled';

test('starts with five requests in flight and never exceeds the limit', async () => {
  for (const [most, wanted] of [
    [1, 1],
    [4, 4],
    [5, 5],
    [20, 5],
  ] as const) {
    const requests = controlled(newGate({ most }), named(10));
    await settle();
    expect(requests.inFlight()).toEqual(named(wanted));
  }
});

test('allows one more request in flight after each success', async () => {
  const gate = newGate({ most: 7 });
  const requests = controlled(gate, named(30));
  for (const [index, wanted] of [6, 7, 7, 7].entries()) {
    gate.speedUp();
    await requests.complete(`${index}`);
    expect(requests.inFlight()).toHaveLength(wanted);
  }
});

test("a response without success doesn't raise the number of parallel requests", async () => {
  const gate = newGate();
  const requests = controlled(gate, named(30));
  for (let index = 0; index < 10; index++) {
    gate.answered();
    await requests.complete(`${index}`);
    expect(requests.inFlight()).toHaveLength(5);
  }
  expect(requests.started).toEqual(named(15));
});

test('starts a request immediately if a slot is free', () => {
  const requests = controlled(newGate(), ['a']);
  expect(requests.started).toEqual(['a']);
});

test('never overlaps requests with the same key, and requests with other keys continue', async () => {
  const requests = controlled(newGate());
  for (const name of ['a1', 'a2', 'a3']) requests.add(name, { key: 'a' });
  requests.add('b1', { key: 'b' });
  requests.add('free');
  expect(requests.inFlight()).toEqual(['a1', 'b1', 'free']);
  await requests.complete('a1', 'one');
  expect(requests.ended).toEqual({ a1: 'one' });
  expect(requests.inFlight()).toEqual(['b1', 'free', 'a2']);
  await requests.complete('a2');
  expect(requests.inFlight()).toEqual(['b1', 'free', 'a3']);
  await requests.complete('a3');
  requests.add('a4', { key: 'a' });
  expect(requests.inFlight()).toEqual(['b1', 'free', 'a4']);
});

test('starts the request that arrived first, regardless of its key', async () => {
  const requests = controlled(newGate({ most: 1 }));
  requests.add('0', { key: 'a' });
  requests.add('1', { key: 'b' });
  requests.add('2', { key: 'a' });
  requests.add('3', { key: 'a' });
  requests.add('4');
  for (const name of named(5)) {
    expect(requests.inFlight()).toEqual([name]);
    await requests.complete(name);
  }
});

test('frees the slot and key of a request whose sending throws', async () => {
  const requests = controlled(newGate({ most: 1 }));
  requests.add('a', { key: 'k' });
  requests.add('b', { key: 'k' });
  await requests.fail('a');
  expect(requests.ended.a).toEqual(new Error('no'));
  expect(requests.inFlight()).toEqual(['b']);
  await requests.complete('b');
  expect(requests.ended.b).toBe('ok');
});

describe('a request that is sent again', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const again: Verdicts<string>['again'] = (result) => (result === 'busy' ? 3000 : undefined);

  test('a repeated request waits the given time, frees its slot and keeps its key', async () => {
    const requests = controlled(newGate({ most: 1 }));
    requests.add('a', { key: 'k', again });
    requests.add('behind', { key: 'k' });
    requests.add('other');
    await requests.complete('a', 'busy');
    expect(requests.inFlight()).toEqual(['other']);
    requests.answer('other');
    await jest.advanceTimersByTimeAsync(2999);
    expect(requests.inFlight()).toEqual([]);
    expect(requests.ended).toEqual({ other: 'ok' });
    await jest.advanceTimersByTimeAsync(1);
    expect(requests.inFlight()).toEqual(['a']);
    await requests.complete('a', 'done');
    expect(requests.ended).toEqual({ other: 'ok', a: 'done' });
    expect(requests.inFlight()).toEqual(['behind']);
  });

  test('a repeated request starts before requests that arrived later', async () => {
    const requests = controlled(newGate({ most: 1 }));
    for (const name of named(4)) requests.add(name, { again });
    await requests.complete('0', 'busy');
    await jest.advanceTimersByTimeAsync(3000);
    await requests.complete('1');
    expect(requests.started).toEqual(['0', '1', '0']);
  });

  test('a request is repeated as often as required, and its last result is final', async () => {
    const requests = controlled(newGate());
    const waits = [0, 50, undefined];
    requests.add('a', { again: () => waits.shift() });
    await requests.complete('a', 'first');
    requests.answer('a', 'second');
    await jest.advanceTimersByTimeAsync(50);
    await requests.complete('a', 'third');
    expect(requests.ended.a).toBe('third');
    expect(requests.started).toEqual(['a', 'a', 'a']);
  });

  test('a repeated request frees its slot and key and throws if sending throws', async () => {
    const requests = controlled(newGate({ most: 1 }));
    requests.add('a', { key: 'k', again });
    requests.add('b', { key: 'k' });
    requests.answer('a', 'busy');
    await jest.advanceTimersByTimeAsync(3000);
    await requests.fail('a');
    expect(requests.ended.a).toEqual(new Error('no'));
    expect(requests.inFlight()).toEqual(['b']);
  });
});
