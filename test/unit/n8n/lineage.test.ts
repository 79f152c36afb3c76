import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import {
  beganAt,
  decisionNames,
  earliestSending,
  establishedAt,
  hasExecution,
  isInLoop,
  isSaved,
  isTool,
  lineageOf,
  storedStart,
} from '../../../nodes/PaymentPlatform/n8n/lineage';

interface Established {
  establishedAt: number;
  source: string;
  triggerNode?: object;
  parentExecutionId?: string;
}

const START = { name: 'Start', type: 'start' };
const BEGAN = 1_000;

const execution = (mode: WorkflowExecuteMode, established?: Established | 'no function', id: string | null = '7') =>
  ({
    getMode: () => mode,
    getExecutionId: () => id ?? undefined,
    ...(established !== 'no function' && { getExecutionContext: () => established }),
  }) as unknown as IExecuteFunctions;

/** n8n 2 execution context, which n8n stores before the nodes run. */
const stored = { establishedAt: BEGAN, source: 'trigger', triggerNode: START };
/** n8n 1 execution context, which n8n stores together with the result of the execution. */
const storedLater = { establishedAt: BEGAN, source: 'trigger' };
/** Execution context of a retry if n8n lost the context of the failed execution. */
const lost = { establishedAt: 9_000, source: 'retry' };
const ofParent = { ...stored, parentExecutionId: '6' };

const recognizes = (retry: IExecuteFunctions, earlier: IExecuteFunctions) =>
  lineageOf(earlier).names.some((name) => lineageOf(retry).asked.has(name));
const recognizesAccount = (retry: IExecuteFunctions, earlier: IExecuteFunctions) =>
  lineageOf(earlier).accountNames.some((name) => lineageOf(retry).accountsAsked.includes(name));
const recognizesContent = (retry: IExecuteFunctions, earlier: IExecuteFunctions) =>
  lineageOf(retry).asksContent && lineageOf(earlier).recordsContent;

test.each([
  ['the context in n8n 2', stored, stored, { byContext: true, byContent: false }],
  ['the context in n8n 1', storedLater, storedLater, { byContext: true, byContent: false }],
  ['the context of a sub-workflow', ofParent, ofParent, { byContext: true, byContent: false }],
  ['the content if n8n lost the context', storedLater, lost, { byContext: false, byContent: true }],
])('a retry recognizes the account, and the writes by %s', (_, before, after, expected) => {
  const [earlier, retry] = [execution('trigger', before), execution('retry', after, '8')];
  expect(recognizesAccount(retry, earlier)).toBe(true);
  const recognized = { byContext: recognizes(retry, earlier), byContent: recognizesContent(retry, earlier) };
  expect(recognized).toEqual(expected);
});

test('a retry records its writes for the next retry', () => {
  expect(recognizes(execution('retry', stored, '9'), execution('retry', stored, '8'))).toBe(true);
  expect(recognizesContent(execution('retry', lost, '9'), execution('retry', lost, '8'))).toBe(true);
  expect(recognizesAccount(execution('retry', lost, '9'), execution('retry', lost, '8'))).toBe(true);
});

describe('a job that another worker takes over', () => {
  const elsewhere = { ...storedLater, establishedAt: 2_000 };

  test.each([
    ['n8n 1', storedLater, elsewhere],
    ['a sub-workflow', ofParent, { ...ofParent, establishedAt: 2_000 }],
    ['an n8n without contexts', 'no function' as const, 'no function' as const],
    ['an n8n that returns no context', undefined, undefined],
  ])('a job in another worker recognizes the writes and the account by the execution: %s', (_, before, after) => {
    const earlier = execution('trigger', before);
    expect(recognizes(execution('trigger', after), earlier)).toBe(true);
    expect(recognizesAccount(execution('trigger', after), earlier)).toBe(true);
    expect(lineageOf(earlier).names).toContain('execution 7');
  });
});

describe('a call without an execution', () => {
  const DAY = 24 * 60 * 60 * 1000;
  const BEGINNING = 20_000 * DAY;
  afterEach(() => jest.useRealTimers());
  const callAt = (now: number) => {
    jest.useFakeTimers({ now });
    return lineageOf(without);
  };
  const without = execution('trigger', undefined, null);

  test('a call without an execution differs from a call in an execution', () => {
    expect([without, execution('trigger')].map(hasExecution)).toEqual([false, true]);
  });

  test.each([
    ['in the same moment', 0, true],
    ['a day later', DAY, true],
    ['almost two days later', 2 * DAY - 1, true],
    ['two days later', 2 * DAY, false],
  ])('a call without an execution recognizes the calls of the last day: %s', (_, later, recognized) => {
    const { names } = callAt(BEGINNING);
    const { asked } = callAt(BEGINNING + later);
    expect(names.some((name) => asked.has(name))).toBe(recognized);
  });
});

test.each([
  ['n8n 2', stored],
  ['n8n 1', storedLater],
  ['an n8n without contexts', 'no function' as const],
])('a new execution recognizes no write of an execution that began in the same millisecond: %s', (_, context) => {
  const [one, other] = [execution('trigger', context, '7'), execution('trigger', context, '8')];
  expect(recognizes(one, other)).toBe(false);
  expect(recognizesAccount(one, other)).toBe(false);
  expect(recognizesContent(one, other)).toBe(false);
});

test('n8n 2 identifies a new execution only by its context, because n8n always keeps the context', () => {
  expect(lineageOf(execution('trigger', stored))).toEqual({
    isRetry: false,
    names: ['context 1000'],
    asked: new Set(),
    accountNames: ['context 1000'],
    accountsAsked: [],
    recordsContent: false,
    asksContent: false,
  });
});

describe('the time of the execution', () => {
  const beganIn = (context: IExecuteFunctions) => [establishedAt(context), beganAt(context)];

  test('the start time of an execution is that of the first attempt', () => {
    expect(beganIn(execution('retry', stored))).toEqual([BEGAN, BEGAN]);
    expect(beganIn(execution('trigger', stored))).toEqual([BEGAN, undefined]);
  });

  test('the start time of an execution is unknown if n8n lost the context or has none', () => {
    for (const context of [lost, undefined, 'no function'] as const)
      expect(beganIn(execution('retry', context))).toEqual([undefined, undefined]);
  });
});

test.each([
  ['n8n 2', stored, BEGAN],
  ['n8n 1, which stores it later', storedLater, undefined],
  ['a sub-workflow, whose executions can begin again', ofParent, undefined],
  ['an n8n without contexts', 'no function' as const, undefined],
  ['an n8n that returns no context', undefined, undefined],
])('the stored start of %s', (_, context, start) => {
  expect(storedStart(execution('trigger', context))).toBe(start);
  expect(storedStart(execution('retry', context))).toBe(start);
});

describe("the names of an execution in a person's decision", () => {
  const DAY = 24 * 60 * 60 * 1000;
  afterEach(() => jest.useRealTimers());

  test('all attempts of an execution have the same name, and no other execution has it', () => {
    const names = [execution('trigger', stored, '1'), execution('retry', stored, '2')].map(decisionNames);
    expect(names).toEqual([['context 1000'], ['context 1000']]);
    expect(decisionNames(execution('trigger', storedLater))).toEqual(['context 1000']);
    expect(decisionNames(execution('trigger', { ...stored, establishedAt: 1001 }))).not.toEqual(names[0]);
  });

  test.each([
    ['at once', 0, true],
    ['after one day', DAY, true],
    ['before two days', 2 * DAY - 1, true],
    ['after two days', 2 * DAY, false],
  ])('if n8n lost the start of the execution, a decision counts for one to two days: %s', (_, later, counts) => {
    jest.useFakeTimers({ now: 20_000 * DAY });
    const [name = ''] = decisionNames(execution('retry', lost));
    jest.setSystemTime(20_000 * DAY + later);
    expect(decisionNames(execution('retry', lost)).includes(name)).toBe(counts);
    expect(decisionNames(execution('retry', undefined)).includes(name)).toBe(counts);
  });
});

describe('a node in a loop', () => {
  const nodeBetween = (before: string[], after: string[]) =>
    ({
      getNode: () => ({ name: 'Payment' }),
      getParentNodes: (of: string) => (of === 'Payment' ? before : []).map((name) => ({ name })),
      getChildNodes: (of: string) => (of === 'Payment' ? after : []).map((name) => ({ name })),
    }) as unknown as IExecuteFunctions;

  test.each([
    [['Start', 'Loop'], ['Loop', 'Done'], true],
    [['Start', 'Payment'], ['Payment'], true],
    [['Start'], ['Done'], false],
    [[], [], false],
  ])('a node after %j and before %j is in a loop: %j', (before, after, isIn) => {
    expect(isInLoop(nodeBetween(before, after))).toBe(isIn);
  });
});

describe('the search for a write that only the database of n8n knows', () => {
  const NOW = 500_000_000;
  const DAY = 24 * 60 * 60 * 1000;
  beforeEach(() => jest.useFakeTimers({ now: NOW }));
  afterEach(() => jest.useRealTimers());
  const at = (establishedAt: number) => execution('retry', { ...stored, establishedAt });

  test('the search for a write in the database begins at the start of the execution', () => {
    expect(earliestSending(at(NOW - 1))).toBe(NOW - 1);
    expect(earliestSending(at(NOW - 2 * DAY))).toBe(NOW - 2 * DAY);
  });

  test('the search for a write in the database covers a day if the start is unknown', () => {
    expect(earliestSending(execution('retry', lost))).toBe(NOW - DAY);
    expect(earliestSending(execution('trigger', stored))).toBe(NOW - DAY);
  });
});

test('a node is a tool if its type ends in "Tool"', () => {
  expect(['paymentPlatform', 'paymentPlatformTool', 'paymentToolbox'].map((type) => isTool({ type }))).toEqual([
    false,
    true,
    false,
  ]);
});

test.each([
  ['an ID', 'aB3', true],
  ['an ID that contains the placeholder', 'a__EMPTY', true],
  ['no ID', undefined, false],
  ['an empty ID', '', false],
  ['the placeholder of n8n', '__EMPTY__', false],
])('a workflow with %s counts as saved if n8n stored it', (_, id, expected) => {
  expect(isSaved(id)).toBe(expected);
});
