import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { FileToSend } from '../../../nodes/PaymentPlatform/fields/kinds/file';
import type { Footprint } from '../../../nodes/PaymentPlatform/model/footprint';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { endRound, lineageOf } from '../../../nodes/PaymentPlatform/n8n/lineage';
import {
  againKey,
  codeOfKey,
  doneKey,
  ELSEWHERE,
  isForeign,
  ownKeys,
  placeKey,
  severalKeys,
  wasReleased,
  WriteKeys,
  type WriteKey,
} from '../../../nodes/PaymentPlatform/once/write-keys';
import { account } from '../requests';

interface Setting {
  type?: 'paymentPlatform' | 'paymentPlatformTool';
  mode?: 'trigger' | 'retry';
  /** Major version of n8n. n8n 1 may lose all data that identifies an execution. */
  major?: 1 | 2;
  parameters?: IDataObject;
  digestKey?: string;
  workflow?: string;
  executionId?: string;
  isInLoop?: boolean;
}

const NAME = 'context 1000';

const NOW = '2026-03-31T12:00:00Z';
const at = (time: string) => jest.useFakeTimers({ now: new Date(time) });
afterEach(() => void jest.useRealTimers());

function execution({
  type = 'paymentPlatform',
  major = 2,
  mode = 'trigger',
  parameters = {},
  digestKey = 'key',
  workflow,
  ...setting
}: Setting = {}) {
  const kept = {};
  let runs = 0;
  return (requests: PlannedRequest[], input: unknown[] = requests.map(({ values }) => values.body)): WriteKeys => {
    const runIndex = runs;
    runs += 1;
    const context = {
      getWorkflow: () => ({ id: workflow ?? 'workflow' }),
      getNode: () => ({ id: 'node', name: 'node', type, parameters }),
      getParentNodes: () => (setting.isInLoop ? [{ name: 'Loop' }] : []),
      getChildNodes: () => [{ name: 'Loop' }],
      getMode: () => mode,
      getExecutionId: () => ('executionId' in setting ? setting.executionId : '5'),
      getExecutionContext: () =>
        'executionId' in setting
          ? undefined
          : {
              version: 1,
              establishedAt: 1000,
              source: 'trigger',
              ...(major === 2 && { triggerNode: { name: 'Start', type: 'start' } }),
            },
      getInputData: () => input.map((json) => ({ json })),
      getContext: () => kept,
      evaluateExpression: () => runIndex,
    } as unknown as IExecuteFunctions;
    const keys = new WriteKeys(context, { ...account, digestKey }, lineageOf(context), requests);
    keys.countEqual();
    endRound(context);
    return keys;
  };
}

const request = (item: number, amt_tran = item, more: object = {}): PlannedRequest =>
  ({
    items: [item],
    part: 0,
    operation: {
      value: 'refund',
      request: { effect: 'writesOnce', operationId: 'refund', encoding: 'multipart' },
      fields: [{ name: 'memo', place: 'body', notIdentifying: true }],
    },
    options: {},
    method: 'POST',
    path: '/pg/refund',
    values: { path: {}, query: {}, body: { amt_tran }, node: {} },
    ...more,
  }) as unknown as PlannedRequest;
const all = (...amounts: number[]) => amounts.map((amount, item) => request(item, amount));
const withBody = (body: IDataObject) => ({ values: { ...request(0).values, body } });

const kindsOf = (keys: WriteKey[]) => keys.map(({ kind }) => kind);
const keyOf = (keys: WriteKeys, one: PlannedRequest, kind: WriteKey['kind'], attempt = '0.0') =>
  keys
    .of(one, attempt)
    .filter((key) => key.kind === kind)
    .map(({ key }) => key);
const contents = (keys: WriteKeys, requests: PlannedRequest[]) =>
  requests.flatMap((one) => keyOf(keys, one, 'content'));

function shared(entries: Array<[number, string]>): PlannedRequest {
  const items = [...new Set(entries.map(([item]) => item))];
  const whole = { ...request(0), items, ...withBody({ cards: entries.map(([, id]) => ({ id })) }) };
  const parts = new Map<number, number>();
  whole.shares = entries.map(([item, id]) => {
    const part = parts.get(item) ?? 0;
    parts.set(item, part + 1);
    return { ...request(item), part, whole, ...withBody({ cards: [{ id }] }) };
  });
  return whole;
}

const footprint = (more: Partial<Footprint> = {}) =>
  ({
    list: { path: '', identity: 'pg_id', newestBy: 'pg_id' },
    key: ({ body }) => JSON.stringify(body.amt_tran),
    isIdentifiable: () => true,
    ...more,
  }) as Footprint;
const withFootprint = (one: PlannedRequest, own = footprint()): PlannedRequest => ({
  ...one,
  operation: { ...one.operation, footprint: own },
});
const like = (...amounts: number[]) => all(...amounts).map((one) => withFootprint(one));

describe('the keys of a write', () => {
  test('write keys show the position and the content, in n8n 1 also without the execution', () => {
    const one = request(0);
    expect(kindsOf(execution()([one]).of(one, '0.0'))).toEqual(['place', 'content']);
    expect(kindsOf(execution({ major: 1 })([one]).of(one, '0.0'))).toEqual([
      ...['bare', 'bare', 'place', 'place', 'content', 'content'],
    ]);
  });

  test('write keys contain a position counted across all loop iterations', () => {
    const open = execution();
    open(all(1, 2, 3));
    const second = all(4, 5);
    const keys = open(second);
    expect(second.flatMap((one) => keyOf(keys, one, 'place'))).toEqual([placeKey(NAME, 3), placeKey(NAME, 4)]);
  });

  test('write keys contain a different position for each request of an item and each attempt', () => {
    const keys = execution()(all(1));
    const places = [
      ...keyOf(keys, request(0, 1), 'place'),
      ...keyOf(keys, request(0, 1, { part: 1 }), 'place'),
      ...keyOf(keys, request(0, 1), 'place', '1.0'),
    ];
    expect(new Set(places).size).toBe(3);
    expect(places[0]).toBe(placeKey(NAME, 0));
  });

  test("write keys differ for equal items and don't depend on the batch size of a loop", () => {
    const together = all(7, 7, 8, 7);
    const expected = contents(execution()(together), together);
    expect(new Set(expected).size).toBe(4);
    for (const rounds of [
      [[7], [7, 8], [7]],
      [
        [7, 7],
        [8, 7],
      ],
      [[7], [7], [8], [7]],
    ]) {
      const open = execution();
      const found = rounds.flatMap((amounts) => {
        const requests = all(...amounts);
        return contents(open(requests), requests);
      });
      expect(found).toEqual(expected);
    }
  });

  test('write keys stay the same if the items are reordered', () => {
    const [first, turned] = [all(7, 8), all(8, 7)];
    expect(contents(execution()(turned), turned)).toEqual(contents(execution()(first), first).reverse());
  });

  test('write keys stay the same if items with equal data and different files are reordered', () => {
    const sending = (item: number, sha256: string) =>
      request(item, 0, withBody({ file: new FileToSend('data', { fileName: 'a', mimeType: 'b', bytes: 1, sha256 }) }));
    const [first, turned] = [
      [sending(0, '1'), sending(1, '2')],
      [sending(0, '2'), sending(1, '1')],
    ];
    const found = contents(execution()(first, [{}, {}]), first);
    expect(contents(execution()(turned, [{}, {}]), turned)).toEqual(found.reverse());
  });

  test('write keys differ for another account and another secret', () => {
    const one = request(0);
    const [own, other] = [execution()([one]), execution({ digestKey: 'other' })([one])];
    expect(contents(other, [one])).not.toEqual(contents(own, [one]));
    expect(keyOf(other, one, 'place')).toEqual(keyOf(own, one, 'place'));
  });
});

describe('the keys of a write that another item preceded at its position', () => {
  const elsewhere = `0.0${ELSEWHERE}`;

  test('have another key of the position', () => {
    const [keys, one] = [execution()(all(1, 2)), request(1, 2)];
    expect(kindsOf(keys.of(one, elsewhere))).toEqual(['elsewhere', 'content']);
    expect(keyOf(keys, one, 'content', elsewhere)).toEqual(keyOf(keys, one, 'content'));
    const edited = request(1, 3);
    expect(keyOf(execution()(all(1, 3)), edited, 'elsewhere', elsewhere)).toEqual(
      keyOf(keys, one, 'elsewhere', elsewhere),
    );
    expect(keyOf(keys, one, 'elsewhere', elsewhere)).not.toEqual(keyOf(keys, one, 'place'));
  });

  test('are those that a retry looks for, beside the keys of each position', () => {
    const one = request(0, 7);
    const keys = execution({ mode: 'retry' })([one]);
    const wanted = [...keys.of(one, '0.0'), ...keys.of(one, elsewhere)].filter(
      ({ key }, index, keysOfBoth) => keysOfBoth.findIndex((other) => other.key === key) === index,
    );
    expect(new Set(keys.ofEarlierAttempts())).toEqual(new Set(wanted));
    expect(execution()([one]).ofEarlierAttempts()).toEqual([]);
  });
});

describe('the keys of items without a request', () => {
  const inputs = [{ amount: 1 }, { amount: 2 }];
  const asked = (requests: PlannedRequest[], setting: Setting = {}) =>
    execution({ mode: 'retry', ...setting })(requests, inputs).ofEarlierAttempts();
  const keysOf = (all: ReturnType<typeof asked>, kind: string) =>
    new Set(all.flatMap((one) => (one.kind === kind ? [one.key] : [])));

  test('a retry asks for the positions and contents of all items, although some have no request now', () => {
    const planned = asked([request(0), request(1)]);
    for (const requests of [[], [request(0)], [request(1)]])
      for (const kind of ['place', 'elsewhere', 'content'])
        expect(keysOf(asked(requests), kind)).toEqual(keysOf(planned, kind));
  });

  test('a tool and a new execution ask for none', () => {
    expect(asked([], { type: 'paymentPlatformTool' })).toEqual([]);
    expect(asked([], { mode: 'trigger' })).toEqual([]);
  });
});

test('another attempt after an approved one finds the position, although another item began there', () => {
  const one = request(0);
  const keys = execution()([one]);
  const first = keyOf(keys, one, 'place', `0.0${ELSEWHERE}`);
  const second = keyOf(keys, one, 'place', `1.0${ELSEWHERE}`);
  expect(first).toEqual([]);
  expect(second).toEqual(keyOf(keys, one, 'place', '1.0'));
  expect(second).toHaveLength(1);
});

test('the attempts before and after an attempt differ by one', () => {
  const one = request(0);
  const keys = execution()([one]);
  for (const end of ['', ELSEWHERE]) {
    expect(keys.ofNeighbor(one, `10.0${end}`, 1)).toEqual(keyOf(keys, one, 'content', '11.0'));
    expect(keys.ofNeighbor(one, `10.0${end}`, -1)).toEqual(keyOf(keys, one, 'content', '9.0'));
    expect(keys.ofNeighbor(one, `1.0${end}`, -1)).toEqual(keyOf(keys, one, 'content'));
    expect(keys.ofNeighbor(one, `0.0${end}`, -1)).toEqual([]);
  }
});

test('a tool has no other attempts, because it numbers its equal calls', () => {
  const keys = execution({ type: 'paymentPlatformTool' })([request(0)]);
  expect(keys.ofNeighbor(request(0), '0', 1)).toEqual([]);
});

test('a retry can look for later positions, except in a loop', () => {
  const places = (setting: Setting) => execution({ mode: 'retry', ...setting })(all(1, 2)).placesAfterAll(10, 2);
  const wanted = (['place', 'elsewhere'] as const).flatMap((kind) => [12, 13].map((at) => placeKey(NAME, at, kind)));
  expect(places({})).toEqual(wanted);
  expect(places({ isInLoop: true })).toEqual([]);
  expect(places({ mode: 'trigger' })).toEqual([]);
  expect(places({ mode: 'trigger', type: 'paymentPlatformTool' })).toEqual([]);
  const open = execution({ mode: 'retry' });
  open(all(1, 2, 3));
  expect(open(all(4)).placesAfterAll(0, 1)).toContain(placeKey(NAME, 4));
});

describe('the keys of an object in a shared request', () => {
  const sharesOf = (entries: Array<[number, string]>) => {
    const whole = shared(entries);
    return contents(execution()([whole], [{ row: 1 }, { row: 2 }]), whole.shares ?? []);
  };

  test('the keys of equal objects in a shared request differ', () => {
    expect(
      new Set(
        sharesOf([
          [0, 'a'],
          [0, 'a'],
          [1, 'a'],
          [1, 'b'],
        ]),
      ).size,
    ).toBe(4);
  });

  test("the keys of objects in a shared request don't depend on how items divide the objects", () => {
    expect(
      sharesOf([
        [0, 'a'],
        [1, 'a'],
        [1, 'b'],
      ]),
    ).toEqual(
      sharesOf([
        [0, 'a'],
        [0, 'a'],
        [1, 'b'],
      ]),
    );
  });

  test('in n8n 1, the keys of an object include one from content alone', () => {
    const whole = shared([
      [0, 'a'],
      [1, 'b'],
    ]);
    const keys = execution({ major: 1 })([whole], [{}, {}]);
    const bare = (whole.shares ?? []).flatMap((one) => keyOf(keys, one, 'bare'));
    expect(new Set(bare).size).toBe(2);
  });
});

describe('the keys of writes that could have the same record', () => {
  const equalOf = (keys: WriteKeys, one: PlannedRequest, attempt?: string) => keyOf(keys, one, 'equal', attempt);
  const roundsOf = (setting: Setting, ...rounds: PlannedRequest[][]) => {
    const open = execution(setting);
    return rounds.map((requests) => ({ requests, keys: open(requests) }));
  };
  const allOf = (setting: Setting, ...rounds: PlannedRequest[][]) =>
    roundsOf(setting, ...rounds).map(({ requests, keys }) => requests.map((one) => equalOf(keys, one)));

  test('every write after the first with the same record has a further key', () => {
    const [first = [], second = []] = allOf({}, like(7, 8, 7), like(7, 9));
    expect([...first, ...second].map(({ length }) => length)).toEqual([0, 0, 1, 1, 0]);
    expect(new Set([...first, ...second].flat()).size).toBe(2);
    expect(kindsOf(execution()(like(7, 7)).of(like(7, 7)[1] as PlannedRequest, '0.0'))).toContain('equal');
  });

  test("the further keys don't depend on the batch size of a loop", () => {
    const expected = allOf({}, like(7, 7, 7, 7)).flat();
    expect(allOf({}, like(7, 7, 7), like(7)).flat()).toEqual(expected);
    expect(allOf({}, like(7), like(7), like(7), like(7)).flat()).toEqual(expected);
  });

  test('a retry asks for the key of the next write after the loop iteration', () => {
    const killed = allOf({}, like(7), like(7), like(7)).flat(2);
    const rounds = roundsOf({ mode: 'retry' }, like(7), like(7), like(7));
    const asked = rounds.map(({ requests: [one], keys }) => keys.equalElsewhere(one as PlannedRequest));
    expect(asked.slice(0, 2).flat()).toEqual(killed);
    expect(killed).not.toContain(asked[2]?.[0]);
    const [both] = roundsOf({ mode: 'retry' }, like(7, 7));
    for (const one of both?.requests ?? []) expect(both?.keys.equalElsewhere(one)).toEqual(asked[1]);
  });

  test('a new execution in n8n 2 asks for no key', () => {
    const [first] = roundsOf({}, like(7));
    expect(first?.keys.equalElsewhere(like(7)[0] as PlannedRequest)).toEqual([]);
  });

  test('in n8n 1, the further keys have each name of the execution', () => {
    const [, second] = roundsOf({ major: 1 }, like(7), like(7));
    const [one] = second?.requests as [PlannedRequest];
    expect(equalOf(second?.keys as WriteKeys, one)).toHaveLength(2);
    expect(second?.keys.equalElsewhere(one)).toHaveLength(1);
  });

  test('another attempt has another key', () => {
    const [one, two] = like(7, 7) as [PlannedRequest, PlannedRequest];
    const keys = execution()([one, two]);
    expect(equalOf(keys, two, '1.0')).not.toEqual(equalOf(keys, two));
  });

  test.each([
    ['have no footprint', undefined],
    ["can't be distinguished", footprint({ isIdentifiable: () => false })],
  ])('writes that %s have no further key', (_, own) => {
    const writes = all(7, 7).map((one) => (own ? withFootprint(one, own) : one));
    const keys = execution({ mode: 'retry' })(writes);
    for (const one of writes) expect([...equalOf(keys, one), ...keys.equalElsewhere(one)]).toEqual([]);
  });

  test("each of an execution's equal writes shows other executions that this one began a write", () => {
    // Shortly after midnight, a write also has the key of the day before.
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-28T12:00:00Z'));
    const dated = like(7, 7).map((one) => withFootprint(one, footprint({ time: () => undefined })));
    const keys = execution()(dated);
    expect(dated.map((one) => keyOf(keys, one, 'shown').length)).toEqual([1, 1]);
    jest.restoreAllMocks();
  });

  test('a call of a tool has no further key', () => {
    const keys = execution({ mode: 'retry', type: 'paymentPlatformTool' })(like(7, 7));
    for (const one of like(7, 7)) expect([...equalOf(keys, one), ...keys.equalElsewhere(one)]).toEqual([]);
  });

  test('only the first object of a shared request has the further key', () => {
    const cards = () => {
      const whole = shared([
        [0, 'a'],
        [0, 'b'],
        [1, 'c'],
      ]);
      return withFootprint(whole, footprint({ key: () => '3' }));
    };
    const open = execution({ mode: 'retry' });
    const first = open([cards()], [{}, {}]).equalElsewhere(cards());
    const second = cards();
    const keys = open([second], [{}, {}]);
    expect((second.shares ?? []).map((share) => equalOf(keys, share))).toEqual([first, [], []]);
  });

  test('the further keys contain neither the values of the write nor those of the key', () => {
    const kept = JSON.stringify(allOf({}, like(7_654_321, 7_654_321)));
    expect(kept).not.toContain('7654321');
  });
});

describe('the keys that show a record to other executions', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const shownBy = (executionId: string, own: PlannedRequest) => {
    const write = withFootprint(own);
    const keys = execution({ executionId })([write]);
    return {
      shown: keyOf(keys, write, 'shown'),
      owner: keyOf(keys, write, 'owner'),
      several: severalKeys(keys.of(write, '0.0')),
      asked: (since: number) => keys.equalElsewhere(write, since),
    };
  };
  beforeEach(() => void at(NOW));

  test('are equal for equal writes of a day, and name the execution', () => {
    const [one, other] = [shownBy('1', request(0, 7)), shownBy('2', request(0, 7))];
    expect(other.shown).toEqual(one.shown);
    expect(other.owner).not.toEqual(one.owner);
    expect(shownBy('1', request(0, 8)).shown).not.toEqual(one.shown);
    at('2026-04-01T12:00:00Z');
    expect(shownBy('1', request(0, 7)).shown).not.toEqual(one.shown);
  });

  test('name the key of Once per Key, because its attempts in other executions send the same payment', () => {
    const sending = (executionId: string, oncePerKey: string) =>
      shownBy(executionId, request(0, 7, { options: { oncePerKey } })).owner;
    expect(sending('2', 'deal')).toEqual(sending('1', 'deal'));
    expect(sending('1', 'other')).not.toEqual(sending('1', 'deal'));
  });

  test('a look-up asks for those that several executions recorded, from 15 minutes before its start', () => {
    const early = shownBy('1', request(0, 7)).several;
    at('2026-04-01T12:00:00Z');
    const own = shownBy('2', request(0, 7));
    const isAsked = (since: string) => own.asked(Date.parse(since)).includes(early[0] ?? '');
    expect(early).toHaveLength(1);
    expect([isAsked('2026-04-01T00:14:59Z'), isAsked('2026-04-01T00:15:00Z')]).toEqual([true, false]);
    expect(own.asked(Date.now() - 2 * DAY_MS)).toEqual(expect.arrayContaining([...early, ...own.several]));
    expect(own.asked(Date.now())).toEqual(expect.arrayContaining(own.several));
  });
});

describe('the key of the values that a write sends', () => {
  const paying = (customer_id: string, more: IDataObject = {}) => request(0, 0, withBody({ customer_id, ...more }));
  const sentOf = (one: PlannedRequest, input: unknown = {}) => {
    const write = withFootprint(one);
    return keyOf(execution()([write], [input]), write, 'sent');
  };

  test('differs for another reference or item, but not for another value that identifies no record', () => {
    const sent = sentOf(paying('C1'));
    expect(sent).toHaveLength(1);
    expect(sentOf(paying('C1', { note: 'x' }))).toEqual(sent);
    for (const other of [sentOf(paying('C2')), sentOf(paying('C1'), { row: 2 })]) expect(other).not.toEqual(sent);
  });

  test("exists neither for a tool's call nor without a footprint", () => {
    const one = paying('C1');
    expect(keyOf(execution()([one]), one, 'sent')).toEqual([]);
    const call = withFootprint(one);
    expect(keyOf(execution({ type: 'paymentPlatformTool' })([call]), call, 'sent')).toEqual([]);
  });
});

describe("the keys of a tool's call", () => {
  const type = 'paymentPlatformTool';
  const saying = (amt_tran: number, memo: string) => request(0, 0, withBody({ amt_tran, memo }));

  test("the keys of a tool's call have no position, because a model calls in any order", () => {
    const one = request(0);
    expect(kindsOf(execution({ type })([one]).of(one, '0'))).toEqual(['content']);
    expect(kindsOf(execution({ type, major: 1 })([one]).of(one, '0'))).toEqual(['bare', 'content', 'content']);
  });

  test.each(['content', 'bare'] as const)(
    "the keys of a tool's call depend on its effect and not on its wording: %s",
    (kind) => {
      const keys = execution({ type, major: 1 })([saying(5, 'a')]);
      expect(keyOf(keys, saying(5, 'b'), kind)).toEqual(keyOf(keys, saying(5, 'a'), kind));
      expect(keyOf(keys, saying(6, 'a'), kind)).not.toEqual(keyOf(keys, saying(5, 'a'), kind));
      expect(keyOf(keys, saying(5, 'a'), kind, '1')).not.toEqual(keyOf(keys, saying(5, 'a'), kind));
    },
  );
});

describe('content-only keys', () => {
  const bareOf = (one: PlannedRequest, setting: Setting = {}, attempt = '0.0', input: IDataObject = { a: 1 }) =>
    keyOf(execution({ major: 1, ...setting })([one], [input]), one, 'bare', attempt);

  test('content keys are equal for an equal request, or for equal parameters and input, as with $now', () => {
    const [byRequest, byOrigin] = bareOf(request(0, 1));
    expect(bareOf(request(0, 2))[1]).toBe(byOrigin);
    expect(bareOf(request(0, 2))[0]).not.toBe(byRequest);
    for (const other of [bareOf(request(0, 1), { parameters: { a: 2 } }), bareOf(request(0, 1), {}, '0.0', { a: 2 })]) {
      expect(other[0]).toBe(byRequest);
      expect(other[1]).not.toBe(byOrigin);
    }
  });

  test('content keys differ for another request of the item and another attempt', () => {
    const own = bareOf(request(0));
    for (const other of [bareOf(request(0, 0, { part: 1 })), bareOf(request(0), {}, '1.0')])
      expect(other.filter((key) => own.includes(key))).toEqual([]);
  });
});

describe('the keys of Once per Key', () => {
  const once = (more: object = {}, setting: Setting = {}) =>
    execution(setting)([request(0)]).once(request(0, 0, { options: { oncePerKey: 'deal' }, ...more }));
  const operationOf = (more: object, declared: object = {}) => ({
    operation: { ...request(0).operation, ...more, request: { ...request(0).operation.request, ...declared } },
  });

  test('keys of Once per Key record the start, the payment, the end and the execution of a write', () => {
    const { digest, key, payment, done, own, ownBefore } = once();
    expect(key).toBe(`key ${digest}`);
    expect(payment).toMatch(new RegExp(`^payment ${digest} [\\w-]{16}$`));
    expect(done).toMatch(new RegExp(`^done ${digest} [\\w-]{16}$`));
    const [, item = ''] = /node 0 ([\w-]{16})$/.exec(own[0] ?? '') ?? [];
    expect(own).toEqual([`own ${digest} execution 5 node 0 ${item}`, `own ${digest} ${NAME} node 0 ${item}`]);
    // A new execution that began in the same millisecond has the same context name.
    expect(ownBefore).toEqual(own.slice(0, 1));
  });

  test.each([
    ['secret', {}, { digestKey: 'other' }],
    ['parameter', {}, { parameters: { note: 'other' } }],
    ['memo', withBody({ amt_tran: 0, memo: 'other' }), {}],
  ])('Once per Key keys are the same for another %s', (_, more, setting) => {
    expect({ ...once(more, setting), own: [], ownBefore: [] }).toEqual({ ...once(), own: [], ownBefore: [] });
  });

  test('only an equal item of the execution has the same own key', () => {
    const other = execution({ parameters: { note: 'other' } })([request(0)]);
    expect(other.once(request(0, 0, { options: { oncePerKey: 'deal' } })).own).not.toEqual(once().own);
    expect(once({ items: [1] }).own).not.toEqual(once().own);
    expect(once({ part: 1 }).own).not.toEqual(once().own);
  });

  test.each([
    ['amount', withBody({ amt_tran: 9 }), {}],
    ['name of an operation that sends the same', operationOf({ value: 'refundAgain' }), {}],
  ])('Once per Key keys show another payment for another %s', (_, more, setting) => {
    const [one, other] = [once(), once(more, setting)];
    expect({ ...other, payment: one.payment, done: one.done }).toEqual(one);
    expect(other.payment).not.toBe(one.payment);
    expect(other.done).not.toBe(one.done);
  });

  test('the keys of each attempt at a key name its execution and the attempts before it', () => {
    const { own, digest } = once();
    expect(ownKeys(own, 2)).toEqual(own.map((one) => `${one} 2`));
    expect(againKey(once(), 3)).toBe(`attempt ${digest} 3`);
  });

  test('a code belongs to a key, to a payment and to the number of attempts before it', () => {
    const other = once({ options: { oncePerKey: 'other' } });
    const codes = [...[0, 1].map((count) => codeOfKey(once(), count, 0)), codeOfKey(other, 0, 0)];
    codes.push(codeOfKey({ ...once(), payment: `${once().payment} other` }, 0, 0));
    expect(new Set(codes).size).toBe(4);
    for (const code of codes) expect(code).toMatch(/^key-[A-Za-z0-9]{5}$/);
    expect(codeOfKey(once({}, { digestKey: 'other', executionId: '9' }), 0, 0)).toBe(codes[0]);
    const all = Array.from({ length: 50 }, (_, count) => codeOfKey(once(), count, 0));
    for (const code of all) expect(code).toMatch(/^key-[A-Za-z0-9]{5}$/);
  });

  test.each([
    ['key', { options: { oncePerKey: 'other' } }, {}],
    ['workflow', {}, { workflow: 'other' }],
    ['operation', operationOf({}, { operationId: 'other' }), {}],
    ['step', { part: 1 }, {}],
    ['operation that sets a state', operationOf({ value: 'upsert', setsState: true }), {}],
    ['operation that is not declared', operationOf({}, { operationId: undefined }), {}],
  ])('keys of Once per Key differ for another %s', (_, more, setting) => {
    expect(once(more, setting).key).not.toBe(once().key);
  });

  test('keys of Once per Key contain the method and path of an undeclared request, and the operation of a state change', () => {
    const unknown = operationOf({}, { operationId: undefined });
    const keys = [{}, { method: 'PUT' }, { path: '/pg/other' }].map((more) => once({ ...unknown, ...more }).key);
    const states = ['a', 'b'].map((value) => once(operationOf({ value, setsState: true })).key);
    expect(new Set([...keys, ...states]).size).toBe(5);
  });
});

describe("the node's own reference of a write", () => {
  const FIELD = 'merch_ref_num';
  const referred = (item: number, options: object = {}): PlannedRequest => {
    const { operation, ...one } = request(item, 1, { options });
    return { ...one, operation: { ...operation, reference: { name: FIELD } } } as PlannedRequest;
  };
  const memory = { referenceOf: (_: unknown, field: string) => (field === FIELD ? 'SENT' : undefined) };
  const given = (keys: WriteKeys, one: PlannedRequest, sent?: typeof memory) => {
    keys.giveReference(one, sent);
    const { reference, body } = one.values;
    expect(body[FIELD]).toBe(reference?.value);
    return reference;
  };

  test('each of several equal items gets a different reference', () => {
    const items = [referred(0), referred(1), referred(2)];
    const keys = execution()(items);
    expect(new Set(items.map((one) => given(keys, one)?.value)).size).toBe(3);
    const again = [referred(0), referred(1), referred(2)];
    const later = execution()(again);
    expect(again.map((one) => given(later, one))).toEqual(items.map(({ values }) => values.reference));
  });

  test('only a key of Once per Key gives items of all executions the same reference', () => {
    const of = (executionId: string, oncePerKey?: string) => {
      const one = referred(0, { oncePerKey });
      return given(execution({ executionId })([one]), one)?.value;
    };
    expect(of('1', 'deal')).toBe(of('2', 'deal'));
    expect(of('1', 'other')).not.toBe(of('1', 'deal'));
    expect(of('1')).not.toBe(of('2'));
  });

  test('an attempt sends the reference that an earlier attempt sent', () => {
    const one = referred(0);
    const keys = execution({ executionId: '1' })([one]);
    expect(given(keys, one)).toMatchObject({ isLasting: false });
    expect(given(keys, one, memory)).toEqual({ name: FIELD, value: 'SENT', isLasting: true });
  });

  test('an operation without a field for a reference gets none', () => {
    const one = request(0);
    expect(given(execution()([one]), one, memory)).toBeUndefined();
    expect(one.values.body).toEqual({ amt_tran: 0 });
  });
});

describe('the keys of a call that belongs to no execution', () => {
  const outside = (executionId?: string) => execution({ type: 'paymentPlatformTool', executionId });
  const keysOf = (oncePerKey?: string, executionId?: string, allowEqual?: boolean) =>
    outside(executionId)([])
      .of(request(0, 0, { options: { oncePerKey, allowEqual } }), '0')
      .filter(({ kind }) => kind !== 'bare');

  test('the keys of a call outside of executions are checked on the day of the call and the next day', () => {
    at('2026-03-31T23:59:59Z');
    const first = new Set(keysOf().map(({ key }) => key));
    const known = (time: string) => {
      at(time);
      return keysOf().filter(({ key }) => first.has(key)).length;
    };
    expect(first.size).toBe(2);
    expect([known('2026-03-31T00:00:00Z'), known('2026-04-01T23:59:59Z'), known('2026-04-02T00:00:00Z')]).toEqual([
      2, 1, 0,
    ]);
  });

  test('the keys of a call outside of executions differ for another key of the caller if equal payments are allowed', () => {
    const allowed = (oncePerKey?: string, executionId?: string) => keysOf(oncePerKey, executionId, true);
    expect(allowed('a')).toEqual(allowed('a'));
    for (const other of [allowed('b'), allowed()]) expect(other).not.toEqual(allowed('a'));
    expect(allowed()).toEqual(keysOf());
    expect(allowed('b', '7')).toEqual(allowed('a', '7'));
  });

  test('the keys of equal calls outside of executions are equal with any key if equal payments are not allowed', () => {
    for (const other of [keysOf('b'), keysOf()]) expect(other).toEqual(keysOf('a'));
  });

  test('the keys of a call outside of executions identify each call, so that two processes with the same key detect each other', () => {
    const once = (executionId?: string) =>
      outside(executionId)([]).once(request(0, 0, { options: { oncePerKey: 'deal' } }));
    expect(once().key).toBe(once().key);
    expect(once().own[0]).not.toBe(once().own[0]);
    expect(once().own[0]).not.toContain('execution');
    expect(once('7').own).toEqual(once('7').own);
  });
});

test('an item counts as sent again by a person if one of its attempts was', () => {
  expect(wasReleased('0.0')).toBe(false);
  expect(['1.0', '10.0', `0.0${ELSEWHERE}`].map(wasReleased)).toEqual([true, true, true]);
});

test.each([
  ['SQLITE_CONSTRAINT: FOREIGN KEY constraint failed', true],
  ['violates foreign key constraint "FK_1"', true],
  ['database is locked', false],
])(
  "only an error about a foreign key shows that the database doesn't contain the workflow: %s",
  (message, isUnknown) => {
    expect(isForeign(new Error(message))).toBe(isUnknown);
    expect(isForeign(message)).toBe(false);
  },
);

test("keys keep their values in every version, because n8n's database stores them", () => {
  at(NOW);
  const one = request(0, 7, { options: { oncePerKey: 'deal' } });
  const whole = shared([[0, 'a']]);
  const [share] = whole.shares ?? [];
  const valuesOf = (setting: Setting, requests: PlannedRequest[], own: PlannedRequest | undefined) =>
    own &&
    execution({ major: 1, ...setting })(requests, [{ a: 1 }])
      .of(own, '0.0')
      .map(({ kind, key }) => `${kind} ${key}`);
  const open = execution();
  open(like(7));
  const [equal] = like(7) as [PlannedRequest];
  expect({
    equal: keyOf(open([equal]), equal, 'equal'),
    sent: keyOf(execution()([equal]), equal, 'sent'),
    shown: execution()([equal])
      .of(equal, '0.0')
      .flatMap(({ kind, key }) => (kind === 'shown' || kind === 'owner' ? [`${kind} ${key}`] : [])),
    several: severalKeys([
      { kind: 'shown', key: 'a' },
      { kind: 'owner', key: 'b' },
    ]),
    done: doneKey('a'),
    item: valuesOf({}, [one], one),
    share: valuesOf({}, [whole], share),
    tool: valuesOf({ type: 'paymentPlatformTool' }, [one], one),
    once: execution()([one]).once(one),
    codes: [0, 1, 2, 7, 8].map((count) => codeOfKey(execution()([one]).once(one), count, 0)),
    place: placeKey(NAME, 3),
  }).toEqual({
    equal: ['5Tj68My-S2XtVMZ_bqcIs4'],
    sent: ['ewaC7jdf5Vumgwmqcyks75'],
    shown: ['shown QgkIZNEiFXREml_x9-kMxV', 'owner mYwdBxExhNipOFRH98Pfw7'],
    several: ['several a'],
    done: 'done a',
    item: [
      'bare qr4S5N9H9A1-9v_dsv9OG7',
      'bare UwHoryGiO0GeDz71dT5WcM',
      'place SF4NcsyoC4NvkOcINvwC22',
      'place tjNtBfYYRDsQE2OVfAUbc7',
      'content TJiOXBH5-vSQj-3Uap48NF',
      'content -AmXDvOsJw6iK-rY9Jy_Hk',
      'sent RSw2caBA7bh4i9UDUnzyHl',
      'sent r85TBUloUAb966boyTlGOO',
    ],
    share: [
      'bare BbNUH-rtwrAXztYupI0eOT',
      'place SF4NcsyoC4NvkOcINvwC22',
      'place tjNtBfYYRDsQE2OVfAUbc7',
      'content zpQenV1m9UdtsuRBzIQEJr',
      'content AsZRgPC0Mge5UyJ5QiojOZ',
    ],
    tool: ['bare 8OADlKHccldYCb7ysSQs-S', 'content 2DpY_cO6i4c75HPIG5BC5k', 'content NJn3sIpKoL7ksXmb8oo1oR'],
    once: {
      digest: 'UqRG0tOWsO2ykMun',
      key: 'key UqRG0tOWsO2ykMun',
      copy: 'copy of key UqRG0tOWsO2ykMun',
      claim: 'copy of claim UqRG0tOWsO2ykMun',
      claims: ['key UqRG0tOWsO2ykMun'],
      payment: 'payment UqRG0tOWsO2ykMun dDo6tJ6hBWTGCn1Y',
      done: 'done UqRG0tOWsO2ykMun laCEi7ZYxQ069okI',
      own: [
        'own UqRG0tOWsO2ykMun execution 5 node 0 eqnV4KI-02FlckFY',
        'own UqRG0tOWsO2ykMun context 1000 node 0 eqnV4KI-02FlckFY',
      ],
      ownBefore: ['own UqRG0tOWsO2ykMun execution 5 node 0 eqnV4KI-02FlckFY'],
    },
    codes: ['key-IWAML', 'key-j33Ku', 'key-YYfxT', 'key-XI0rS', 'key-9f31r'],
    place: '5zOnyYHKNg6i9UJUYZ-EI3',
  });
});
