import type { INodeProperties } from 'n8n-workflow';
import { DateTime } from 'luxon';

import type { Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { runOptions } from '../../../nodes/PaymentPlatform/panel/option-parameters';
import { readItemOptions, readRunOptions, readGuards } from '../../../nodes/PaymentPlatform/run/read-options';
import { guardParameters } from '../../../nodes/PaymentPlatform/limits/guard-parameters';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { contextOf, throws } from '../context';

const readAll = (options: unknown, expressions: Record<string, (item: number) => unknown> = {}, item = 0) => {
  const problems: Problem[] = [];
  const given = readItemOptions(contextOf({ options }, { expressions }), item, problems);
  return { given, problems: problems.map(({ label, found, allowed }) => `${label}: ${allowed} (${found})`) };
};
const refusalOf = (options: unknown, expressions = {}) => readAll(options, expressions).problems;

/** Values without any settings. */
const unset = {
  resendUnknown: false,
  testEnvironmentOnly: undefined,
  limitPerItem: undefined,
  limitPerExecution: undefined,
  duplicateCheck: undefined,
  duplicatesSince: undefined,
  ifExists: undefined,
  allowEqual: undefined,
  resolved: undefined,
};

describe('the options of a run', () => {
  const run = (options: unknown, expressions = {}) => readRunOptions(contextOf({ options }, { expressions }));

  test('the options of a run have defaults', () => {
    const lookUpUnknown = true;
    const defaults = { maxParallelRequests: 20, timeoutMs: 60_000, maxTries: 5, retryTimeMs: 120_000, lookUpUnknown };
    expect(run(undefined)).toEqual(defaults);
    expect(run({})).toEqual(defaults);
    expect(run({ maxParallelRequests: '', timeout: null, maxTries: 'x', retryTime: {} })).toEqual(defaults);
    expect(run({ timeout: '=bad' }, { bad: throws })).toEqual(defaults);
  });

  test('the options of a run stay within their bounds and are whole numbers', () => {
    expect(run({ maxParallelRequests: 7.9, timeout: 1.5, maxTries: '3.9', retryTime: '10' })).toMatchObject({
      maxParallelRequests: 7,
      timeoutMs: 1500,
      maxTries: 3,
      retryTimeMs: 10_000,
    });
    expect(run({ maxParallelRequests: 0, timeout: 0, maxTries: 0, retryTime: -1 })).toMatchObject({
      maxParallelRequests: 1,
      timeoutMs: 1000,
      maxTries: 1,
      retryTimeMs: 0,
    });
    expect(run({ maxParallelRequests: 1e9, timeout: 1e9, maxTries: 1e9, retryTime: 1e9 })).toMatchObject({
      maxParallelRequests: 100,
      timeoutMs: 600_000,
      maxTries: 20,
      retryTimeMs: 3_600_000,
    });
  });

  test('the options of a run look up unknown outcomes unless explicitly switched off', () => {
    const looks = (value: unknown) => run({ lookUpUnknown: value }).lookUpUnknown;
    expect([undefined, '', true, 'true', 'perhaps'].map(looks)).toEqual([true, true, true, true, true]);
    expect([false, 'false', 0].map(looks)).toEqual([false, false, false]);
    expect(run({ lookUpUnknown: '=bad' }, { bad: throws }).lookUpUnknown).toBe(true);
  });

  test('the options of a run come from the first item', () => {
    expect(run({ timeout: '=row' }, { row: (item: number) => item + 2 }).timeoutMs).toBe(2000);
  });
});

test('leave missing guards unset', () => {
  const problems: Problem[] = [];
  expect(readGuards({}, problems, 'utc')).toEqual(unset);
  expect(problems).toEqual([]);
});

test('guard nothing and cause no problem if they are missing', () => {
  for (const options of [undefined, {}, { timeout: 5 }])
    expect(readAll(options)).toEqual({ given: unset, problems: [] });
});

describe.each([
  ['testEnvironmentOnly', 'Test Environment Only'],
  ['duplicateCheck', 'Duplicate Check'],
  ['allowEqual', 'Allow Equal Payments'],
] as const)('the switch %s', (name, label) => {
  test.each([true, 'true', 'TRUE', ' True ', 1, '1'])('a switch is on with %j', (value) => {
    expect(readAll({ [name]: value })).toEqual({ given: { ...unset, [name]: true }, problems: [] });
  });

  test.each([false, 'false', 'FALSE', 0, '0'])('a switch is off with %j', (value) => {
    expect(readAll({ [name]: value })).toEqual({ given: { ...unset, [name]: false }, problems: [] });
  });

  test.each([[undefined], [null], [''], [' '], ['yes'], ['no'], [2], [NaN], [{}], [[]], [[true]], ['truefalse']])(
    'a switch refuses %p',
    (value) => {
      expect(refusalOf({ [name]: '=value' }, { value: () => value })).toEqual([
        expect.stringContaining(`${label}: must be true or false (`) as string,
      ]);
      expect(readAll({ [name]: value }).given[name]).toBeUndefined();
    },
  );
});

describe.each([
  ['limitPerItem', 'Limit per Item'],
  ['limitPerExecution', 'Limit per Execution'],
] as const)('the limit %s', (name, label) => {
  test.each([
    [500, 500],
    [0, 0],
    [12.5, 12.5],
    ['500', 500],
    ['12.50', 12.5],
  ])('reads the limit %j as a number', (value, limit) =>
    expect(readAll({ [name]: value })).toEqual({ given: { ...unset, [name]: limit }, problems: [] }),
  );

  test.each([
    [undefined],
    [null],
    [''],
    [' '],
    ['50%'],
    ['five'],
    [NaN],
    [Infinity],
    [-1],
    ['-1'],
    [true],
    [{}],
    [[5]],
  ])('refuses the option %p', (value) => {
    expect(refusalOf({ [name]: '=value' }, { value: () => value })).toEqual([
      expect.stringContaining(
        `${label}: must be a number of 0 or more, e.g. 500, without a currency symbol or thousands separator (`,
      ) as string,
    ]);
  });
});

describe('a limit in another notation', () => {
  test.each([
    ['1.000,00', 'without a thousands separator, with a decimal point. Did you mean 1000.00?'],
    ['500,00', 'with a decimal point. Did you mean 500.00?'],
    ['5 EUR', 'without a currency. Did you mean 5?'],
    ['1e3', 'without an exponent. Did you mean 1000?'],
  ])('refuses %j and suggests what to type', (value, words) => {
    expect(readAll({ limitPerExecution: value }).problems).toEqual([
      `Limit per Execution: must be written ${words} ("${value}")`,
    ]);
  });

  test('refuses a text with two readings and names both', () => {
    expect(readAll({ limitPerExecution: '1.000' }).problems).toEqual([
      'Limit per Execution: has two possible meanings. Enter 1000 or 1.00 ("1.000")',
    ]);
  });

  test('a limit in another notation is an empty text parameter in the editor', () => {
    const limits = guardParameters({ moves: true }).filter(({ name }) => name.startsWith('limitPer'));
    expect(limits.map(({ type, default: own, placeholder }) => [type, own, placeholder])).toEqual([
      ['string', '', 'e.g. 500'],
      ['string', '', 'e.g. 2000'],
    ]);
  });
});

describe('the option for unknown outcomes', () => {
  test.each([
    ['refuse', false],
    ['resend', true],
    [' resend ', true],
  ])('reads the option %j', (value, resendUnknown) =>
    expect(readAll({ unknownOutcome: value })).toEqual({ given: { ...unset, resendUnknown }, problems: [] }),
  );

  test.each([[undefined], [null], [''], ['Send Again'], ['RESEND'], [true], [{}], ['constructor']])(
    'refuses the option %p',
    (value) => {
      expect(refusalOf({ unknownOutcome: '=value' }, { value: () => value })).toEqual([
        expect.stringContaining('If the Outcome Is Unknown: must be one of: refuse, resend (') as string,
      ]);
      expect(readAll({ unknownOutcome: value }).given.resendUnknown).toBe(false);
    },
  );
});

describe('the start time of Duplicate Check', () => {
  test("the start time of Duplicate Check is read in the workflow's time zone without an offset", () => {
    const { given, problems } = readAll({ duplicatesSince: '2026-03-31T12:00' });
    expect(problems).toEqual([]);
    expect(given.duplicatesSince?.toUTC().toISO()).toBe('2026-03-31T16:00:00.000Z');
  });

  test('the start time of Duplicate Check can be a DateTime', () => {
    const moment = DateTime.utc(2026, 3, 31);
    const context = contextOf({ options: { duplicatesSince: '=now' } });
    context.getNodeParameter = (() => ({ duplicatesSince: moment })) as never;
    expect(readItemOptions(context, 0, []).duplicatesSince?.toMillis()).toBe(moment.toMillis());
  });

  test.each([[undefined], [null], [''], [' '], ['yesterday'], [5], [true], [{}]])(
    'the start time of Duplicate Check refuses %p',
    (value) => {
      expect(refusalOf({ duplicatesSince: '=value' }, { value: () => value })).toEqual([
        expect.stringContaining('Duplicate Check Since: must be a date and time, e.g. 2026-03-31T12:00 (') as string,
      ]);
    },
  );
});

describe("the user's statements about items", () => {
  const entries = (...item: unknown[]) => ({ resolve: { item } });

  test("the user's statements about items are read by code without surrounding spaces", () => {
    const { given, problems } = readAll(
      entries(
        { code: ' 3-k7Qx ', became: 'notApplied' },
        { code: '4-aaaa', became: 'applied' },
        { code: '3-k7Qx', became: 'notApplied' },
        { code: 7, became: 'applied' },
      ),
    );
    expect(problems).toEqual([]);
    expect([...(given.resolved ?? [])]).toEqual([
      ['3-k7Qx', 'notApplied'],
      ['4-aaaa', 'applied'],
      ['7', 'applied'],
    ]);
  });

  test.each([[{}], [{ item: [] }]])("the user's statements about items may be missing: %j", (resolve) => {
    const { given, problems } = readAll({ resolve });
    expect([problems, given.resolved?.size]).toEqual([[], 0]);
  });

  test.each([
    [undefined],
    [null],
    [''],
    ['3-k7Qx'],
    [5],
    [{ item: 'x' }],
    [{ item: { code: 'x', became: 'applied' } }],
  ])("the user's statements about items refuse %p", (value) => {
    expect(refusalOf({ resolve: '=value' }, { value: () => value })).toEqual([
      expect.stringContaining('Resolve Items: must be a list of codes, each with what became of the item (') as string,
    ]);
  });

  test.each([
    [{ became: 'applied' }, 'Resolve Items 2 > Code: is required: the error message names it (nothing)'],
    [{ code: ' ', became: 'applied' }, 'Resolve Items 2 > Code: is required: the error message names it (nothing)'],
    [null, 'Resolve Items 2 > Code: is required: the error message names it (nothing)'],
    ['x', 'Resolve Items 2 > Code: is required: the error message names it (nothing)'],
    [{ code: 'b' }, 'Resolve Items 2 > What Became of It: must be one of: applied, notApplied (nothing)'],
    [
      { code: 'b', became: 'Applied' },
      'Resolve Items 2 > What Became of It: must be one of: applied, notApplied ("Applied")',
    ],
    [{ code: 'a', became: 'notApplied' }, 'Resolve Items 2 > Code: must not be given twice with different words ("a")'],
  ])("the user's statements about items refuse the entry %j", (entry, problem) => {
    const { given, problems } = readAll(entries({ code: 'a', became: 'applied' }, entry));
    expect(problems).toEqual([problem]);
    expect([...(given.resolved ?? [])]).toEqual([['a', 'applied']]);
  });
});

describe('expressions in options', () => {
  test('expressions in options are evaluated for the item', () => {
    const expressions = { limit: (item: number) => [10, 'x', 20][item] };
    const read = (item: number) => readAll({ limitPerItem: '=limit' }, expressions, item);
    expect([read(0).given.limitPerItem, read(2).given.limitPerItem]).toEqual([10, 20]);
    expect(read(1).problems).toHaveLength(1);
  });

  test('expressions in options are a problem of their guard if they fail', () => {
    expect(
      refusalOf({ limitPerItem: '=bad', testEnvironmentOnly: true, resolve: '=bad', timeout: '=bad' }, { bad: throws }),
    ).toEqual([
      `Limit per Item: must be an expression that returns a value for this item (an expression that fails: "Node 'CRM' hasn't been executed")`,
      `Resolve Items: must be an expression that returns a value for this item (an expression that fails: "Node 'CRM' hasn't been executed")`,
    ]);
  });

  test('expressions in options are a problem in any other option, too', () => {
    expect(refusalOf({ timeout: '=bad', limitPerItem: 5 }, { bad: throws })).toEqual([
      `Options: must be an expression that returns a value for this item (an expression that fails: "Node 'CRM' hasn't been executed")`,
    ]);
  });

  test('expressions in options can return all options at once', () => {
    const all = readAll('=all', { all: () => ({ limitPerItem: 5, unknown: 1 }) });
    expect(all).toEqual({ given: { ...unset, limitPerItem: 5 }, problems: [] });
    expect(refusalOf('=all', { all: () => ({ limitPerItem: undefined }) })).toHaveLength(1);
  });

  test.each([[undefined], [null], [''], ['x'], [5], [[]]])(
    "expressions in options can't return %p as all options",
    (value) => {
      expect(refusalOf('=all', { all: () => value })).toEqual([
        expect.stringContaining('Options: must be an object or empty (') as string,
      ]);
    },
  );

  test('expressions in options are a problem if they fail to return all options', () => {
    expect(refusalOf('=all', { all: throws })).toEqual([
      `Options: must be an expression that returns a value for this item (an expression that fails: "Node 'CRM' hasn't been executed")`,
    ]);
  });
});

describe('the options that are offered', () => {
  const offered = (resource: string, operation: string) => {
    const found = resources
      .find(({ value }) => value === resource)
      ?.operations.find(({ value }) => value === operation);
    if (!found) throw new Error(`${resource}.${operation} does not exist`);
    return runOptions(found).options as INodeProperties[];
  };
  const labels = (resource: string, operation: string) =>
    offered(resource, operation).map(({ displayName }) => displayName);
  const OF_EVERY_RUN = ['Longest Retry Time (Seconds)', 'Max Parallel Requests', 'Max Tries', 'Timeout (Seconds)'];

  test('the options that are offered are sorted by label', () => {
    for (const { value, operations } of resources)
      for (const operation of operations) {
        const own = labels(value, operation.value);
        expect(own).toEqual([...own].sort((a, b) => a.localeCompare(b, 'en')));
      }
  });

  test('the options that are offered contain no guards for operations that only read', () =>
    expect(labels('report', 'getTransactions')).toEqual(OF_EVERY_RUN));

  test('the options that are offered contain guards for writes, and limits for those that move money', () => {
    const ofWrites = ['If the Outcome Is Unknown', 'Once per Key', 'Test Environment Only', 'Resolve Items'];
    const ofMoney = ['Limit per Item', 'Limit per Execution'];
    const sorted = (...names: string[]) => names.sort((a, b) => a.localeCompare(b, 'en'));
    expect(labels('card', 'tokenize')).toEqual(sorted(...OF_EVERY_RUN, ...ofWrites));
    const ofFound = ['Look Up Unknown Outcomes', 'If It Exists Already', 'Duplicate Check Since'];
    expect(labels('api', 'request')).toEqual(
      sorted(...OF_EVERY_RUN, ...ofWrites, ...ofMoney, 'Look Up Unknown Outcomes'),
    );
    expect(labels('invoice', 'create')).toEqual(
      sorted(...OF_EVERY_RUN, ...ofWrites, ...ofMoney, ...ofFound, 'Make a Reference'),
    );
    expect(labels('transaction', 'refund')).toEqual(
      sorted(...OF_EVERY_RUN, ...ofWrites, ...ofMoney, ...ofFound, 'Duplicate Check', 'Limit per Day'),
    );
  });

  test('the options that are offered contain no key if items share requests', () => {
    expect(labels('accountUpdater', 'submit')).not.toContain('Once per Key');
  });

  test('the options that are offered contain several codes of open items', () => {
    const resolve = offered('transaction', 'refund').find(({ name }) => name === 'resolve');
    expect(resolve).toMatchObject({ type: 'fixedCollection', typeOptions: { multipleValues: true } });
  });

  test('the options that are offered describe repetition as the operation requires', () => {
    const tries = (resource: string, operation: string) =>
      offered(resource, operation).find(({ name }) => name === 'maxTries')?.description;
    expect(tries('report', 'getTransactions')).toMatch(/when the service does not answer or is too busy$/);
    expect(tries('transaction', 'refund')).toMatch(/may have been applied is never sent again/);
  });
});
