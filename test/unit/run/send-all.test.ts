import { quietly } from '../../../nodes/PaymentPlatform/run/run';
import { sendAll } from '../../../nodes/PaymentPlatform/run/send-all';
import type { Planned, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Remembered } from '../../../nodes/PaymentPlatform/model/write-memory';
import { done, failureOf, open, reading, requestOf, runOf, type Setting } from '../fake-run';
import { group } from '../../../nodes/PaymentPlatform/fields/kinds/group';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';

const itemAt = (item: number): Planned => ({ request: requestOf({ items: [item] }) });
const broken = (): never => {
  throw new Error('broken');
};

describe('rows with the same key of Once per Key', () => {
  test('a row that an earlier attempt completed keeps its own record', async () => {
    const { shared } = runOf({ keys: { oncePerKey: { begin: async () => await Promise.resolve() } } });
    const keyed = (item: number): Planned => ({
      request: requestOf({ items: [item], options: { oncePerKey: 'deal' } }),
    });
    const known: Remembered = { outcome: 'done', records: [{ pg_id: 'own' }] };
    const recall = shared.memory.recall.bind(shared.memory);
    shared.memory.recall = (request) => (request.items[0] === 1 ? known : recall(request));
    const [first, second] = await sendAll(shared, [keyed(0), keyed(1)]);
    expect(first).toMatchObject({ kind: 'done', items: [0] });
    expect(second).toMatchObject({ kind: 'done', items: [1], records: [{ pg_id: 'own' }] });
    expect(first).not.toMatchObject({ records: [{ pg_id: 'own' }] });
  });
});

describe('the results of a run', () => {
  test('a run returns the results of all items in their order', async () => {
    const { shared, asked } = runOf();
    const failure = failureOf('invalid');
    const results = await sendAll(shared, [itemAt(0), { failure, item: 1 }, itemAt(2)]);
    expect(results).toMatchObject([
      { kind: 'done', items: [0] },
      { kind: 'failed', items: [1], failure },
      { kind: 'done', items: [2] },
    ]);
    expect(asked).toHaveLength(2);
  });

  test('a run returns its results after the database has all keys and the limit per day ended', async () => {
    const { shared, log } = runOf();
    await sendAll(shared, [itemAt(0)]);
    expect(log.slice(-2)).toEqual(['database ends', 'day limit ends']);
  });

  test('results remain if the database or the limit per day fails at the end', async () => {
    const { shared } = runOf({ keys: { end: async () => await Promise.reject(new Error('gone')) } });
    Object.assign(shared.dayLimit ?? {}, { end: broken });
    expect(await sendAll(shared, [itemAt(0)])).toMatchObject([{ kind: 'done' }]);
  });

  test("results remain if the database can't be queried about earlier attempts", async () => {
    const { shared } = runOf({ keys: { mayBeRetry: true, hasAsked: broken } });
    const failure = failureOf('invalid');
    expect(await sendAll(shared, [{ failure, item: 0, refused: requestOf() }])).toEqual([
      { kind: 'failed', items: [0], failure },
    ]);
  });

  test('an internal error makes the result of its item unknown, and other results remain', async () => {
    const { shared } = runOf();
    const recall = shared.memory.recall.bind(shared.memory);
    shared.memory.recall = (request) => (request.items[0] === 0 ? broken() : recall(request));
    shared.recordMatcher.leaveOpen = broken;
    expect(await sendAll(shared, [itemAt(0), itemAt(1)])).toEqual([
      {
        items: [0],
        kind: 'failed',
        failure: { outcome: 'unknown', message: 'The node could not process this item', advice: '', reads: false },
      },
      expect.objectContaining({ items: [1], kind: 'done' }),
    ]);
  });

  test('the result of a read with an internal error says that the item only reads', async () => {
    const { shared } = runOf();
    shared.gate.run = broken;
    Object.defineProperty(shared, 'goOn', { get: broken });
    const request = reading({ items: [2] });
    Object.defineProperty(request, 'list', { get: broken });
    expect(await sendAll(shared, [{ request }])).toMatchObject([
      { items: [2], failure: { outcome: 'unknown', reads: true } },
    ]);
  });

  test('items that were not planned keep their failures, even if the memory fails', async () => {
    const { shared } = runOf({ memory: { standing: broken } });
    const failure = failureOf('invalid');
    expect(await sendAll(shared, [{ failure, item: 5 }])).toEqual([{ items: [5], kind: 'failed', failure }]);
  });
});

describe('a request that items share', () => {
  const cards = group({
    name: 'cards',
    label: 'Cards',
    itemLabel: 'Card',
    description: '',
    type: 'list',
    perRequest: 9,
    fields: [text({ name: 'id', label: 'ID', description: '' })],
  });
  const shared = (): PlannedRequest => {
    const valuesOf = (...ids: string[]) => ({
      path: {},
      query: {},
      body: { cards: ids.map((id) => ({ id })) },
      node: {},
    });
    const whole = requestOf({ items: [0, 1, 2], values: valuesOf('a', 'b', 'c') }, { fields: [cards] });
    whole.shares = ['a', 'b', 'c'].map((id, item) => ({ ...whole, items: [item], values: valuesOf(id), whole }));
    return whole;
  };
  const knowing = (known: Partial<Record<number, Remembered>>) => ({
    recall: ({ items: [item = 0], shares }: PlannedRequest) => (shares ? undefined : known[item]),
  });
  const sending = async (setting: Setting) => {
    const run = runOf(setting);
    const results = await sendAll(run.shared, [{ request: shared() }]);
    return { results: results.map(({ items, kind }) => [items, kind]), sent: run.asked.map(({ body }) => body) };
  };

  test('a shared request is sent unchanged if no earlier attempt sent its objects', async () => {
    const { results, sent } = await sending({});
    expect(results).toEqual([[[0, 1, 2], 'done']]);
    expect(sent).toEqual(['{"cards":[{"id":"a"},{"id":"b"},{"id":"c"}]}']);
  });

  test('a shared request is sent without the objects that are in the memory', async () => {
    const { results, sent } = await sending({ memory: knowing({ 0: done, 2: open }) });
    expect(results).toEqual([
      [[0], 'done'],
      [[2], 'failed'],
      [[1], 'done'],
    ]);
    expect(sent).toEqual(['{"cards":[{"id":"b"}]}']);
  });

  test('a shared request is not sent if the memory contains all of its objects', async () => {
    const { results, sent } = await sending({ memory: knowing({ 0: done, 1: done, 2: done }) });
    expect(results).toEqual([
      [[0], 'done'],
      [[1], 'done'],
      [[2], 'done'],
    ]);
    expect(sent).toEqual([]);
  });

  test('a shared request is sent again without the objects that are only in the database', async () => {
    const begin = async ({ items: [item] }: PlannedRequest) => await Promise.resolve(item === 1 ? 'begun' : undefined);
    const { results, sent } = await sending({ keys: { begin }, memory: { addEvidence: () => open } });
    expect(results).toEqual([
      [[1], 'failed'],
      [[0, 2], 'done'],
    ]);
    expect(sent).toEqual(['{"cards":[{"id":"a"},{"id":"c"}]}']);
  });

  test('a shared request is not sent if the database contains all of its objects', async () => {
    const { results, sent } = await sending({ evidence: 'begun', memory: { addEvidence: () => open } });
    expect(results).toEqual([[[0, 1, 2], 'failed']]);
    expect(sent).toEqual([]);
  });

  test('a shared request fails once', async () => {
    const { results, sent } = await sending({ reply: () => ({ status: 400, code: 2, data: {} }) });
    expect(results).toEqual([[[0, 1, 2], 'failed']]);
    expect(sent).toHaveLength(1);
  });
});

test("a failing background task doesn't change the results", () => {
  expect(() => quietly(broken)).not.toThrow();
});
