import type { Planned, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { ExecutionLimit } from '../../../nodes/PaymentPlatform/limits/execution-limit';
import type { WriteMemory } from '../../../nodes/PaymentPlatform/model/write-memory';
import { moneyRequest } from '../requests';

const plan = (item: number, amt_tran: unknown, limitPerExecution?: number, more: object = {}): Planned => ({
  request: {
    ...moneyRequest({ body: { amt_tran } }),
    items: [item],
    options: { limitPerExecution },
    ...more,
  } as unknown as PlannedRequest,
});
const memory = (movedCents = 0, more: object = {}) =>
  ({ movedCents, recall: () => undefined, ...more }) as unknown as WriteMemory;
const limitOf = (movedCents?: number, more?: object) => new ExecutionLimit(memory(movedCents, more));
const passing = (planned: Planned[], movedCents?: number) =>
  limitOf(movedCents)
    .within(planned)
    .map((one) => 'request' in one);
/** Returns the limit with another total of the execution. */
function takenAt(limit: ExecutionLimit, request: PlannedRequest, movedCents: number) {
  Object.assign((limit as unknown as { memory: object }).memory, { movedCents });
  return limit.take(request);
}

test('refuses items above the total in input order', () => {
  expect(passing([plan(0, 4, 10), plan(1, 4, 10), plan(2, 4, 10), plan(3, 2, 10), plan(4, 0.01, 10)])).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
});

test('names the item and the sums in a refusal', () => {
  const over = plan(5, '7.2', 10);
  const [, second] = limitOf().within([plan(3, 4.1, 10), over]);
  expect(second).toEqual({
    item: 5,
    refused: 'request' in over && over.request,
    failure: {
      outcome: 'invalid',
      message: '"Limit per Execution" allows 10 in total. The total so far is 4.1, and this request would add 7.2',
      advice: 'A person who can edit the workflow can raise the limit in the parameters of the node.',
    },
  });
});

test('adds up decimals exactly', () => {
  expect(passing([plan(0, 0.1, 0.3), plan(1, 0.2, 0.3)])).toEqual([true, true]);
  expect(passing([plan(0, 0.1, 0.3), plan(1, 0.21, 0.3)])).toEqual([true, false]);
});

test('refuses items if the total is not a number, unless they move nothing', () => {
  for (const moved of [NaN, Infinity]) {
    expect(passing([plan(0, 1, 1e9), plan(1, 0, 1e9), plan(2, 1)], moved)).toEqual([false, true, true]);
    expect(takenAt(limitOf(moved), (plan(0, 1, 1e9) as { request: PlannedRequest }).request, moved)).toBeDefined();
  }
});

test('the limit per execution counts an item without the option but never refuses the item', () => {
  expect(passing([plan(0, 100), plan(1, 1, 10), plan(2, 1e9)])).toEqual([true, false, true]);
});

test('allows items that move nothing even if the total is used up', () => {
  const reading = { effect: 'reads' };
  expect(passing([plan(0, 0, 0), plan(1, 5, 0, reading), plan(2, 'unreadable', 0)])).toEqual([true, true, true]);
});

test('allows items that move nothing even if the total was exceeded', () => {
  expect(passing([plan(0, 100), plan(1, 0, 10)])).toEqual([true, true]);
});

test("doesn't count an item that was refused before", () => {
  const failed = { failure: { outcome: 'invalid', message: 'x', advice: '' }, item: 0 } as Planned;
  const all = [failed, plan(1, 10, 10)];
  expect(limitOf().within(all)).toEqual(all);
});

test('counts the amounts that the execution moved before', () => {
  expect(passing([plan(0, 4, 10), plan(1, 1, 10)], 600)).toEqual([true, false]);
});

test("doesn't count results from memory again", () => {
  const done = limitOf(600, { recall: () => ({ outcome: 'done' }) });
  expect(done.within([plan(0, 6, 10)])).toEqual([plan(0, 6, 10)]);
});

test("doesn't query the memory about reads", () => {
  const recall = () => {
    throw new Error('asked');
  };
  const reads = [plan(0, 5, 10, { effect: 'reads' })];
  expect(limitOf(0, { recall }).within(reads)).toEqual(reads);
});

test("the amounts of an item's earlier steps count once", () => {
  const { operation } = moneyRequest({ body: {} });
  const stepped = plan(0, 9, 9, { operation: { ...operation, steps: { each: [{}, {}] } } });
  const recall = ({ part }: PlannedRequest) => (part === 0 ? { outcome: 'done' } : undefined);
  const passes = (moved: number) =>
    limitOf(500, { recall, moved: () => moved })
      .within([stepped])
      .map((one) => 'request' in one);
  expect(passes(500)).toEqual([true]);
  expect(passes(499)).toEqual([false]);
});

describe('a request with a reserved amount', () => {
  const sent = (amount: number) => (plan(0, amount, 10) as { request: PlannedRequest }).request;
  const reserved = () => {
    const limit = limitOf();
    limit.within([plan(0, 4, 10)]);
    return limit;
  };

  test('a request with a reserved amount is sent even if later payments exceed the limit', () => {
    expect(takenAt(reserved(), sent(4), 2000)).toBeUndefined();
  });

  test('a request that moves more than expected still uses its reserved amount', () => {
    expect(takenAt(reserved(), sent(6), 400)).toBeUndefined();
    expect(takenAt(reserved(), sent(6), 401)?.message).toContain(
      'The total so far is 4.01, and this request would add 6',
    );
  });

  test('a request that moves more than expected releases its reserved amount', () => {
    const limit = reserved();
    expect(takenAt(limit, sent(6), 0)).toBeUndefined();
    expect(takenAt(limit, { ...sent(4), items: [1] }, 600)).toBeUndefined();
  });
});

test('the rest of a reserved amount stays reserved for the later steps of the item', () => {
  const limit = limitOf();
  const take = (item: number, amount: number, movedCents: number) =>
    takenAt(limit, (plan(item, amount, 10) as { request: PlannedRequest }).request, movedCents);
  limit.within([plan(0, 10, 10)]);
  expect(take(0, 4, 0)).toBeUndefined();
  expect(take(1, 0.01, 400)?.message).toContain('The total so far is 10, and this request would add 0.01');
  expect(take(0, 6, 400)).toBeUndefined();
  expect(take(1, 0.01, 400)).toBeUndefined();
});

test('an item without a limit releases its reserved amount when it is sent', () => {
  const limit = limitOf();
  const [free, limited] = [plan(0, 2), plan(1, 2, 4)] as Array<{ request: PlannedRequest }>;
  limit.within([free as Planned]);
  expect(limit.take((free as { request: PlannedRequest }).request)).toBeUndefined();
  expect(takenAt(limit, (limited as { request: PlannedRequest }).request, 200)).toBeUndefined();
});

describe('an item that may exist at the service', () => {
  const existing = { existing: { then: 'return' } };
  const maybe = (item: number, amt_tran: number, limitPerExecution: number) => {
    const planned = plan(item, amt_tran, limitPerExecution);
    return 'request' in planned
      ? { request: { ...planned.request, options: { ...planned.request.options, ...existing } } as PlannedRequest }
      : planned;
  };
  const requestOf = (planned: Planned) => ('request' in planned ? planned.request : undefined) as PlannedRequest;

  test('an item that may exist at the service reserves nothing before it is sent', () => {
    expect(passing([maybe(0, 10, 10), maybe(1, 10, 10), plan(2, 10, 10)])).toEqual([true, true, true]);
  });

  test('an item that may exist at the service is refused when it is sent if no amount remains', () => {
    const [first, second, third] = [maybe(0, 4, 10), plan(1, 4, 10), maybe(2, 4, 10)];
    const limit = limitOf(200);
    limit.within([first, second, third]);
    expect(takenAt(limit, requestOf(first), 200)).toBeUndefined();
    expect(takenAt(limit, requestOf(second), 600)).toBeUndefined();
    expect(takenAt(limit, requestOf(third), 1000)?.message).toContain('allows 10 in total. The total so far is 10');
    expect(takenAt(limit, requestOf(third), 600)).toBeUndefined();
  });

  test("an item that may exist at the service doesn't use the reserved amount of a later item", () => {
    const [later, now] = [plan(0, 8, 10), maybe(1, 4, 10)];
    const limit = limitOf();
    limit.within([later, now]);
    expect(takenAt(limit, requestOf(now), 0)?.message).toContain('allows 10 in total. The total so far is 8');
    expect(takenAt(limit, requestOf(later), 0)).toBeUndefined();
    expect(takenAt(limit, requestOf(now), 0)).toBeUndefined();
  });
});
