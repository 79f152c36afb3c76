import { DeliveryDedup, type CallResponse } from '../../../nodes/PaymentPlatform/trigger/delivery-dedup';

const SECOND = 1000;
const HOUR = 60 * 60 * SECOND;

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

  async answer(statusCode = 200): Promise<void> {
    Object.assign(this, { statusCode, writableEnded: true });
    await this.hangUp();
  }

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

function arrive(identity = 'a', call = new Call()) {
  const result: { call: Call; wanted?: boolean } = { call };
  void deliveries.claim(identity, call).then((wanted) => (result.wanted = wanted));
  return result;
}

async function isWanted(identity?: string) {
  const delivery = arrive(identity);
  await settle();
  return delivery.wanted;
}

async function taken(identity = 'a', statusCode = 200) {
  const first = arrive(identity);
  await settle();
  await first.call.answer(statusCode);
  return first;
}

test('accepts a delivery but not its copy', async () => {
  expect((await taken()).wanted).toBe(true);
  expect(await isWanted()).toBe(false);
});

test('accepts a different delivery, and the same delivery for a different node', async () => {
  await taken();
  const other = arrive('b');
  deliveries = DeliveryDedup.of('another node');
  const elsewhere = arrive();
  await settle();
  expect([other.wanted, elsewhere.wanted]).toEqual([true, true]);
});

test('remembers the deliveries of a node between calls', () => {
  expect(DeliveryDedup.of(`node ${nodes}`)).toBe(deliveries);
});

test('a copy that arrives during the first delivery is rejected if n8n accepts the first delivery', async () => {
  const first = arrive();
  const copy = arrive();
  await settle();
  expect([first.wanted, copy.wanted]).toEqual([true, undefined]);
  await first.call.answer(204);
  expect(copy.wanted).toBe(false);
});

test.each([300, 404, 500])('a copy replaces the first delivery if n8n responds with %d', async (status) => {
  const first = arrive();
  const copies = [arrive(), arrive()];
  await settle();
  await first.call.answer(status);
  expect(copies.map(({ wanted }) => wanted)).toEqual([true, undefined]);
  await copies[0]?.call.answer();
  expect(copies[1]?.wanted).toBe(false);
});

test.each([200, 204, 299])('treats a delivery as accepted with the status %d', async (status) => {
  await taken('a', status);
  expect(await isWanted()).toBe(false);
});

test.each([300, 500])('treats a delivery as new if n8n responded with %d', async (status) => {
  await taken('a', status);
  expect(await isWanted()).toBe(true);
});

test("a caller that disconnects doesn't affect the delivery, because only n8n's response counts", async () => {
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

test('a delivery counts as not accepted half a minute after its caller disconnects', async () => {
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

test.each(['closed', 'destroyed'] as const)(
  'a closed connection is detected at once if it is already %s',
  async (state) => {
    const call = Object.assign(new Call(), { [state]: true, writableEnded: true });
    arrive('a', call);
    expect(await isWanted()).toBe(false);
  },
);

test.each([
  ['running', false],
  ['succeeded', false],
  ['failed', true],
] as const)(
  "the outcome of a delivery's execution decides after %s whether a copy is accepted: %s",
  async (outcome, wanted) => {
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
  },
);

test("the outcome of a delivery's execution allows a copy after ten seconds if it is unknown", async () => {
  await taken();
  jest.setSystemTime(Date.now() + 10 * SECOND);
  expect(await isWanted()).toBe(false);
  jest.setSystemTime(Date.now() + 1);
  expect(await isWanted()).toBe(true);
});

test("the outcome of a delivery's execution isn't stored for a delivery of another process", async () => {
  deliveries.note('a', 'succeeded');
  expect(await isWanted()).toBe(true);
});

test('the outcome of a repeated delivery is that of the new execution', async () => {
  await taken();
  deliveries.note('a', 'failed');
  expect((await taken()).wanted).toBe(true);
  deliveries.note('a', 'succeeded');
  expect(await isWanted()).toBe(false);
});

test('remembers a delivery for one day', async () => {
  await taken();
  deliveries.note('a', 'succeeded');
  jest.setSystemTime(Date.now() + 24 * HOUR);
  expect(await isWanted()).toBe(false);
  jest.setSystemTime(Date.now() + 1);
  expect(await isWanted()).toBe(true);
});

test('keeps a newer delivery if an older delivery ends late', async () => {
  const first = arrive();
  await settle();
  jest.setSystemTime(Date.now() + 25 * HOUR);
  const second = arrive();
  await settle();
  expect(second.wanted).toBe(true);
  await second.call.answer();
  await first.call.answer(500);
  expect(await isWanted()).toBe(false);
});

describe('more than ten thousand deliveries', () => {
  test('forgets the oldest of more than 10,000 deliveries, which is then accepted again', async () => {
    for (let index = 0; index < 10_000; index++) {
      const call = Object.assign(new Call(), { closed: true, writableEnded: true });
      await deliveries.claim(`${index}`, call);
    }
    await settle();
    expect(await isWanted('0')).toBe(false);
    await taken('one more');
    const [again, second] = [arrive('0'), arrive('2')];
    await settle();
    expect([again.wanted, second.wanted]).toEqual([true, false]);
  });

  test('never forgets a delivery in progress', async () => {
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
