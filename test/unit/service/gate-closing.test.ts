import { NotStarted } from '../../../nodes/PaymentPlatform/service/gate';
import { controlled, named, newGate, settle } from '../controlled';

const isNo = (result?: string) => result === 'no';
const notStarted = (reason?: string) => expect.objectContaining({ constructor: NotStarted, reason }) as unknown;

describe('a result that ends the run', () => {
  test.each([1, 5, 20])('starts no request after the end of a run with %d requests in flight', async (most) => {
    const gate = newGate({ most });
    for (let success = 0; success < most; success++) gate.speedUp();
    const requests = controlled(gate);
    for (const name of named(40)) requests.add(name, { ends: isNo });
    expect(requests.inFlight()).toEqual(named(most));
    await requests.complete('0', 'no');
    expect(requests.started).toEqual(named(most));
    for (const name of requests.inFlight()) await requests.complete(name);
    expect(requests.started).toEqual(named(most));
    expect(requests.ended['0']).toBe('no');
    for (const name of named(most).slice(1)) expect(requests.ended[name]).toBe('ok');
    for (const name of named(40).slice(most)) expect(requests.ended[name]).toEqual(notStarted());
  });

  test('starts no request that waits for the same key', async () => {
    const requests = controlled(newGate());
    requests.add('a', { key: 'k', ends: isNo });
    requests.add('b', { key: 'k', ends: isNo });
    await requests.complete('a', 'no');
    expect(requests.started).toEqual(['a']);
    expect(requests.ended).toEqual({ a: 'no', b: notStarted() });
  });

  test('starts no retry, and the last result is final', async () => {
    jest.useFakeTimers();
    const requests = controlled(newGate());
    requests.add('a', { again: (result) => (result === 'busy' ? 60_000 : undefined) });
    requests.add('b', { ends: isNo });
    await requests.complete('a', 'busy');
    await requests.complete('b', 'no');
    expect(requests.ended).toEqual({ a: 'busy', b: 'no' });
    await jest.advanceTimersByTimeAsync(120_000);
    expect(requests.started).toEqual(['a', 'b']);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  test('only a final result can end the run', async () => {
    const requests = controlled(newGate());
    const ends = jest.fn(() => false);
    const waits = [0, undefined];
    requests.add('a', { again: () => waits.shift(), ends });
    await requests.complete('a', 'first');
    expect(ends).not.toHaveBeenCalled();
    await requests.complete('a', 'second');
    expect(ends.mock.calls).toEqual([['second']]);
    requests.add('b');
    expect(requests.inFlight()).toEqual(['b']);
  });

  test('an error while sending can end the run without a result', async () => {
    const requests = controlled(newGate({ most: 1 }));
    requests.add('a', { ends: (result) => result === undefined });
    requests.add('b');
    await requests.fail('a');
    expect(requests.ended).toEqual({ a: new Error('no'), b: notStarted() });
  });
});

describe('a closed gate', () => {
  test('a closed gate rejects waiting requests and completes running requests', async () => {
    const gate = newGate({ most: 1 });
    const requests = controlled(gate);
    requests.add('a', { key: 'k' });
    requests.add('b', { key: 'k' });
    requests.add('c');
    gate.close();
    await settle();
    expect(requests.ended).toEqual({ b: notStarted(), c: notStarted() });
    await requests.complete('a');
    expect(requests.ended.a).toBe('ok');
    expect(requests.started).toEqual(['a']);
  });

  test('a closed gate keeps the first reason', async () => {
    const gate = newGate({ most: 1 });
    const requests = controlled(gate, ['a', 'b']);
    gate.close('Because.');
    gate.close('Because of something else.');
    gate.close();
    requests.add('c', { key: 'k' });
    await settle();
    expect(requests.ended).toEqual({ b: notStarted('Because.'), c: notStarted('Because.') });
    expect((requests.ended.b as Error).message).toBe('Because.');
    expect(new NotStarted().message).toBe('The node did not send the request');
  });

  test('a closed gate rejects every later request', async () => {
    const gate = newGate();
    gate.close();
    const requests = controlled(gate);
    for (const name of named(3)) requests.add(name, { key: 'k' });
    requests.add('free');
    await settle();
    expect(Object.values(requests.ended)).toEqual([notStarted(), notStarted(), notStarted(), notStarted()]);
    expect(requests.started).toEqual([]);
  });

  test('throws for a request that is due but not yet sent', async () => {
    let canceled = false;
    const gate = newGate({ canceled: () => canceled });
    expect(() => gate.assertOpen()).not.toThrow();
    gate.close('Because.');
    expect(() => gate.assertOpen()).toThrow(new NotStarted('Because.'));
    const other = newGate({ canceled: () => canceled });
    canceled = true;
    expect(() => other.assertOpen()).toThrow(NotStarted);
    await expect(other.run(undefined, async () => await Promise.resolve('sent'))).rejects.toBeInstanceOf(NotStarted);
  });

  test('keeps the last result of a request that waits for a retry', async () => {
    const gate = newGate({ most: 1 });
    const requests = controlled(gate);
    requests.add('a', { again: () => 0 });
    requests.add('b');
    requests.add('c', { again: () => 0 });
    await requests.complete('a', 'busy');
    expect(requests.inFlight()).toEqual(['b']);
    gate.close();
    await settle();
    expect(requests.ended).toEqual({ a: 'busy', c: notStarted() });
  });

  test('keeps the last result of a request that is due but not yet sent', async () => {
    const gate = newGate();
    let tries = 0;
    const result = gate.run(
      undefined,
      async () => {
        tries += 1;
        if (tries === 2) gate.close();
        gate.assertOpen();
        return await Promise.resolve(`try ${tries}`);
      },
      { again: () => 0 },
    );
    await expect(result).resolves.toBe('try 1');
  });
});

describe('a canceled execution', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('starts nothing when a slot becomes free', async () => {
    let canceled = false;
    const requests = controlled(newGate({ most: 1, canceled: () => canceled }), ['a', 'b']);
    canceled = true;
    await requests.complete('a');
    expect(requests.ended).toEqual({ a: 'ok', b: notStarted() });
  });

  test('a cancellation ends a pause within a second', async () => {
    let canceled = false;
    const gate = newGate({ canceled: () => canceled });
    const requests = controlled(gate);
    gate.slowDown(60_000);
    requests.add('a');
    await jest.advanceTimersByTimeAsync(10_000);
    canceled = true;
    await jest.advanceTimersByTimeAsync(1000);
    expect(requests.ended).toEqual({ a: notStarted() });
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a cancellation ends the wait before a retry within a second', async () => {
    let canceled = false;
    const requests = controlled(newGate({ canceled: () => canceled }));
    requests.add('a', { again: () => 60_000 });
    requests.answer('a', 'busy');
    await jest.advanceTimersByTimeAsync(10_000);
    canceled = true;
    await jest.advanceTimersByTimeAsync(1000);
    expect(requests.ended).toEqual({ a: 'busy' });
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a cancellation seen by the gate immediately ends pauses and waits', async () => {
    const gate = newGate();
    const requests = controlled(gate);
    requests.add('a', { again: () => 60_000 });
    requests.answer('a', 'busy');
    gate.slowDown(60_000);
    requests.add('b');
    await settle();
    gate.close();
    await settle();
    expect(requests.ended).toEqual({ a: 'busy', b: notStarted() });
    await jest.advanceTimersByTimeAsync(1000);
    expect(jest.getTimerCount()).toBe(0);
  });
});
