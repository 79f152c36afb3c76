import { decideRequest, refusal } from '../../../nodes/PaymentPlatform/run/decide-request';
import { partlyDone, stoppedBetweenSteps } from '../../../nodes/PaymentPlatform/messages/earlier-attempts';
import {
  inSteps,
  itemOf,
  originalRequest,
  movedBefore,
  itemStepsOf,
  placeOf,
  recallSteps,
  sharesOf,
} from '../../../nodes/PaymentPlatform/model/operation';
import type { Finished, Remembered, WriteMemory } from '../../../nodes/PaymentPlatform/model/write-memory';
import type {
  Account,
  Operation,
  PlannedRequest,
  RequestDeclaration,
} from '../../../nodes/PaymentPlatform/model/types';
import type { Failure } from '../../../nodes/PaymentPlatform/model/failure';
import { operationOf } from '../requests';

const write = (method: 'POST' | 'PUT', path: string, more: Partial<RequestDeclaration> = {}): RequestDeclaration => ({
  method,
  path,
  family: 'platform',
  effect: 'writesOnce',
  ...more,
});
const add = write('POST', '/platform/plan', { merchant: { place: 'body', name: 'merchant_id' } });
const change = write('PUT', '/platform/plan/{plan_code}', { family: 'gateway', effect: 'repeatsSafely' });
const twoSteps = operationOf({
  request: add,
  steps: { sends: [add, change], each: [{ decide: () => ({ done: {} }) }, { decide: () => ({ done: {} }) }] },
});

const requestOf = (more: Partial<PlannedRequest> = {}): PlannedRequest => ({
  items: [3],
  part: 0,
  operation: twoSteps,
  options: { unknownOutcome: 'lookUp', testEnvironmentOnly: false },
  values: { path: { plan_code: 'GOLD' }, query: {}, body: { amt_tran: 10 }, node: { flag: true } },
  method: 'POST',
  path: '/platform/plan',
  family: 'platform',
  effect: 'writesOnce',
  simplify: true,
  ...more,
});
const oneStep = requestOf({ operation: operationOf({}) });
const done = (record: object = {}): Finished => ({ outcome: 'done', records: [{ ...record }] });

const memoryOf = (known: Array<Remembered | undefined>, cents: number[] = []) =>
  ({
    recall: ({ part }: PlannedRequest) => known[part],
    moved: ({ part }: PlannedRequest) => cents[part] ?? 0,
  }) as unknown as WriteMemory;
const account = { merchantId: '880000000001' } as Account;

test('a write has the position of its first item and of its step', () => {
  expect([requestOf(), requestOf({ items: [7, 8], part: 2 }), requestOf({ items: [] })].map(placeOf)).toEqual([
    '3.0',
    '7.2',
    '0.0',
  ]);
});

test('a shared request contains one write per object', () => {
  const shares = [requestOf({ items: [1] }), requestOf({ items: [2] })];
  expect(sharesOf(requestOf({ shares }))).toBe(shares);
  expect(sharesOf(oneStep)).toEqual([oneStep]);
});

describe('the writes of an item', () => {
  test('an item without steps has one write, its request', () => {
    expect(itemStepsOf(oneStep)).toEqual([oneStep]);
  });

  test('each step of an item has a position, and only the last step is simplified', () => {
    expect(itemStepsOf(requestOf()).map(({ part, simplify }) => [part, simplify])).toEqual([
      [0, false],
      [1, true],
    ]);
    expect(itemStepsOf(requestOf({ simplify: false })).map(({ simplify }) => simplify)).toEqual([false, false]);
  });

  test('only the first write creates the record if a later step changes it', () => {
    const footprint = {} as Operation['footprint'];
    const completion = {} as Operation['completion'];
    const creates = {} as Operation['creates'];
    const decide = () => ({ done: {} });
    const each = [{ decide }, { decide, as: { action: 'Send' } }];
    const existing = 'skip' as never;
    const own = { footprint, completion, creates };
    const writesOf = (first: { createsFirst?: true }) => {
      const operation = operationOf({ ...own, request: add, steps: { sends: [add, change], each, ...first } });
      const options = { unknownOutcome: 'lookUp', testEnvironmentOnly: false, existing } as const;
      return { operation, writes: itemStepsOf(requestOf({ operation, options })) };
    };
    const { operation, writes } = writesOf({ createsFirst: true });
    const [first, second] = writes;
    expect(first?.operation).toBe(operation);
    expect(first?.options).toMatchObject({ existing });
    const none = { footprint: undefined, completion: undefined, creates: undefined };
    expect(second?.operation).toEqual({ ...operation, ...none, action: 'Send' });
    expect(second?.options).toEqual({ unknownOutcome: 'lookUp', testEnvironmentOnly: false, existing: undefined });
    const [, other] = writesOf({}).writes;
    expect(other?.operation).toMatchObject({ ...own, action: 'Send' });
    expect(other?.options).toMatchObject({ existing });
  });

  test('an operation has its optional steps only if the item wants them', () => {
    const steps = twoSteps.steps as NonNullable<Operation['steps']>;
    const optional = operationOf({ optionalSteps: { steps, isWanted: ({ node }) => node.send === true } });
    const { values } = requestOf();
    const wanted = inSteps(optional, { ...values, node: { send: true } });
    expect(wanted).toEqual({ ...optional, steps });
    expect(inSteps(optional, { ...values, node: { send: true } })).toBe(wanted);
    expect(inSteps(optional, values)).toBe(optional);
    expect(inSteps(twoSteps, values)).toBe(twoSteps);
    expect(itemStepsOf(requestOf({ operation: operationOf({ steps: { sends: [], each: [] } }) }))).toEqual([]);
  });

  test('the writes of an item are recalled up to the first incomplete write', () => {
    const first = done({ plan_id: 1 });
    const unknown: Remembered = { outcome: 'unknown', code: '3.1-abcde' };
    expect(recallSteps(memoryOf([]), requestOf())).toEqual({ done: [], next: { ...requestOf(), simplify: false } });
    expect(recallSteps(memoryOf([first]), requestOf())).toEqual({ done: [first], next: requestOf({ part: 1 }) });
    expect(recallSteps(memoryOf([first, unknown]), requestOf())).toMatchObject({ done: [first], stop: unknown });
    expect(recallSteps(memoryOf([unknown, first]), requestOf())).toMatchObject({ done: [], stop: unknown });
    expect(recallSteps(memoryOf([first, first]), requestOf())).toEqual({ done: [first, first] });
  });

  test('each write of an item counts the amounts of earlier steps but not its own amount', () => {
    const memory = memoryOf([], [300, 700]);
    expect(movedBefore(memory, requestOf())).toBe(0);
    expect(movedBefore(memory, requestOf({ part: 1 }))).toBe(300);
    const asked = requestOf({ part: 1 });
    expect(movedBefore(memory, requestOf({ part: 1, decided: { asked, to: change, kept: [] } }))).toBe(300);
  });

  test("the writes of an item are identified by the item's own request, regardless of a step's decision", () => {
    const asked = requestOf({ part: 1 });
    expect(originalRequest(asked)).toBe(asked);
    expect(originalRequest(requestOf({ decided: { asked, to: change, kept: [] } }))).toBe(asked);
  });
});

describe('the failure of an item with steps', () => {
  const failure = (outcome: Failure['outcome']): Failure => ({
    outcome,
    message: 'No answer',
    advice: 'Look.',
    references: { plan_code: 'NEW' },
  });

  test('the failure of an item stays unchanged if no step is completed', () => {
    expect(partlyDone(failure('declined'), [], requestOf())).toEqual(failure('declined'));
  });

  test('the failure of an item with steps states the completed part with the IDs of its records', () => {
    const told = partlyDone(failure('declined'), [done({ subscription_id: 7, other: 1 })], requestOf());
    expect(told).toMatchObject({
      outcome: 'declined',
      message: 'Completed 1 of 2 steps (subscription_id 7). The next step was not completed: No answer',
      advice: 'Look.',
      applied: true,
      references: { subscription_id: 7, plan_code: 'NEW' },
    });
  });

  test("the failure of an item with steps doesn't report an unknown outcome as applied and contains no empty brackets", () => {
    const told = partlyDone(failure('unknown'), [done()], requestOf());
    expect(told).not.toHaveProperty('applied');
    expect(told.message).toBe('Completed 1 of 2 steps. The next step was not completed: No answer');
    expect(partlyDone(failure('unknown'), [{ records: [] }], requestOf()).message).toBe(told.message);
  });

  test('the failure of an item with steps says why the run stopped between steps', () => {
    expect(stoppedBetweenSteps()).toMatchObject({
      outcome: 'notSent',
      message: 'The step was not started. The run stopped earlier',
    });
    expect(stoppedBetweenSteps('a reason').message).toBe('The step was not started. a reason');
    expect(stoppedBetweenSteps().advice).toBe('Run this item again.');
  });
});

describe('the request of a step', () => {
  const decide = (decision: Parameters<typeof decideRequest>[1], part = requestOf(), memory = memoryOf([])) =>
    decideRequest(part, decision, account, memory);

  test("the request of a step is sent to the chosen path with the item's fields and merchant", () => {
    expect(decide({ to: change, body: { plan_name: 'Gold' } })).toMatchObject({
      decided: { asked: requestOf(), to: change },
      method: 'PUT',
      path: '/platform/plan/GOLD',
      family: 'gateway',
      effect: 'repeatsSafely',
      values: { path: { plan_code: 'GOLD' }, query: {}, body: { plan_name: 'Gold' }, node: { flag: true } },
    });
    expect(decide({ to: change, path: { plan_code: 'A-B' } })).toMatchObject({ path: '/platform/plan/A-B' });
    expect(decide({ to: add })).toMatchObject({ values: { body: { merchant_id: '880000000001' } } });
    expect(decide({ to: add, body: { merchant_id: '5' } })).toMatchObject({ values: { body: { merchant_id: '5' } } });
    expect(decide({ to: change, query: { page: 1 } })).toMatchObject({ values: { query: { page: 1 } } });
  });

  test("the request of a step keeps the item's merchant and generated reference", () => {
    const [merchant, reference] = ['880000000002', { name: 'invoice_number', value: 'A1', isLasting: true }];
    const item = { path: {}, query: {}, body: { amt_tran: 10 }, node: {} };
    const valuesOf = (more: object) => decide({ to: add }, requestOf({ values: { ...item, ...more } }));
    const sent = { path: {}, query: {}, body: { merchant_id: '880000000001' }, node: {} };
    expect(valuesOf({ merchant, reference })).toHaveProperty('values', { ...sent, merchant, reference });
    for (const name of ['merchant', 'reference']) expect(valuesOf({})).not.toHaveProperty(['values', name]);
  });

  test('the request of a step lists only the fields that the step sends back unchanged', () => {
    expect(decide({ to: add })).toHaveProperty('decided.kept', []);
    expect(decide({ to: add, kept: ['plan_name'] })).toHaveProperty('decided.kept', ['plan_name']);
  });

  test("the request of a step is refused if its amount has decimals that the currency doesn't have", () => {
    const body = { amt_tran: 1.5, tran_currency: 'JPY' };
    expect(decide({ to: add, body })).toMatchObject({
      outcome: 'invalid',
      message: expect.stringContaining('must be a whole number, because JPY has no decimals') as string,
    });
    expect(decide({ to: add, body: { ...body, amt_tran: 2 } })).toHaveProperty('decided');
  });

  test("the request of a step is refused if the operation doesn't name it or a path field is missing", () => {
    const stray = write('PUT', '/platform/plan/{plan_code}');
    expect(decide({ to: stray })).toEqual(
      refusal('This operation does not support the request PUT /platform/plan/{plan_code}'),
    );
    expect(decide({ to: add }, oneStep)).toEqual(
      refusal('This operation does not support the request POST /platform/plan'),
    );
    for (const plan_code of [undefined, null, '', '../1'])
      expect(decide({ to: change, path: { plan_code } })).toMatchObject({ outcome: 'invalid' });
  });

  test("the requests of all steps may move at most the item's amount", () => {
    const moving = (amt_tran: number, ...moved: number[]) =>
      decide({ to: add, body: { amt_tran } }, requestOf({ part: 1 }), memoryOf([], moved));
    expect(moving(10)).toHaveProperty('decided');
    expect(moving(6, 400)).toHaveProperty('decided');
    const refused = refusal('The requested amount exceeds the maximum for this item (10)');
    expect(moving(10.01)).toEqual(refused);
    expect(moving(6.01, 400)).toEqual(refused);
    expect(decide({ to: add, body: { amt_tran: 'ten' } })).toEqual(refused);
  });

  test("the amount of a step isn't checked if the item's amount is unknown", () => {
    const part = requestOf({ values: { path: {}, query: {}, body: { amt_tran: 'ten' }, node: {} } });
    expect(decide({ to: add, body: { amt_tran: 1000 } }, part)).toHaveProperty('decided');
  });
});

test('a request and each of its steps belong to the item that caused them', () => {
  const asked = requestOf();
  const decided = { asked, kept: [] } as unknown as PlannedRequest['decided'];
  expect([itemOf(asked), itemOf({ ...asked, items: [0], decided })]).toEqual([3, 3]);
  expect(itemOf(requestOf({ items: [] }))).toBe(0);
});
