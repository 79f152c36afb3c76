import { NodeHelpers, type INodeParameters, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';
import { DateTime } from 'luxon';

import type { Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { runOptions } from '../../../nodes/PaymentPlatform/panel/option-parameters';
import {
  DEFAULT_RUN_OPTIONS,
  NO_OPTIONS,
  readItemOptions,
  readRunOptions,
  readGuards,
} from '../../../nodes/PaymentPlatform/run/read-options';
import { guardParameters } from '../../../nodes/PaymentPlatform/limits/guard-parameters';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { contextOf, throws } from '../context';

const readAll = (options: unknown, expressions: Record<string, (item: number) => unknown> = {}, item = 0) => {
  const problems: Problem[] = [];
  const given = readItemOptions(contextOf({ options }, { expressions }), item, problems);
  return { given, problems: problems.map(({ label, found, allowed }) => `${label}: ${allowed} (${found})`) };
};
const refusalOf = (options: unknown, expressions = {}) => readAll(options, expressions).problems;

const unset = {
  unknownOutcome: 'lookUp',
  testEnvironmentOnly: undefined,
  limitPerItem: undefined,
  limitPerExecution: undefined,
  ifExists: undefined,
  allowEqual: undefined,
  resolved: undefined,
};

test('a node without options gets the options that it would read', () => {
  expect(DEFAULT_RUN_OPTIONS).toEqual(readRunOptions(contextOf({})));
  expect(NO_OPTIONS).toEqual({ ...readItemOptions(contextOf({}), 0, []), testEnvironmentOnly: false });
});

describe('the options of a run', () => {
  const run = (sending: unknown, expressions = {}) =>
    readRunOptions(contextOf({ options: { sending } }, { expressions }));

  test('the options of a run have defaults', () => {
    const defaults = { maxParallelRequests: 20, timeoutMs: 60_000, maxTries: 5, retryTimeMs: 120_000 };
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

  test('the options of a run come from the first item', () => {
    expect(run({ timeout: '=row' }, { row: (item: number) => item + 2 }).timeoutMs).toBe(2000);
  });
});

test('missing guards stay unset', () => {
  const problems: Problem[] = [];
  expect(readGuards({}, problems, 'utc')).toEqual(unset);
  expect(problems).toEqual([]);
});

test('missing guards restrict nothing and cause no problem', () => {
  for (const options of [undefined, {}, { sending: { timeout: 5 } }])
    expect(readAll(options)).toEqual({ given: unset, problems: [] });
});

describe('Allowed IDs', () => {
  const onlyFor = (value: unknown) => readAll({ onlyFor: '=ids' }, { ids: () => value });

  test.each([
    ['a text with commas', ' 9001, 9002 ', ['9001', '9002']],
    ['a text with lines and semicolons', '9001\n9002,\r\n\n9003;9004\n', ['9001', '9002', '9003', '9004']],
    ['a list', ['9001', 9002], ['9001', '9002']],
    ['one number', 9001, ['9001']],
  ])('reads IDs from %s', (_, value, onlyThese) => {
    expect(onlyFor(value)).toEqual({ given: { ...unset, onlyFor: onlyThese }, problems: [] });
  });

  test.each([
    ['without an ID', ' , '],
    ['that are blank', ' '],
    ['with a blank entry', '9001, ,9002'],
    ['with a blank entry in a list', ['9001', ' ']],
    ['with an empty list', []],
    ['with a number that JavaScript rounded', Number('426351789012345678')],
    ['with an object', ['9001', {}]],
  ])('the guard Allowed IDs is refused %s', (_, value) => {
    expect(onlyFor(value).problems).toEqual([
      expect.stringMatching(/^Allowed IDs: must be IDs separated by commas, e.g. 9001, 9002/),
    ]);
  });
});

describe.each([
  ['testEnvironmentOnly', 'Test Environment Only'],
  ['allowAgent', 'Allow AI Agent'],
  ['allowEqual', 'Allow Repeated Payments'],
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

test.each(['undefined', 'null', 'None', 'NaN', '[object Object]', 'deal-undefined', 'undefined 7'])(
  'the key of Once per Key and Allowed IDs refuse "%s", which stands for a missing value',
  (word) => {
    expect(refusalOf({ oncePerKey: word })).toEqual([
      `Once per Key: must not contain a word for a missing value, such as null or undefined ("${word}")`,
    ]);
    expect(refusalOf({ onlyFor: `9001, ${word}` })).toEqual([expect.stringMatching(/^Allowed IDs: must be IDs/)]);
  },
);

test.each(['deal\u200b7', '\u202edeal', 'deal\u2060'])(
  'the key of Once per Key and Allowed IDs refuse %j, which contains an invisible character',
  (key) => {
    expect(refusalOf({ oncePerKey: key })).toEqual([
      expect.stringMatching(/^Once per Key: must not contain invisible characters/),
    ]);
    expect(refusalOf({ onlyFor: `9001, ${key}` })).toEqual([expect.stringMatching(/^Allowed IDs: must be IDs/)]);
  },
);

describe('the key of Once per Key', () => {
  test.each([
    ['deal 7', 'deal 7'],
    [' deal 7\n', 'deal 7'],
    ['\ufeffdeal 7', 'deal 7'],
    ['Cafe\u0301\u00a07', 'Caf\u00e9 7'],
    [7, '7'],
    [0, '0'],
    [-1.5, '-1.5'],
    [9_007_199_254_740_991, '9007199254740991'],
  ])('reads the key %j as text in one form, without surrounding spaces', (value, oncePerKey) => {
    expect(readAll({ oncePerKey: value })).toEqual({ given: { ...unset, oncePerKey }, problems: [] });
  });

  test.each([[undefined], [null], [''], [' '], [true], [{}], [['a']], [NaN], [Infinity], [9_007_199_254_740_992]])(
    'refuses the key %p, which can be the same for several items',
    (value) => {
      expect(refusalOf({ oncePerKey: '=value' }, { value: () => value })).toEqual([
        expect.stringContaining('Once per Key: must be text that is not empty, e.g. the ID of a deal (') as string,
      ]);
    },
  );
});

test('no guard accepts half a character, which would be lost in a request', () =>
  expect(refusalOf({ oncePerKey: 'deal \ud83d' })).toEqual([
    expect.stringMatching(/^Once per Key: must not contain half a character/),
  ]));

describe("the guards in a tool's panel", () => {
  const inPanel = (parameters: Record<string, unknown>, type = 'paymentPlatformTool') => {
    const problems: Problem[] = [];
    const context = contextOf(parameters, { type, expressions: { bad: throws, ten: () => 10 } });
    return { given: readItemOptions(context, 0, problems), problems };
  };

  test("guards in a tool's panel take precedence over the tool's options", () => {
    const { given, problems } = inPanel({
      limitPerItem: 5,
      limitPerDay: '=ten',
      options: { limitPerItem: 9, limitPerExecution: 7 },
    });
    expect(given).toMatchObject({ limitPerItem: 5, limitPerExecution: 7, limitPerDay: 10 });
    expect(problems).toEqual([]);
  });

  test('empty guards are not set, and guards have no effect outside of tools', () => {
    expect(inPanel({ limitPerItem: '' })).toEqual({ given: unset, problems: [] });
    expect(inPanel({ limitPerItem: 5 }, 'paymentPlatform')).toEqual({ given: unset, problems: [] });
  });

  test('a guard whose expression fails is reported as a problem', () => {
    const found = expect.stringMatching(/^an expression that fails/) as string;
    expect(inPanel({ limitPerItem: '=bad', allowEqual: '=bad' }).problems).toMatchObject([
      { label: 'Limit per Item', found },
      { label: 'Allow Repeated Payments', found },
    ]);
  });
});

describe.each([
  ['limitPerItem', 'Limit per Item'],
  ['limitPerDay', 'Limit per Day'],
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
    ['-1 EUR'],
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
  ])('refuses %j and suggests a correct input', (value, words) => {
    expect(readAll({ limitPerExecution: value }).problems).toEqual([
      `Limit per Execution: must be written ${words} ("${value}")`,
    ]);
  });

  test('refuses text with two readings and names both', () => {
    expect(readAll({ limitPerExecution: '1.000' }).problems).toEqual([
      'Limit per Execution: has two possible meanings. Enter 1000 or 1.00 ("1.000")',
    ]);
  });

  test('a limit is an empty text parameter in the editor', () => {
    const limits = guardParameters({ moves: true }).filter(({ name }) => name.startsWith('limitPer'));
    expect(limits.map(({ type, default: own, placeholder }) => [type, own, placeholder])).toEqual([
      ['string', '', 'e.g. 500'],
      ['string', '', 'e.g. 2000'],
      ['string', '', 'e.g. 5000'],
    ]);
  });
});

describe('the option for unknown outcomes', () => {
  test.each([
    ['lookUp', 'lookUp'],
    ['refuse', 'refuse'],
    ['resend', 'resend'],
    [' resend ', 'resend'],
    ['resolve', 'lookUp'],
  ])('reads the option %j', (value, unknownOutcome) =>
    expect(readAll({ unknownOutcome: value })).toEqual({ given: { ...unset, unknownOutcome }, problems: [] }),
  );

  test.each([[undefined], [null], [''], ['Send Again'], ['RESEND'], [true], [{}], ['constructor']])(
    'refuses the option %p',
    (value) => {
      expect(refusalOf({ unknownOutcome: '=value' }, { value: () => value })).toEqual([
        expect.stringContaining(
          'If the Outcome Is Unknown: must be one of: lookUp, refuse, resend, resolve (',
        ) as string,
      ]);
      expect(readAll({ unknownOutcome: value }).given.unknownOutcome).toBe('lookUp');
    },
  );
});

test.each(['return', 'fail', 'skip'])('the action for existing records can be %s', (action) =>
  expect(readAll({ ifExists: { then: action, since: '' } })).toEqual({
    given: { ...unset, ifExists: { then: action } },
    problems: [],
  }),
);

test('the action for existing records defaults to returning the record', () =>
  expect(readAll({ ifExists: {} }).given.ifExists).toEqual({ then: 'return' }));

test.each([[null], [''], ['send'], [true], [{}], ['constructor']])(
  'the action for existing records is not guessed from %p',
  (value) => {
    const problem = expect.stringContaining('Exists > Action: must be one of: return, fail, skip (') as string;
    expect(refusalOf({ ifExists: { then: '=value' } }, { value: () => value })).toEqual([problem]);
    expect(refusalOf({ ifExists: { then: value } })).toEqual([problem]);
  },
);

test.each([[undefined], [null], [''], ['return'], [5], [[]]])('the option If It Already Exists refuses %p', (value) =>
  expect(refusalOf({ ifExists: '=value' }, { value: () => value })).toEqual([
    expect.stringContaining('If It Already Exists: must be an object with an action (') as string,
  ]),
);

describe('the time from which an existing record counts', () => {
  const reading = (since: unknown) => {
    const context = contextOf({ options: { ifExists: { then: 'fail', since: '=since' } } });
    context.getNodeParameter = (() => ({ ifExists: { then: 'fail', since } })) as never;
    const problems: Problem[] = [];
    const { ifExists } = readItemOptions(context, 0, problems);
    return { since: ifExists?.since, problems: problems.map(({ label, allowed }) => `${label}: ${allowed}`) };
  };

  test("without an offset, the start time for existing records is in the workflow's time zone", () => {
    const { given, problems } = readAll({ ifExists: { then: 'fail', since: '2026-03-31T12:00' } });
    expect(problems).toEqual([]);
    expect(given.ifExists?.since?.toUTC().toISO()).toBe('2026-03-31T16:00:00.000Z');
  });

  test('the start time of Duplicate Check can be a DateTime', () => {
    const moment = DateTime.utc(2026, 3, 31);
    expect(reading(moment).since?.toMillis()).toBe(moment.toMillis());
  });

  test('the start time for existing records refuses a time in the future, but not the current time', () => {
    jest.useFakeTimers();
    const later = DateTime.utc().plus({ minutes: 1 });
    expect(reading(later).problems).toEqual(['If It Already Exists > Look Back To: must be in the past']);
    expect(reading(DateTime.utc()).problems).toEqual([]);
    jest.useRealTimers();
  });

  test.each([[undefined], [null], [''], [' '], ['yesterday'], [5], [true], [{}]])(
    'the start time for existing records refuses an expression that returns %p',
    (value) =>
      expect(reading(value).problems).toEqual([
        'If It Already Exists > Look Back To: must be a date and time, e.g. 2026-03-31T12:00',
      ]),
  );
});

describe("the user's statements about items", () => {
  const entries = (...item: unknown[]) => ({ unknownOutcome: 'resolve', resolve: { item } });

  test("the user's statements about items are read by code without surrounding spaces", () => {
    const { given, problems } = readAll(
      entries(
        { code: ' 3-k7Qx ', finding: 'notApplied' },
        { code: '4-aaaa', finding: 'applied' },
        { code: '3-k7Qx', finding: 'notApplied' },
        { code: 7, finding: 'applied' },
      ),
    );
    expect(problems).toEqual([]);
    expect([...(given.resolved ?? [])]).toEqual([
      ['3-k7Qx', 'notApplied'],
      ['4-aaaa', 'applied'],
      ['7', 'applied'],
    ]);
  });

  test("the user's statements about items count only if the user chose to resolve items", () => {
    const resolve = { item: [{ code: 'a', finding: 'notApplied' }] };
    for (const unknownOutcome of ['lookUp', 'refuse', 'resend'])
      expect(readAll({ unknownOutcome, resolve }).given.resolved).toBeUndefined();
  });

  test.each([[{}], [{ item: [] }]])("the user's statements about items may be missing: %j", (resolve) => {
    const { given, problems } = readAll({ unknownOutcome: 'resolve', resolve });
    expect([problems, given.resolved?.size]).toEqual([[], 0]);
  });

  test.each([
    [undefined],
    [null],
    [''],
    ['3-k7Qx'],
    [5],
    [{ item: 'x' }],
    [{ item: { code: 'x', finding: 'applied' } }],
  ])('refuses %p as statements about items', (value) => {
    expect(refusalOf({ unknownOutcome: 'resolve', resolve: '=value' }, { value: () => value })).toEqual([
      expect.stringContaining('Resolve Items: must be a list of codes and their findings (') as string,
    ]);
  });

  test.each([
    [{ finding: 'applied' }, 'Resolve Items 2 > Code: is required. The error message contains the code (nothing)'],
    [
      { code: ' ', finding: 'applied' },
      'Resolve Items 2 > Code: is required. The error message contains the code (nothing)',
    ],
    [null, 'Resolve Items 2 > Code: is required. The error message contains the code (nothing)'],
    ['x', 'Resolve Items 2 > Code: is required. The error message contains the code (nothing)'],
    [{ code: 'b' }, 'Resolve Items 2 > Finding: must be one of: applied, notApplied (nothing)'],
    [{ code: 'b', finding: 'Applied' }, 'Resolve Items 2 > Finding: must be one of: applied, notApplied ("Applied")'],
    [
      { code: 'a', finding: 'notApplied' },
      'Resolve Items 2 > Code: must not appear twice with conflicting findings ("a")',
    ],
  ])('refuses the entry %j in statements about items', (entry, problem) => {
    const { given, problems } = readAll(entries({ code: 'a', finding: 'applied' }, entry));
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

  test('a failed expression in options is reported as a guard problem', () => {
    expect(
      refusalOf({ limitPerItem: '=bad', testEnvironmentOnly: true, resolve: '=bad', timeout: '=bad' }, { bad: throws }),
    ).toEqual([
      `Limit per Item: must be an expression that returns a value for this item (an expression that fails: "Node 'CRM' hasn't been executed")`,
      `Resolve Items: must be an expression that returns a value for this item (an expression that fails: "Node 'CRM' hasn't been executed")`,
    ]);
  });

  test('a failed expression is a problem in any other option, too', () => {
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

  test('an expression that fails to return all options is reported as a problem', () => {
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
  const shownFor = (resource: string, operation: string, set: INodeParameters = {}) =>
    offered(resource, operation).filter((option) =>
      NodeHelpers.displayParameter(set, option, { typeVersion: 1 }, { name: 'node' } as INodeTypeDescription),
    );
  const labels = (resource: string, operation: string) =>
    shownFor(resource, operation).map(({ displayName }) => displayName);
  test('the options that are offered are sorted by label', () => {
    for (const { value, operations } of resources)
      for (const operation of operations) {
        const own = labels(value, operation.value);
        expect(own).toEqual([...own].sort((a, b) => a.localeCompare(b, 'en')));
      }
  });

  test('the options that are offered contain only the group Sending for operations that only read', () => {
    for (const { value, operations } of resources)
      for (const operation of operations.filter(({ request }) => request.effect === 'reads'))
        expect(labels(value, operation.value)).toEqual(['Sending']);
  });

  test('the options that are offered contain guards for writes, and limits for those that move money', () => {
    const ofWrites = ['If the Outcome Is Unknown', 'Once per Key', 'Preview Only', 'Test Environment Only', 'Sending'];
    const ofMoney = ['Limit per Item', 'Limit per Execution', 'Limit per Day'];
    const sorted = (...names: string[]) => names.sort((a, b) => a.localeCompare(b, 'en'));
    expect(labels('card', 'tokenize')).toEqual(sorted(...ofWrites));
    const ofPayments = [...ofMoney, 'Allow Repeated Payments'];
    expect(labels('api', 'request')).toEqual(sorted(...ofWrites, ...ofPayments));
    for (const [resource, name, more] of [
      ['invoice', 'create', ofPayments],
      ['plan', 'create', ofMoney],
      ['transaction', 'refund', ofPayments],
    ] as const)
      expect(labels(resource, name)).toEqual(sorted(...ofWrites, ...more, 'If It Already Exists'));
  });

  test('the options that are offered are at most ten, and contain Resolve Items only after the user chose it', () => {
    for (const { value, operations } of resources)
      for (const operation of operations) expect(labels(value, operation.value).length).toBeLessThanOrEqual(10);
    const resolving = shownFor('transaction', 'refund', { unknownOutcome: 'resolve' });
    expect(resolving.map(({ displayName }) => displayName)).toContain('Resolve Items');
  });

  test('option groups open with values', () => {
    const opened = ({ name, default: own, options }: INodeProperties) => {
      const inner = options as INodeProperties[];
      for (const option of inner) expect((own as INodeParameters)[option.name] ?? option.default).toBe(option.default);
      return [name, Object.keys(own as object)];
    };
    const all = resources.flatMap(({ operations }) =>
      operations.flatMap((one) =>
        (runOptions(one).options as INodeProperties[]).filter(({ type }) => type === 'collection'),
      ),
    );
    expect(Object.fromEntries(all.map(opened))).toEqual({
      ifExists: ['then'],
      sending: ['timeout', 'maxTries', 'retryTime', 'maxParallelRequests'],
    });
  });

  test('the options that are offered contain no key if items share requests', () => {
    expect(labels('accountUpdater', 'submit')).not.toContain('Once per Key');
  });

  test('the options that are offered accept several codes of unknown items', () => {
    const resolve = offered('transaction', 'refund').find(({ name }) => name === 'resolve');
    expect(resolve).toMatchObject({ type: 'fixedCollection', typeOptions: { multipleValues: true } });
  });

  test('the options that are offered describe repetition as the operation requires', () => {
    const tries = (resource: string, operation: string) =>
      (offered(resource, operation).find(({ name }) => name === 'sending')?.options as INodeProperties[]).find(
        ({ name }) => name === 'maxTries',
      )?.description;
    expect(tries('report', 'getTransactions')).toMatch(/if the service does not respond or is too busy$/);
    expect(tries('transaction', 'refund')).toMatch(/never repeats a request that may have been applied/);
  });
});
