import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../../../nodes/PaymentPlatform/model/failure';
import type { Footprint, WriteValues } from '../../../nodes/PaymentPlatform/model/footprint';
import type { RequestResult } from '../../../nodes/PaymentPlatform/model/results';
import type { Account, Operation, Planned, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Remembered, WriteMemory } from '../../../nodes/PaymentPlatform/model/write-memory';
import { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import { ExecutionMemory } from '../../../nodes/PaymentPlatform/once/execution-memory';
import {
  correctByDatabase,
  correctByPlaces,
  recallFromDatabase,
  withoutSending,
  withSharedRecord,
} from '../../../nodes/PaymentPlatform/run/results-without-sending';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { ProcessedData } from '../../processed-data';
import { done, failureOf, open, reading, requestOf } from '../fake-run';
import { account } from '../requests';

const refusal: Failure = { outcome: 'invalid', message: 'No room', advice: 'Lower it.' };
const twoSteps: Partial<Operation> = { steps: { sends: [], each: [{ decide: jest.fn() }, { decide: jest.fn() }] } };

describe('an item that is not sent', () => {
  const knowing = (known: Array<Remembered | undefined>, more: Partial<WriteMemory> = {}) =>
    ({ recall: ({ part }: PlannedRequest) => known[part], openAttempts: () => 0, ...more }) as unknown as WriteMemory;
  const resultOf = (plan: Planned, memory: WriteMemory) => withoutSending(plan, memory);
  const refused: Planned = { failure: refusal, item: 3 };

  test("an item that isn't sent fails with its own reason if no earlier attempt sent the item", () => {
    const expected = [{ items: [3], kind: 'failed', failure: refusal }];
    expect(resultOf(refused, knowing([]))).toEqual(expected);
    expect(resultOf(refused, knowing([], { standing: () => undefined }))).toEqual(expected);
  });

  test("an item that isn't sent is unknown or completed if an earlier attempt sent the item", () => {
    const standing = jest.fn((): ReturnType<NonNullable<WriteMemory['standing']>> => ({ outcome: 'unknown' }));
    expect(resultOf(refused, knowing([], { standing }))).toMatchObject([
      {
        items: [3],
        kind: 'failed',
        failure: { outcome: 'unknown', message: expect.stringMatching(/No room$/) as string },
      },
    ]);
    expect(standing).toHaveBeenCalledWith(3);
    standing.mockReturnValue({ outcome: 'done', records: [{ invoice_id: '9' }] });
    expect(resultOf(refused, knowing([], { standing }))).toMatchObject([
      { failure: { outcome: 'doneBefore', references: { invoice_id: '9' } } },
    ]);
  });

  test("an item that isn't sent gets the result of an earlier attempt that completed the item", () => {
    const request = requestOf({ items: [3] }, twoSteps);
    expect(resultOf({ request }, knowing([done, { outcome: 'done', records: [{ id: 2 }] }]))).toEqual([
      { items: [3], kind: 'done', records: [{ id: 2 }], remembered: true },
    ]);
    expect(resultOf({ request: requestOf() }, knowing([{ outcome: 'done', records: [] }]))).toMatchObject([
      { records: [] },
    ]);
  });

  test("an item that isn't sent stays unknown if an earlier attempt left it unknown, and names the completed part", () => {
    const plan = { request: requestOf({ items: [3] }, twoSteps) };
    const [first] = resultOf(plan, knowing([open]));
    expect(first).toMatchObject({
      items: [3],
      kind: 'failed',
      remembered: true,
      failure: { outcome: 'unknown', resolveCode: 'abc' },
    });
    const [second] = resultOf(plan, knowing([done, open]));
    expect(second).toMatchObject({
      remembered: true,
      failure: { message: expect.stringMatching(/^Completed 1 of 2 steps \(invoice_id 9\)/) as string },
    });
  });

  test('an item without an earlier attempt is not started, and names the completed part', () => {
    const plan = { request: requestOf({ items: [3] }, twoSteps) };
    expect(resultOf(plan, knowing([]))).toEqual([{ items: [3], kind: 'notStarted', reason: undefined }]);
    const [between] = resultOf(plan, knowing([done]));
    expect(between).toMatchObject({ items: [3], kind: 'failed', failure: { outcome: 'notSent' } });
    expect(between).not.toHaveProperty('remembered');
    expect(resultOf(plan, knowing([done], { openAttempts: () => 1 }))).toMatchObject([
      {
        failure: {
          outcome: 'unknown',
          message: expect.stringMatching(/^Completed 1 of 2 steps.*The item was not sent again/) as string,
        },
      },
    ]);
  });

  test('an item that only reads is not started, regardless of the memory', () => {
    expect(resultOf({ request: reading({ items: [3] }) }, knowing([done]))).toMatchObject([{ kind: 'notStarted' }]);
  });

  test("a shared request that isn't sent has a result for each of its objects", () => {
    const request = requestOf({ items: [0, 1] });
    request.shares = [requestOf(), requestOf({ items: [1], part: 1 })];
    expect(resultOf({ request }, knowing([done, open])).map(({ items, kind }) => [items, kind])).toEqual([
      [[0], 'done'],
      [[1], 'failed'],
    ]);
  });
});

let workflows = 0;

function executionOf(requests: PlannedRequest[]) {
  const database = new ProcessedData();
  const workflowId = `workflow ${(workflows += 1)}`;
  const start = (mode: string, own: Partial<Account> = {}, source = 'trigger', major = 2) => {
    const kept = {};
    const context = {
      getWorkflow: () => ({ id: workflowId }),
      getNode: () => ({ id: 'node', type: 'paymentPlatform', parameters: {} }),
      getMode: () => mode,
      getExecutionId: () => mode,
      getExecutionContext: () => ({
        version: 1,
        establishedAt: source === 'retry' ? 2000 : 1000,
        source,
        ...(major === 2 && { triggerNode: { name: 'Start', type: 'start' } }),
      }),
      getChildNodes: () => [],
      getParentNodes: () => [],
      getInputData: () => [{ json: { row: 0 } }, { json: { row: 1 } }, { json: { row: 2 } }],
      getContext: () => kept,
      evaluateExpression: () => 0,
      helpers: database.helpers(workflowId),
    } as unknown as IExecuteFunctions;
    const memory = ExecutionMemory.open(context, { ...account, ...own });
    return { context, memory, keys: DatabaseKeys.open(context, { ...account, ...own }, requests, 60_000) };
  };
  const kill = async (major = 2) => {
    const { keys } = start('trigger', {}, 'trigger', major);
    const [first, second] = requests.flatMap((request) => request.shares ?? [request]);
    for (const one of [first, second]) if (one) await keys.begin(one, '0.0');
    if (first) keys.settle(first, 'done');
    if (second) keys.settle(second, 'unknown');
    await keys.end();
  };
  return { start, kill };
}
const payment = (item: number, more: object = {}) =>
  requestOf({ items: [item], values: { path: {}, query: {}, body: { amt_tran: item + 1 }, node: {} }, ...more });
const refusedResult = (item: number): RequestResult => ({ items: [item], kind: 'failed', failure: refusal });
const outcomesOf = (results: RequestResult[]) =>
  results.map((result) => (result.kind === 'failed' ? result.failure.outcome : result.kind));

describe('a retry that does not send its items', () => {
  const three = [0, 1, 2].map((item) => payment(item));

  test('reports the outcomes of the killed attempt for items that a guard refuses now', async () => {
    const { start, kill } = executionOf(three);
    await kill();
    const planned = three.map((refused, item): Planned => ({ failure: refusal, item, refused }));
    const given = planned.map((_, item) => [refusedResult(item)]);
    const results = await correctByDatabase(start('retry'), planned, given);
    expect(outcomesOf(results)).toEqual(['doneBefore', 'unknown', 'invalid']);
    expect(results.map(({ items }) => items)).toEqual([[0], [1], [2]]);
    expect(results.slice(0, 2)).toMatchObject([{ remembered: true }, { remembered: true }]);
    expect(results[1]).toMatchObject({
      failure: {
        message: expect.stringContaining('an earlier attempt started to send an item at this position') as string,
      },
    });
    expect(results[2]).toEqual(refusedResult(2));
  });

  test('reports the outcomes of the killed attempt for items that were not started', async () => {
    const { start, kill } = executionOf(three);
    await kill();
    const given = three.map(({ items }): RequestResult[] => [{ items, kind: 'notStarted' }]);
    const results = await correctByDatabase(
      start('retry'),
      three.map((request) => ({ request })),
      given,
    );
    expect(outcomesOf(results)).toEqual(['done', 'unknown', 'notStarted']);
    expect(results[0]).toMatchObject({ remembered: true, records: [{ done_by_earlier_try: true }] });
  });

  test("reports that the killed attempt started an item at the position of an item that can't be planned", async () => {
    const { start, kill } = executionOf(three);
    await kill();
    const planned = three.map((_, item): Planned => ({ failure: refusal, item }));
    const results = await correctByDatabase(
      start('retry'),
      planned,
      planned.map((_, item) => [refusedResult(item)]),
    );
    expect(outcomesOf(results)).toEqual(['unknown', 'unknown', 'invalid']);
  });

  test('reports that n8n 1 lost the execution that may have sent an equal item', async () => {
    const { start, kill } = executionOf(three);
    await kill(1);
    const [first] = three as [PlannedRequest];
    const results = await correctByDatabase(
      start('retry', {}, 'retry', 1),
      [{ failure: refusal, item: 0, refused: first }],
      [[refusedResult(0)]],
    );
    expect(results).toMatchObject([
      { failure: { outcome: 'unknown', message: expect.stringContaining('already sent a matching item') as string } },
    ]);
  });

  test('keeps results that state the outcome of an item', async () => {
    const { start, kill } = executionOf(three);
    await kill();
    const planned = three.map((request) => ({ request }));
    const given: RequestResult[][] = [
      [{ items: [0], kind: 'done', records: [] }],
      [{ items: [1], kind: 'failed', failure: failureOf('unknown') }],
      [{ items: [2], kind: 'failed', failure: failureOf('doneBefore') }],
    ];
    expect(await correctByDatabase(start('retry'), planned, given)).toEqual(given.flat());
  });

  test("doesn't query the database about reads", async () => {
    const { start, kill } = executionOf(three);
    await kill();
    const { keys, memory, context } = start('retry');
    const earlier = jest.spyOn(keys, 'earlier');
    const given: RequestResult[][] = [[{ items: [0], kind: 'notStarted' }]];
    expect(await correctByDatabase({ keys, memory, context }, [{ request: reading() }], given)).toEqual(given.flat());
    expect(earlier).not.toHaveBeenCalled();
  });

  test('gives each item of a shared request a separate result', async () => {
    const whole = payment(0, { items: [0, 1, 2] });
    whole.shares = three.map((share) => ({ ...share, whole }));
    const { start, kill } = executionOf([whole]);
    await kill();
    const results = await correctByDatabase(
      start('retry'),
      [{ request: whole }],
      [[{ items: [0, 1, 2], kind: 'notStarted', reason: 'Stopped' }]],
    );
    expect(results.map(({ items }) => items)).toEqual([[0], [1], [2]]);
    expect(outcomesOf(results)).toEqual(['done', 'unknown', 'notStarted']);
    expect(results[2]).toEqual({ items: [2], kind: 'notStarted', reason: 'Stopped' });
  });

  test('keeps the result of a shared request that no earlier attempt sent', async () => {
    const whole = payment(0, { items: [0, 1, 2] });
    whole.shares = three.map((share) => ({ ...share, whole }));
    const { start } = executionOf([whole]);
    for (const result of [{ kind: 'notStarted' }, { kind: 'failed', failure: refusal }] as const) {
      const given: RequestResult[][] = [[{ items: [0, 1, 2], ...result }]];
      expect(await correctByDatabase(start('retry'), [{ request: whole }], given)).toEqual(given.flat());
    }
  });

  test('reports that n8n 1 lost the execution that may have sent equal items of a shared request', async () => {
    const whole = payment(0, { items: [0, 1, 2] });
    whole.shares = three.map((share) => ({ ...share, whole }));
    const { start, kill } = executionOf([whole]);
    await kill(1);
    const results = await correctByDatabase(
      start('retry', {}, 'retry', 1),
      [{ failure: refusal, item: 0, refused: whole }],
      [[{ items: [0, 1, 2], kind: 'failed', failure: refusal }]],
    );
    expect(outcomesOf(results)).toEqual(['unknown', 'unknown', 'invalid']);
    expect(results[0]).toMatchObject({
      failure: { message: expect.stringContaining('already sent a matching item') as string },
    });
  });

  test('reports the outcomes of the killed attempt for unstarted items of a shared request', async () => {
    const whole = payment(0, { items: [0, 1, 2] });
    whole.shares = three.map((share) => ({ ...share, whole }));
    const { start, kill } = executionOf([whole]);
    await kill();
    const finished: RequestResult = { items: [0], kind: 'done', records: [{ pg_id: 'own' }] };
    const rest = [1, 2].map((item): RequestResult => ({ items: [item], kind: 'notStarted', reason: 'Stopped' }));
    const results = await correctByDatabase(start('retry'), [{ request: whole }], [[finished, ...rest]]);
    expect(results.map(({ items }) => items)).toEqual([[0], [1], [2]]);
    expect(outcomesOf(results)).toEqual(['done', 'unknown', 'notStarted']);
    expect([results[0], results[2]]).toEqual([finished, rest[1]]);
  });

  test.each(['invalid', 'notSent', 'declined'] as const)(
    'reports that the killed attempt started an item at the position of an item that is %s now',
    async (outcome) => {
      const { start, kill } = executionOf(three);
      await kill();
      const failed = (items: number[], became: Failure['outcome']): RequestResult => ({
        items,
        kind: 'failed',
        failure: failureOf(became),
      });
      const given = [failed([0, 2], outcome), failed([1], 'doneBefore'), failed([2], outcome)];
      const { context } = start('retry');
      const results = await correctByPlaces(context, given, [0, 1, 2]);
      expect(outcomesOf(results)).toEqual(['unknown', 'doneBefore', outcome]);
      expect(results[0]).toMatchObject({
        failure: { message: expect.stringContaining('an item at this position') as string },
        remembered: true,
      });
    },
  );

  test('checks a refused item of another account only at its own position', async () => {
    const { start, kill } = executionOf(three);
    await kill();
    const first = start('retry');
    first.memory.sending(payment(2));
    const other = ExecutionMemory.open(first.context, { ...account, merchantId: '2' });
    const planned = three.map((request) => ({ request }));
    const given = [0, 1, 2].map((item) => [refusedResult(item)]);
    const results = await correctByDatabase({ ...first, memory: other }, planned, given);
    expect(outcomesOf(results)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  const otherAccount: Remembered = { outcome: 'otherAccount', code: 'abc' };
  test.each<[string, PlannedRequest, Array<Remembered | undefined>, string]>([
    ["an item that the user resolved isn't", payment(0), [], 'invalid'],
    ['an item of another account is', payment(0), [otherAccount], 'unknown'],
    ["an item that only reads isn't", reading(), [otherAccount], 'invalid'],
    [
      'a shared request with one object of another account is',
      payment(0, { shares: [payment(0), payment(1)] }),
      [undefined, otherAccount],
      'unknown',
    ],
  ])('checks by position only items of another account: %s', async (_, request, known, outcome) => {
    const { start, kill } = executionOf(three);
    await kill();
    const { context, keys } = start('retry');
    const recall = ({ items: [item = 0] }: PlannedRequest) => known[item];
    const memory = { recall, attempt: () => '0.0', addEvidence: () => false, openAttempts: () => 0 };
    const attempts = { context, keys, memory: memory as unknown as WriteMemory };
    const results = await correctByDatabase(attempts, [{ request }], [[refusedResult(0)]]);
    expect(results).toMatchObject([{ failure: { outcome, message: expect.stringMatching(/No room$/) as string } }]);
  });

  const unstarted: RequestResult = { items: [0, 1], kind: 'notStarted', reason: 'Stopped' };
  const ofOther = ({ items: [item] }: PlannedRequest) => (item === 1 ? otherAccount : undefined);
  const unread = (refused: string) => ({
    ...{ items: [0, 1], kind: 'failed', remembered: true },
    failure: {
      outcome: 'unknown',
      message: `n8n's database failed, so the node can't tell whether an earlier attempt sent this item. This attempt was refused: ${refused}`,
    },
  });
  test.each<[string, Partial<WriteMemory>, RequestResult, object[]]>([
    [
      'of another account is refused because of the account',
      { recall: ofOther },
      unstarted,
      [
        { items: [0], kind: 'notStarted' },
        { items: [1], kind: 'failed', failure: { outcome: 'invalid', resolveCode: 'abc' } },
      ],
    ],
    ['that the database may contain leaves it unknown', {}, unstarted, [unread('The step was not started. Stopped')]],
    [
      'that the database may contain leaves a refused request unknown',
      {},
      { ...refusedResult(0), items: [0, 1] },
      [unread('No room')],
    ],
  ])('one object of a shared request %s', async (_, known, result, expected) => {
    const earlier = async ({ items: [item] }: PlannedRequest) =>
      await (item === 1 ? Promise.reject(new Error('gone')) : Promise.resolve());
    const request = payment(0, { items: [0, 1], shares: [payment(0), payment(1)] });
    const attempts = {
      context: executionOf([request]).start('retry').context,
      keys: { mayBeRetry: true, hasAsked: () => false, earlier } as unknown as DatabaseKeys,
      memory: {
        recall: () => undefined,
        attempt: () => '0.0',
        openAttempts: () => 0,
        ...known,
      } as unknown as WriteMemory,
    };
    expect(await correctByDatabase(attempts, [{ request }], [[result]])).toMatchObject(expected);
  });
});

test('an item that a retry with another account did not start is refused because of the account', async () => {
  const three = [0, 1, 2].map((item) => payment(item));
  const { start, kill } = executionOf(three);
  await kill();
  const planned = three.map((request) => ({ request }));
  const given = [0, 1, 2].map((item): RequestResult[] => [{ items: [item], kind: 'notStarted' }]);
  const [, , last] = await correctByDatabase(start('retry', { merchantId: '2' }), planned, given);
  expect(last).toMatchObject({
    items: [2],
    kind: 'failed',
    failure: { resolveCode: expect.stringMatching(/^account-/) as string },
  });
  const same = await correctByDatabase(start('retry'), planned, given);
  expect(same.at(-1)).toEqual({ items: [2], kind: 'notStarted' });
});

describe('the first attempt', () => {
  const one = payment(0);

  test("the first attempt keeps all results and doesn't query the database", async () => {
    const { start, kill } = executionOf([one]);
    await kill();
    const { keys, memory, context } = start('trigger');
    const earlier = jest.spyOn(keys, 'earlier');
    const planned: Planned[] = [{ failure: refusal, item: 0, refused: one }];
    expect(await correctByDatabase({ keys, memory, context }, planned, [[refusedResult(0)]])).toEqual([
      refusedResult(0),
    ]);
    await recallFromDatabase({ keys, memory }, [one]);
    expect(earlier).not.toHaveBeenCalled();
  });
});

describe('database entries about the writes of a retry', () => {
  test('writes in the database count toward the total of the execution', async () => {
    const three = [0, 1, 2].map((item) => payment(item));
    const { start, kill } = executionOf(three);
    await kill();
    const { keys, memory } = start('retry');
    await recallFromDatabase({ keys, memory }, three);
    expect(memory.movedCents).toBe(300);
    expect(three.map((request) => memory.recall(request)?.outcome)).toEqual(['done', 'unknown', undefined]);
  });

  test('only writes that could have the same record as another write share a record', () => {
    const key = ({ body }: WriteValues) => asText(body.memo);
    const footprint = { key } as Footprint;
    const of = (memo: string, operation: Partial<Operation> = { footprint }) =>
      requestOf({ values: { path: {}, query: {}, body: { memo }, node: {} } }, operation);
    const [one, other, equal] = [of('a'), of('b'), of('a')];
    expect(withSharedRecord([one, other, equal])).toEqual([one, equal]);
    expect(withSharedRecord([of('a', {}), of('a', {}), of('')])).toEqual([]);
    // The record of a write with two references can also belong to a write with one of them.
    const keysOf = ({ memo }: IDataObject) => [...asText(memo), 'none'];
    const [both, first, rest] = ['ab', 'a', 'c'].map((memo) => of(memo, { footprint: { key, keysOf } as Footprint }));
    expect(withSharedRecord([both, rest, first] as PlannedRequest[])).toEqual([first, both]);
  });

  test('the database is queried once per step, up to the first step that was not started', async () => {
    const steps = [0, 1].map((part) => payment(0, { part, operation: { ...payment(0).operation, ...twoSteps } }));
    const [item] = steps as [PlannedRequest];
    const earlier = jest.fn(
      async ({ part }: PlannedRequest) => await Promise.resolve(part === 0 ? 'begun' : undefined),
    );
    const known: Remembered[] = [];
    const memory = {
      recall: ({ part }: PlannedRequest) => known[part],
      attempt: () => '0.0',
      addEvidence: ({ part }: PlannedRequest) => (known[part] = done),
    } as unknown as WriteMemory;
    const keys = { mayBeRetry: true, hasAsked: () => false, earlier } as unknown as DatabaseKeys;
    await recallFromDatabase({ keys, memory }, [item]);
    expect(earlier.mock.calls.map(([{ part }]) => part)).toEqual([0, 1]);
  });

  test.each<[string, object, Remembered | undefined]>([
    ['was asked about', { hasAsked: () => true }, undefined],
    ['is known to be open', {}, open],
  ])('the database is not queried about a write that %s', async (_, more, known) => {
    const earlier = jest.fn();
    const keys = { mayBeRetry: true, hasAsked: () => false, earlier, ...more } as unknown as DatabaseKeys;
    await recallFromDatabase({ keys, memory: { recall: () => known } as unknown as WriteMemory }, [payment(0)]);
    expect(earlier).not.toHaveBeenCalled();
  });

  test('only a failed query leaves unknown whether an earlier attempt sent the write', async () => {
    for (const [answer, times] of [
      [async () => await Promise.reject(new Error('gone')), 0],
      [async () => await Promise.resolve('begun'), 1],
    ] as const) {
      const addEvidence = jest.fn();
      const keys = { mayBeRetry: true, hasAsked: () => false, earlier: answer } as unknown as DatabaseKeys;
      const memory = { recall: () => undefined, attempt: () => '0.0', addEvidence } as unknown as WriteMemory;
      const one = payment(0);
      expect([...(await recallFromDatabase({ keys, memory }, [one]))]).toEqual(times === 0 ? [one] : []);
      expect(addEvidence).toHaveBeenCalledTimes(times);
    }
  });
});

test('the positions of a killed attempt correct only items that seem not to have been applied', async () => {
  const { start, kill } = executionOf([0, 1, 2].map((item) => payment(item)));
  await kill();
  const { context } = start('retry');
  const given: RequestResult[] = [
    { items: [0], kind: 'done', records: [] },
    { items: [1], kind: 'notStarted' },
    refusedResult(1),
    refusedResult(2),
  ];
  const results = await correctByPlaces(context, given, [0, 1, 2]);
  expect(outcomesOf(results)).toEqual(['done', 'notStarted', 'unknown', 'invalid']);
  expect(outcomesOf(await correctByPlaces(context, given, [2]))).toEqual(['done', 'notStarted', 'invalid', 'invalid']);
  const [, , , unread] = await correctByPlaces({ ...context, helpers: {} } as IExecuteFunctions, given, [2]);
  expect(unread).toMatchObject({
    failure: { outcome: 'unknown', message: expect.stringMatching(/^n8n's database failed, .*No room$/) as string },
  });
});
