import { KEY_OF_OTHER } from '../../../nodes/PaymentPlatform/once/once-per-key';
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
  const keyed = (item: number, oncePerKey: string | undefined = 'deal', more: object = {}): Planned => ({
    request: requestOf({ items: [item], options: { oncePerKey }, ...more }),
  });
  const withKeys = (setting: Setting = {}) =>
    runOf({ ...setting, keys: { oncePerKey: { begin: async () => await Promise.resolve() } } });

  test('a row that an earlier attempt completed keeps its own record', async () => {
    const { shared } = withKeys();
    const known: Remembered = { outcome: 'done', records: [{ pg_id: 'own' }] };
    const recall = shared.memory.recall.bind(shared.memory);
    shared.memory.recall = (request) => (request.items[0] === 1 ? known : recall(request));
    const [first, second] = await sendAll(shared, [keyed(0), keyed(1)]);
    expect(first).toMatchObject({ kind: 'done', items: [0] });
    expect(second).toMatchObject({ kind: 'done', items: [1], records: [{ pg_id: 'own' }] });
    expect(first).not.toMatchObject({ records: [{ pg_id: 'own' }] });
  });

  test('a later row gets the record of the first row and sends nothing', async () => {
    const { shared, asked } = withKeys();
    const [first, ...others] = await sendAll(shared, [keyed(0), keyed(1), keyed(2)]);
    expect(asked).toHaveLength(1);
    for (const [index, other] of others.entries())
      expect(other).toEqual({ ...first, items: [index + 1], remembered: true, existed: true });
  });

  test('a row with another payment is refused, although its key is done', async () => {
    const { shared, asked } = withKeys();
    const paying = (item: number, amt_tran: number): Planned => {
      const values = { path: {}, query: {}, body: { amt_tran }, node: {} };
      const fields = [{ name: 'amt_tran', place: 'body', money: true }] as never;
      return { request: requestOf({ items: [item], options: { oncePerKey: 'deal' }, values }, { fields }) };
    };
    const [, second] = await sendAll(shared, [paying(0, 4), paying(1, 5)]);
    expect(second).toMatchObject({ kind: 'failed', items: [1], failure: KEY_OF_OTHER });
    expect(asked).toHaveLength(1);
  });

  test('a later row is sent if the first row was declined', async () => {
    const { shared, asked } = withKeys({
      reply: (_, number) => (number === 1 ? { status: 400, code: 2, data: {} } : { data: { invoice_id: '1' } }),
    });
    const results = await sendAll(shared, [keyed(0), keyed(1)]);
    expect(results.map(({ kind }) => kind)).toEqual(['failed', 'done']);
    expect(asked).toHaveLength(2);
  });

  test('rows with other keys, rows without a key and reads are all sent', async () => {
    const { shared, asked } = withKeys();
    const reads = { effect: 'reads', method: 'GET' };
    const rows = [keyed(0), keyed(1, 'other'), keyed(2, 'deal', { options: {} }), keyed(3, 'deal', { options: {} })];
    const results = await sendAll(shared, [...rows, keyed(4, 'deal', reads), keyed(5, 'deal', reads)]);
    expect(results.map(({ kind }) => kind)).toEqual(Array(6).fill('done'));
    expect(asked).toHaveLength(6);
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

  test("a refused item is unknown if the database can't be queried about earlier attempts", async () => {
    const { shared } = runOf({ keys: { mayBeRetry: true, hasAsked: broken } });
    const failure = failureOf('invalid');
    expect(await sendAll(shared, [{ failure, item: 0, refused: requestOf() }])).toMatchObject([
      { kind: 'failed', items: [0], failure: { outcome: 'unknown' } },
    ]);
  });

  test('results remain after an internal error in the query about earlier attempts', async () => {
    const { shared } = runOf({ keys: { mayBeRetry: true } });
    const failure = failureOf('invalid');
    Object.defineProperty(shared, 'context', { get: broken });
    expect(await sendAll(shared, [{ failure, item: 0 }])).toEqual([{ kind: 'failed', items: [0], failure }]);
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

  test('an item that was not planned is unknown if an earlier attempt left it unknown', async () => {
    const { shared } = runOf({ memory: { standing: () => ({ outcome: 'unknown' }) } });
    expect(await sendAll(shared, [{ failure: failureOf('invalid'), item: 5 }])).toMatchObject([
      { items: [5], failure: { outcome: 'unknown' } },
    ]);
  });

  test('a read is sent without a record in the memory, the database or the limits', async () => {
    const { shared, log } = runOf();
    await sendAll(shared, [{ request: reading() }]);
    expect(log).toEqual(['GET /platform/invoice', 'its own records', 'database ends', 'day limit ends']);
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
