import type { INode } from 'n8n-workflow';
import { DateTime, Settings } from 'luxon';

import { guardProblems, inForce } from '../../../nodes/PaymentPlatform/limits/check-guards';
import { takesExtraBody } from '../../../nodes/PaymentPlatform/model/extra-fields';
import { unfixedGuards } from '../../../nodes/PaymentPlatform/limits/tool-guards';
import type { GivenOptions, ItemOptions } from '../../../nodes/PaymentPlatform/model/option-types';
import type { Field } from '../../../nodes/PaymentPlatform/fields/types';
import type { Account, MoneyRequest, Operation } from '../../../nodes/PaymentPlatform/model/types';
import { submit } from '../../../nodes/PaymentPlatform/resources/account-updater/submit';
import { moneyRequest, operationOf } from '../requests';

const nodeOf = (type: string, options?: unknown) => ({ type, parameters: { options } }) as unknown as INode;
const plain = nodeOf('n8n-nodes-payment-platform.paymentPlatform');
const tool = nodeOf('n8n-nodes-payment-platform.paymentPlatformTool');
const account = (environment: Account['environment'] = 'test') => ({ environment }) as Account;

const refusals = (
  request: MoneyRequest,
  options: Partial<ItemOptions> = {},
  { node = plain, environment }: { node?: INode; environment?: Account['environment'] } = {},
) =>
  guardProblems(
    request,
    account(environment),
    { unknownOutcome: 'lookUp', testEnvironmentOnly: false, ...options },
    node,
  ).map(({ label, found, allowed }) => `${label}: ${allowed} (${found})`);

const paying = (amt_tran: unknown, more: object = {}) => moneyRequest({ body: { amt_tran }, ...more });

describe('Test Environment Only', () => {
  const refused = 'Test Environment Only: allows only the test environment (a credential for Production)';

  test('refuses Production', () =>
    expect(refusals(paying(1), { testEnvironmentOnly: true }, { environment: 'production' })).toEqual([refused]));

  test('refuses Production for reads, too', () => {
    const reading = moneyRequest({ effect: 'reads' });
    expect(refusals(reading, { testEnvironmentOnly: true }, { environment: 'production' })).toEqual([refused]);
  });

  test('allows the test environment, and Production if the guard is off', () => {
    expect(refusals(paying(1), { testEnvironmentOnly: true })).toEqual([]);
    expect(refusals(paying(1), { testEnvironmentOnly: false }, { environment: 'production' })).toEqual([]);
  });
});

describe('the guard Allowed IDs', () => {
  const target = { ...operationOf({ money: 'named' }), target: 'payee_id' } as Operation;
  const payout = (payee_id: unknown) =>
    ({
      ...paying(1),
      operation: target,
      values: { ...paying(1).values, body: { payee_id, amt_tran: 1 } },
    }) as MoneyRequest;
  const onlyFor = ['9001', '9002'];

  test.each<[unknown, string[]]>([
    ['9001', []],
    [' 9002 ', []],
    [9001, []],
    ['9003', ['Allowed IDs: does not list this payee (payee 9003)']],
    [undefined, ['Allowed IDs: does not list this payee (no payee)']],
  ])('checks Allowed IDs for payee %j', (payee, expected) =>
    expect(refusals(payout(payee), { onlyFor })).toEqual(expected),
  );

  test('compares the transaction ID in the path with Allowed IDs', () => {
    const refund = (pgIdOrig: string) => {
      const operation = { ...operationOf({ money: 'named' }), target: 'pgIdOrig' } as Operation;
      return { ...paying(1), operation, values: { ...paying(1).values, path: { pgIdOrig } } } as MoneyRequest;
    };
    expect(refusals(refund('9001'), { onlyFor })).toEqual([]);
    expect(refusals(refund('9003'), { onlyFor })).toEqual([
      'Allowed IDs: does not list this transaction (transaction 9003)',
    ]);
  });

  test('Allowed IDs accepts every ID if it is empty, and has no effect on operations without an ID', () => {
    expect(refusals(payout('9003'))).toEqual([]);
    expect(refusals(paying(1), { onlyFor })).toEqual([]);
  });
});

describe('an operation that affects the whole merchant', () => {
  const whole = { ...paying(1), operation: { ...operationOf({ money: 'named' }), affectsMerchant: true } as Operation };

  test('an operation that affects the whole merchant accepts only the test environment by default', () => {
    const given: GivenOptions = { unknownOutcome: 'lookUp' };
    expect(inForce(given, whole, plain).testEnvironmentOnly).toBe(true);
    expect(inForce({ ...given, testEnvironmentOnly: false }, whole, plain).testEnvironmentOnly).toBe(false);
    expect(inForce(given, paying(1), plain).testEnvironmentOnly).toBe(false);
  });
});

describe('requests without a limit', () => {
  test.each([[1e12], ['1,000.00'], [null]])('ignores the amount %p', (amount) =>
    expect(refusals(paying(amount))).toEqual([]),
  );
  test('allows unknown amounts and extra fields', () =>
    expect(refusals(paying(1, { money: 'untold', node: { extraBodyFields: { a: 1 } } }))).toEqual([]));
});

describe.each([
  ['limitPerItem', 'Limit per Item'],
  ['limitPerExecution', 'Limit per Execution'],
  ['limitPerDay', 'Limit per Day'],
] as const)('the limit %s', (name, label) => {
  const under = (request: MoneyRequest, most = 500) => refusals(request, { [name]: most });

  test('refuses an amount above the limit with its name and value', () => {
    expect(under(paying(500.01))).toEqual([`${label}: allows at most 500 (amt_tran 500.01)`]);
    expect(under(paying('500.01'))).toEqual([`${label}: allows at most 500 (amt_tran "500.01")`]);
    expect(under(paying(-501))).toEqual([`${label}: allows at most 500 (amt_tran -501)`]);
  });

  test('allows an amount up to the limit', () => {
    for (const amount of [500, '500.00', -500, 0]) expect(under(paying(amount))).toEqual([]);
    expect(under(paying(0), 0)).toEqual([]);
    expect(under(moneyRequest({}), 0)).toEqual([]);
  });

  test.each([['1,000.00'], [{ value: 1 }], [null], [''], [true], [[]]])('refuses the unreadable amount %j', (amount) =>
    expect(under(paying(amount))).toEqual([
      expect.stringMatching(
        new RegExp(`^${label}: requires amounts as numbers or as text such as "12.50" \\(amt_tran `),
      ) as string,
    ]),
  );

  test('reports each wrong amount at any position', () => {
    const request = moneyRequest({ body: { a: [{ amt_tran: 501 }], amt_tax: 'x' }, query: { amt_paid: ['1', '502'] } });
    expect(under(request)).toEqual([
      `${label}: allows at most 500 (amt_paid "502")`,
      `${label}: allows at most 500 (amt_tran 501)`,
      `${label}: requires amounts as numbers or as text such as "12.50" (amt_tax "x")`,
    ]);
  });

  test('refuses a request with an unknown amount', () => {
    const refused = `${label}: allows only requests with a known amount (a request with an unknown amount)`;
    expect(under(paying(1, { money: 'untold' }))).toEqual([refused]);
    expect(under(moneyRequest({ money: { by: 'amt_tran' } }))).toEqual([refused]);
  });

  test('names the field that would state the amount', () => {
    const field = (name: string, label: string) => ({ name, label, place: 'body' }) as unknown as Field;
    const fields = [field('other', 'Other'), field('amt_tran', 'Amount')];
    const operation = operationOf({ money: { by: 'amt_tran' }, fields });
    expect(under(moneyRequest({ operation }))).toEqual([
      expect.stringContaining('with a known amount, so fill in "Amount" too (') as string,
    ]);
  });

  test('refuses extra body fields, but not an empty object', () => {
    const refused = `${label}: can't be used with a field that could change the amount ("Extra Body Fields (JSON)")`;
    expect(under(paying(1, { node: { extraBodyFields: { any: 1 } } }))).toEqual([refused]);
    expect(under(paying(1, { node: { extraBodyFields: {} } }))).toEqual([]);
    expect(under(paying(1, { node: { other: { any: 1 } } }))).toEqual([]);
  });

  test('allows requests that only read', () =>
    expect(under(paying(501, { effect: 'reads', money: 'untold', node: { extraBodyFields: { a: 1 } } }))).toEqual([]));
});

describe("options that search the records of the credential's merchant", () => {
  const request = (merchant_id?: string, declares: object = { place: 'body', name: 'merchant_id' }) => {
    const { request: declared } = operationOf({});
    const merchant = { ...declared, merchant: declares } as Operation['request'];
    const operation = operationOf({ request: merchant, dayRecords: {} as Operation['dayRecords'] });
    const request = moneyRequest({ operation, body: { amt_tran: 1 } });
    return { ...request, values: { ...request.values, merchant: merchant_id } };
  };
  const of = (given: MoneyRequest, options: Partial<ItemOptions> = {}) =>
    guardProblems(
      given,
      { ...account(), merchantId: '1' },
      { unknownOutcome: 'lookUp', testEnvironmentOnly: false, ...options },
      plain,
    );
  const found = 'merchant_id 2';

  test('a limit per day refuses another merchant', () => {
    expect(of(request('1'), { limitPerDay: 5 })).toEqual([]);
    expect(of(request('2'))).toEqual([]);
    expect(of(request('2'), { limitPerDay: 5 })).toEqual([
      {
        label: 'Limit per Day',
        found,
        allowed: "works only for the credential's merchant, because the node adds up only this merchant's amounts",
      },
    ]);
  });

  test("a limit per day that counts the node's own requests allows another merchant", () => {
    const { operation, ...rest } = request('2');
    expect(of({ ...rest, operation: { ...operation, dayRecords: undefined } }, { limitPerDay: 5 })).toEqual([]);
  });

  test('If It Already Exists refuses another merchant', () => {
    const label = 'If It Already Exists';
    const existing = { then: 'fail' as const };
    const allowed = "works only for the credential's merchant, because the node searches only this merchant's records";
    expect(of(request('1'), { existing })).toEqual([]);
    expect(of(request('2'), { existing })).toEqual([{ label, found, allowed }]);
  });

  test('allows operations without a merchant field', () => {
    const options = { limitPerDay: 5, existing: { then: 'fail' as const } };
    expect(of(moneyRequest({ body: { amt_tran: 1, merchant_id: '2' } }), options)).toEqual([]);
  });
});

test('compares an amount with both limits and reports the amount once', () => {
  const both = (amount: number) => refusals(paying(amount), { limitPerItem: 500, limitPerExecution: 400 });
  expect(both(501)).toEqual(['Limit per Item: allows at most 500 (amt_tran 501)']);
  expect(both(500)).toEqual(['Limit per Execution: allows at most 400 (amt_tran 500)']);
  expect(both(400)).toEqual([]);
  const unreadable = refusals(paying('x'), { limitPerItem: 500, limitPerExecution: 400 });
  expect(unreadable).toEqual([expect.stringMatching(/^Limit per Item: requires amounts/) as string]);
});

describe('the options in effect', () => {
  const now = DateTime.fromISO('2026-06-15T12:00:00Z', { zone: 'utc' });
  beforeAll(() => (Settings.now = () => now.toMillis()));
  afterAll(() => (Settings.now = () => Date.now()));

  const given: GivenOptions = { unknownOutcome: 'lookUp' };
  const checking = operationOf({
    footprint: {
      lifetime: () => 'day',
      isIdentifiable: ({ body }: MoneyRequest['values']) => body.unclear === undefined,
      isCheckedInTools: true,
      time: () => undefined,
      list: { newestBy: 'tran_time' },
    } as unknown as Operation['footprint'],
  });
  const force = (options: Partial<GivenOptions>, node: INode, more: Partial<MoneyRequest> = {}) => {
    const request = moneyRequest({ operation: checking, ...more });
    const { testEnvironmentOnly, existing } = inForce({ ...given, ...options }, request, node);
    return { testEnvironmentOnly, since: existing?.since?.toUTC().toISO() };
  };
  const dayBefore = '2026-06-14T12:00:00.000Z';
  const since = DateTime.fromISO('2026-06-01T00:00:00Z');
  const chosen = '2026-06-01T00:00:00.000Z';

  test("the options in effect are the user's options in a node that isn't a tool", () => {
    expect(force({}, plain)).toEqual({ testEnvironmentOnly: false, since: undefined });
    const set = { testEnvironmentOnly: true, ifExists: { then: 'fail' as const } };
    expect(force(set, plain)).toEqual({ testEnvironmentOnly: true, since: dayBefore });
    expect(force({ ifExists: { then: 'fail', since } }, plain).since).toBe(chosen);
    expect(force({ ifExists: { then: 'skip', since } }, plain).since).toBeUndefined();
  });

  test('the options in effect include the safe defaults of a tool unless they were switched off', () => {
    expect(force({}, tool)).toEqual({ testEnvironmentOnly: true, since: dayBefore });
    expect(force({ ifExists: { then: 'return', since } }, tool).since).toBe(chosen);
    expect(force({ testEnvironmentOnly: false, ifExists: { then: 'skip', since } }, tool)).toEqual({
      testEnvironmentOnly: false,
      since: undefined,
    });
  });

  test("the options in effect don't include the defaults of a tool for requests that only read", () =>
    expect(force({}, tool, { effect: 'reads' })).toEqual({ testEnvironmentOnly: false, since: undefined }));

  const forced = (options: Partial<GivenOptions>, lifetime: string, node = plain) => {
    const operation = operationOf({
      footprint: { ...checking.footprint, lifetime: () => lifetime } as unknown as Operation['footprint'],
    });
    return inForce({ ...given, ...options }, moneyRequest({ operation }), node).existing;
  };

  test.each(['return', 'fail'] as const)(
    'the options in effect search for existing records and %s if the user chose that',
    (action) => {
      expect(forced({ ifExists: { then: action } }, 'always')).toEqual({ then: action, since: undefined });
      expect(forced({ ifExists: { then: action, since } }, 'day')).toEqual({ then: action, since });
    },
  );

  test('in a tool, existing records fail the item, and a node searches only if the user chose an action', () => {
    expect(forced({}, 'day')).toBeUndefined();
    expect(forced({ ifExists: { then: 'skip' } }, 'day')).toBeUndefined();
    expect(forced({}, 'day', tool)).toEqual({ then: 'fail', since: now.minus({ days: 1 }) });
    expect(forced({ ifExists: { then: 'skip' } }, 'day', tool)).toBeUndefined();
  });

  test('in a tool, a call that nothing tells from others is not searched for, unless the user chose an action', () => {
    const unclear = { body: { unclear: true } };
    expect(force({}, tool, moneyRequest({ operation: checking, ...unclear })).since).toBeUndefined();
    expect(force({}, tool, moneyRequest({ operation: checking })).since).toBe(dayBefore);
    for (const then of ['fail', 'return'] as const)
      expect(force({ ifExists: { then } }, tool, moneyRequest({ operation: checking, ...unclear })).since).toBe(
        dayBefore,
      );
  });

  test('the options in effect search one day back unless a reference identifies equal writes', () => {
    expect(forced({ ifExists: { then: 'fail' } }, 'always')?.since).toBeUndefined();
    expect(forced({ ifExists: { then: 'fail' } }, 'day')?.since?.toMillis()).toBe(now.minus({ days: 1 }).toMillis());
  });

  test('the options in effect have a key for single requests but not for requests that several items share', () => {
    const of = (operation: Operation) => inForce({ ...given, oncePerKey: 'k' }, moneyRequest({ operation }), plain);
    expect(of(operationOf({})).oncePerKey).toBe('k');
    expect(of(submit as unknown as Operation)).not.toHaveProperty('oncePerKey');
  });

  test('the options in effect search for no existing records in operations without a list', () => {
    const operation = operationOf({});
    expect(force({ ifExists: { then: 'fail', since } }, tool, { operation }).since).toBeUndefined();
  });

  test('the options in effect keep all other options', () => {
    const resolved = new Map([['a', 'applied' as const]]);
    const options = {
      unknownOutcome: 'resend' as const,
      limitPerItem: 1,
      limitPerExecution: 2,
      allowEqual: true,
      resolved,
    };
    expect(inForce({ ...options, ifExists: { then: 'skip' } }, moneyRequest({}), plain)).toEqual({
      ...options,
      testEnvironmentOnly: false,
    });
  });
});

describe('limits of a tool that moves money', () => {
  const lacking = (name: string) =>
    `${name}: must be set in the settings of this tool, because an AI agent could call the tool with any amount (nothing)`;
  const [one, all] = [lacking('Limit per Item'), lacking('Limit per Execution')];
  const asTool = (request: MoneyRequest, options: Partial<ItemOptions> = {}) =>
    refusals(request, options, { node: tool });

  test('limits of a tool that moves money are required per call and per execution', () => {
    expect(asTool(paying(1))).toEqual([one, all]);
    expect(asTool(paying(1), { limitPerItem: 5 })).toEqual([all]);
    expect(asTool(paying(1), { limitPerExecution: 5 })).toEqual([one]);
    expect(asTool(paying(1), { limitPerItem: 0.5, limitPerExecution: 0 })).toHaveLength(1);
    expect(asTool(paying(1), { limitPerItem: 5, limitPerExecution: 5 })).toEqual([]);
  });

  test('limits of a tool that moves money are required for unknown amounts, too', () => {
    expect(asTool(paying('x'))).toEqual([one, all]);
    expect(asTool(moneyRequest({ money: 'untold' }))).toEqual([one, all]);
  });

  test('a key may have any length outside of tools', () => {
    const oncePerKey = 'k'.repeat(256);
    expect(refusals(paying(1), { oncePerKey })).toEqual([]);
    expect(asTool(paying(1), { limitPerItem: 5, limitPerExecution: 5, oncePerKey })).toHaveLength(1);
  });

  test("limits of a tool that moves money aren't required for reads, for requests without money, or outside of tools", () => {
    expect(asTool(moneyRequest({}))).toEqual([]);
    expect(asTool(paying(1, { effect: 'reads' }))).toEqual([]);
    expect(refusals(paying(1))).toEqual([]);
  });
});

describe('a guard of a tool without a fixed value', () => {
  const found = (options: unknown, effect: MoneyRequest['effect'] = 'writesOnce') =>
    unfixedGuards(effect, nodeOf('paymentPlatformTool', options)).map(
      (problem) => `${problem.label}: ${problem.found}`,
    );
  const expression = 'an expression, which the model could fill';
  const fromAi = 'a value that the model fills ($fromAI)';

  test.each([
    ['limitPerItem', 'Limit per Item'],
    ['limitPerExecution', 'Limit per Execution'],
    ['limitPerDay', 'Limit per Day'],
    ['testEnvironmentOnly', 'Test Environment Only'],
    ['ifExists', 'If It Already Exists'],
    ['allowEqual', 'Allow Repeated Payments'],
    ['unknownOutcome', 'If the Outcome Is Unknown'],
    ['resolve', 'Resolve Items'],
  ])('a guard of a tool without a fixed value is refused: %s', (name, label) => {
    expect(found({ [name]: '={{ $json.limit }}' })).toEqual([`${label}: ${expression}`]);
    expect(found({ [name]: '=500' })).toEqual([`${label}: ${expression}`]);
    expect(found({ [name]: "={{ $fromAI('limit') }}" })).toEqual([`${label}: ${fromAi}`]);
  });

  test('the key of Once per Key may come from the caller of a tool, because a key can only prevent a payment', () =>
    expect(found({ oncePerKey: "={{ $fromAI('key') }}" })).toEqual([]));

  test.each([
    "={{ $fromAI('x') }}",
    "={{ $fromai('x') }}",
    "={{ $fromAi('x') }}",
    "={{ $FROMAI ('x', ``, 'number') }}",
    "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('x') }}",
    "={{ 5 + Number($fromAI\n('x')) }}",
    "{{ $fromAI('x') }}",
    "$fromAI('x')",
    "={{ $ fromAI('x') }}",
  ])('a guard that the model fills in is reported: %s', (text) =>
    expect(found({ limitPerItem: text })).toEqual([`Limit per Item: ${fromAi}`]),
  );

  test('a guard of a tool without a fixed value is found at any depth and reported once per option', () => {
    const resolve = { item: [{ code: 'a', finding: '=applied' }, { code: "={{ $fromAI('code') }}" }] };
    expect(found({ resolve, limitPerItem: '=5', limitPerExecution: 5 })).toEqual([
      `Limit per Item: ${expression}`,
      `Resolve Items: ${expression}`,
    ]);
    expect(found({ resolve: { item: [{ code: "={{ $fromAI('code') }}" }] } })).toEqual([`Resolve Items: ${fromAi}`]);
  });

  test('a guard of a tool without a fixed value is refused if one expression returns all options', () => {
    expect(found('={{ $json.options }}')).toEqual([`Options: ${expression}`]);
    expect(found("={{ $fromAI('options') }}")).toEqual([`Options: ${fromAi}`]);
    expect(found('text')).toHaveLength(1);
  });

  test('a guard of a tool without a fixed value is reported with advice', () =>
    expect(unfixedGuards('writesOnce', nodeOf('xTool', { limitPerItem: '=5' }))[0]?.allowed).toBe(
      'must be a fixed value in the settings of this tool, because the model must not set its own limits',
    ));

  test("a guard of a tool without a fixed value isn't found among fixed values and other options", () => {
    const options = {
      limitPerItem: 5,
      limitPerExecution: '5',
      testEnvironmentOnly: true,
      ifExists: { then: 'fail', since: '2026-01-01 = new year' },
      resolve: { item: [{ code: 'a', finding: 'applied' }, null] },
      timeout: "={{ $fromAI('seconds') }}",
    };
    expect(found(options)).toEqual([]);
    for (const none of [undefined, null, {}, []]) expect(found(none)).toEqual([]);
  });

  test('a guard of a tool without a fixed value is allowed for reads', () => {
    const options = { limitPerItem: "={{ $fromAI('x') }}" };
    expect(found(options, 'reads')).toEqual([]);
    expect(found(options, 'repeatsSafely')).toHaveLength(1);
  });
});

describe('Extra Body Fields', () => {
  const offered = (method: string, shape?: Operation['shape']) =>
    takesExtraBody(operationOf({ request: { ...operationOf({}).request, method } as Operation['request'], shape }));

  test.each([
    ['POST', true],
    ['PUT', true],
    ['GET', false],
    ['DELETE', false],
  ])('Extra Body Fields are offered for %s: %s', (method, isOffered) => expect(offered(method)).toBe(isOffered));

  test('Extra Body Fields are not offered if the node builds the whole body', () =>
    expect(offered('POST', {} as unknown as Operation['shape'])).toBe(false));
});
