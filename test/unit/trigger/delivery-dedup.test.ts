import { DeliveryDedup, type CallResponse } from '../../../nodes/PaymentPlatform/trigger/delivery-dedup';

const SECOND = 1000;
const HOUR = 60 * 60 * SECOND;

/** n8n's response to a call. The test controls when n8n responds. */
class Call implements CallResponse {
  statusCode = 200;
  closed = false;
  destroyed = false;
  writableEnded = false;
  private listener = () => undefined as unknown;

  once(event: 'close', listener: () => void) {
    if (event === 'close') this.listener = listener;
  }
  setHeader = () => undefined;
  status = () => ({ json: () => undefined });

  /** Sends n8n's response and ends the connection. */
  async answer(statusCode = 200): Promise<void> {
    Object.assign(this, { statusCode, writableEnded: true });
    await this.hangUp();
  }

  /** Ends the connection from the caller's side, before or after n8n's response. */
  async hangUp(): Promise<void> {
    this.closed = true;
    this.listener();
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

let nodes = 0;
let deliveries: DeliveryDedup;

beforeEach(() => {
  jest.useFakeTimers();
  deliveries = DeliveryDedup.of(`node ${++nodes}`);
});
afterEach(() => void jest.useRealTimers());

/** Starts one call. Returns the result of `claim` once it is available. */
function arrive(identity = 'a', call = new Call()) {
  const result: { call: Call; wanted?: boolean } = { call };
  void deliveries.claim(identity, call).then((wanted) => (result.wanted = wanted));
  return result;
}

async function taken(identity = 'a', statusCode = 200) {
  const first = arrive(identity);
  await settle();
  await first.call.answer(statusCode);
  return first;
}

test('a delivery is wanted the first time, and its copy is not', async () => {
  expect((await taken()).wanted).toBe(true);
  const copy = arrive();
  await settle();
  expect(copy.wanted).toBe(false);
});

test('another delivery, or the same one for another node, is wanted', async () => {
  await taken();
  const other = arrive('b');
  deliveries = DeliveryDedup.of('another node');
  const elsewhere = arrive();
  await settle();
  expect([other.wanted, elsewhere.wanted]).toEqual([true, true]);
});

test('a node has the same deliveries in each call', () => {
  expect(DeliveryDedup.of(`node ${nodes}`)).toBe(deliveries);
});

describe('a copy that comes while the first one is under way', () => {
  test('waits, and is not wanted when n8n took the first', async () => {
    const first = arrive();
    const copy = arrive();
    await settle();
    expect([first.wanted, copy.wanted]).toEqual([true, undefined]);
    await first.call.answer(204);
    expect(copy.wanted).toBe(false);
  });

  test.each([300, 404, 500])('takes its place when n8n answered %d', async (status) => {
    const first = arrive();
    const copies = [arrive(), arrive()];
    await settle();
    await first.call.answer(status);
    expect(copies.map(({ wanted }) => wanted)).toEqual([true, undefined]);
    await copies[0]?.call.answer();
    expect(copies[1]?.wanted).toBe(false);
  });
});

test.each([200, 204, 299])('a delivery counts as taken with the status %d', async (status) => {
  await taken('a', status);
  const copy = arrive();
  await settle();
  expect(copy.wanted).toBe(false);
});

test.each([300, 500])('a delivery that n8n answered %d is as good as new', async (status) => {
  await taken('a', status);
  const copy = arrive();
  await settle();
  expect(copy.wanted).toBe(true);
});

describe('a caller that hangs up', () => {
  test('says nothing: what n8n answers afterwards counts', async () => {
    const first = arrive();
    const copy = arrive();
    await settle();
    await first.call.hangUp();
    await jest.advanceTimersByTimeAsync(5 * SECOND);
    expect(copy.wanted).toBeUndefined();
    first.call.writableEnded = true;
    await jest.advanceTimersByTimeAsync(100);
    expect(copy.wanted).toBe(false);
  });

  test('is waited for half a minute, then the delivery counts as not taken', async () => {
    const first = arrive();
    const copy = arrive();
    await settle();
    await first.call.hangUp();
    await jest.advanceTimersByTimeAsync(30 * SECOND - 1);
    expect(copy.wanted).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(copy.wanted).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each(['closed', 'destroyed'] as const)('is noticed at once when the connection is %s already', async (state) => {
    const call = Object.assign(new Call(), { [state]: true, writableEnded: true });
    arrive('a', call);
    const copy = arrive();
    await settle();
    expect(copy.wanted).toBe(false);
  });
});

describe('what became of the execution', () => {
  test.each([
    ['running', false],
    ['succeeded', false],
    ['failed', true],
  ] as const)('%s: a copy is wanted again: %s, soon or late', async (outcome, wanted) => {
    await taken();
    deliveries.note('a', outcome);
    for (const wait of [0, HOUR]) {
      jest.setSystemTime(Date.now() + wait);
      const copy = arrive();
      await settle();
      expect(copy.wanted).toBe(wanted);
      await copy.call.answer();
      deliveries.note('a', outcome);
    }
  });

  test('unknown here: a copy within ten seconds is none that was sent for a reason, a later one is wanted', async () => {
    await taken();
    jest.setSystemTime(Date.now() + 10 * SECOND);
    const soon = arrive();
    await settle();
    expect(soon.wanted).toBe(false);
    jest.setSystemTime(Date.now() + 1);
    const late = arrive();
    await settle();
    expect(late.wanted).toBe(true);
  });

  test('is not noted for a delivery that this process has not received', async () => {
    deliveries.note('a', 'succeeded');
    const first = arrive();
    await settle();
    expect(first.wanted).toBe(true);
  });

  test('of one that failed and comes again is that of the new execution', async () => {
    await taken();
    deliveries.note('a', 'failed');
    expect((await taken()).wanted).toBe(true);
    deliveries.note('a', 'succeeded');
    const copy = arrive();
    await settle();
    expect(copy.wanted).toBe(false);
  });
});

test('a delivery is known for a day', async () => {
  await taken();
  deliveries.note('a', 'succeeded');
  jest.setSystemTime(Date.now() + 24 * HOUR);
  const copy = arrive();
  await settle();
  expect(copy.wanted).toBe(false);
  jest.setSystemTime(Date.now() + 1);
  const late = arrive();
  await settle();
  expect(late.wanted).toBe(true);
});

test('a delivery that is taken back late takes nothing from the one in its place', async () => {
  const first = arrive();
  await settle();
  jest.setSystemTime(Date.now() + 25 * HOUR);
  const second = arrive();
  await settle();
  expect(second.wanted).toBe(true);
  await second.call.answer();
  await first.call.answer(500);
  const copy = arrive();
  await settle();
  expect(copy.wanted).toBe(false);
});

describe('of more than ten thousand deliveries', () => {
  test('the oldest is forgotten, and comes in again', async () => {
    for (let index = 0; index < 10_000; index++) {
      const call = Object.assign(new Call(), { closed: true, writableEnded: true });
      await deliveries.claim(`${index}`, call);
    }
    await settle();
    const oldest = arrive('0');
    await settle();
    expect(oldest.wanted).toBe(false);
    await taken('one more');
    const [again, second] = [arrive('0'), arrive('2')];
    await settle();
    expect([again.wanted, second.wanted]).toEqual([true, false]);
  });

  test('none is forgotten that is under way', async () => {
    const first = arrive('first');
    await settle();
    for (let index = 0; index < 10_001; index++)
      await deliveries.claim(`${index}`, Object.assign(new Call(), { closed: true, writableEnded: true }));
    const copy = arrive('first');
    await settle();
    await first.call.answer();
    expect(copy.wanted).toBe(false);
  });
});
