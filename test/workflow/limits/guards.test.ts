import type { IDataObject } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { benchOf, refundBench, refund, refunding, sandboxForFile, toErrors } from '../bench';
import type { RunInput } from '../harness';

const sandbox = sandboxForFile({ seed: false });
const { sales } = refundBench(sandbox);
const { run, writes } = benchOf(sandbox);

async function refusal(parameters: object, rows: IDataObject[] = [{}], more: Partial<RunInput> = {}) {
  const { error } = await run(parameters, rows, more);
  expect(sandbox.control.journal()).toEqual([]);
  return error?.message;
}
const NOTHING = '={{ undefined }}';
const OTHER_NODE = "={{ $('Nowhere').item.json.limit }}";

describe('guards with an invalid value', () => {
  const production = () => ({ credential: credentialFor(sandbox, 'production') });

  test.each([true, 'true', 'TRUE', 1, '1'])('Test Environment Only is on with %j', async (testEnvironmentOnly) => {
    const parameters = { ...refunding({ testEnvironmentOnly }), pg_id: 'a', amt_tran: 1 };
    const message = await refusal(parameters, [{}], production());
    expect(message).toMatch(/"Test Environment Only" allows only the test environment/);
  });

  test.each([
    ['testEnvironmentOnly', 'Test Environment Only'],
    ['limitPerItem', 'Limit per Item'],
    ['limitPerExecution', 'Limit per Execution'],
    ['limitPerDay', 'Limit per Day'],
    ['unknownOutcome', 'If the Outcome Is Unknown'],
  ])('refuses the item with the reason if %s is invalid', async (name, label) => {
    const rows = sales(1);
    for (const value of [NOTHING, null, '', '={{ $json.missing }}', 'a word', '={{ [] }}'])
      expect(await refusal(refunding({ [name]: value }), rows)).toMatch(new RegExp(`^"${label}" must be `));
  });

  test('refuses an unknown action for existing records', async () => {
    for (const action of [NOTHING, null, '', '={{ $json.missing }}', 'a word', '={{ [] }}'])
      expect(await refusal(refunding({ ifExists: { then: action } }), sales(1))).toMatch(
        /^"If It Already Exists > Action" must/,
      );
  });

  test('keeps the duplicate check if If It Already Exists is an expression', async () => {
    const rows = sales(1);
    await run(refund, rows);
    const { items } = await run(refunding({ ifExists: "={{ { then: 'skip' } }}" }), rows);
    expect(items[0]?.json).toHaveProperty('found_at_service');
  });

  test('refuses an entry of Resolve Items without a code or a result', async () => {
    const rows = sales(1);
    for (const entry of [
      { finding: 'applied' },
      { code: 'a', finding: NOTHING },
      { code: NOTHING, finding: 'applied' },
    ])
      expect(await refusal(refunding({ unknownOutcome: 'resolve', resolve: { item: [entry] } }), rows)).toMatch(
        /^"Resolve Items 1 > /,
      );
  });

  test('reports a failing guard expression for its item only', async () => {
    const rows = sales(1);
    expect(await refusal(refunding({ limitPerItem: OTHER_NODE, sending: { timeout: 5 } }), rows)).toMatch(
      /^"Limit per Item" must be an expression that returns a value for this item/,
    );
    expect(await refusal(refunding({ sending: { timeout: OTHER_NODE } }), rows)).toMatch(
      /^"Options" must be an expression/,
    );
  });
});

test.each(['limitPerItem', 'limitPerExecution', 'limitPerDay'])(
  '%s refuses an invoice whose lines are too high for an exact total',
  async (name) => {
    const line = (quantity: unknown, unit_cost: number) => ({ description: 'A', quantity, unit_cost });
    const high = '1'.padEnd(24, '0');
    const body = { customer_id: 'C', line_items: [line(1000, 5), line(high, 1), line(high, -1)] };
    const request = { resource: 'api', operation: 'request', method: 'POST', path: '/platform/invoice' };
    expect(await refusal({ ...request, body: JSON.stringify(body), options: { [name]: 10 } })).toMatch(
      /requires amounts as numbers .* \(found invoice total/,
    );
  },
);

describe('guards that differ by item', () => {
  test('reads the limit of each item', async () => {
    const rows = sales(3).map((row, index) => ({ ...row, limit: [4, 3.99, ''][index] }));
    const { items, errors } = await run(refunding({ limitPerItem: '={{ $json.limit }}' }), rows, {
      onError: 'continueErrorOutput',
    });
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
    expect(errors.map(({ json }) => (json.error as IDataObject).message)).toEqual([
      '"Limit per Item" allows at most 3.99 (found "Amount" 4)',
      expect.stringMatching(/^"Limit per Item" must be a number/),
    ]);
    expect(writes()).toHaveLength(1);
  });

  test('reads the action for existing records and its start time for each item', async () => {
    const rows = sales(4);
    await run(refund, rows);
    sandbox.control.clearJournal();
    const again = rows.map((row, index) => ({
      ...row,
      since: ['2020-01-01', new Date().toISOString()][index % 2],
      action: ['fail', 'fail', 'skip', 'yes'][index],
    }));
    const { items, errors } = await run(
      refunding({ ifExists: { then: '={{ $json.action }}', since: '={{ $json.since }}' } }),
      again,
      toErrors,
    );
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
    expect(errors.map(({ json }) => (json.error as IDataObject).message)).toEqual([
      expect.stringMatching(/^A matching record already exists/),
      expect.stringMatching(/^"If It Already Exists > Action" must be one of/),
    ]);
  });

  test('reads Require Test Environment for each item', async () => {
    const rows = [{ test: false }, { test: 'true' }];
    const parameters = { ...refund, pg_id: 'a', amt_tran: 1, options: { testEnvironmentOnly: '={{ $json.test }}' } };
    const credential = credentialFor(sandbox, 'production');
    expect(await refusal(parameters, rows, { credential })).toMatch(
      /^Row 2 of 2 \(a\): "Test Environment Only" allows/,
    );
  });
});

test.each(['Production', 'TEST', 'staging', ''])(
  'treats the environment %j of a credential as Production',
  async (environment) => {
    const credential = { ...credentialFor(sandbox), environment };
    const message = await refusal(refunding({ testEnvironmentOnly: true }), sales(1), { credential });
    expect(message).toMatch(/"Test Environment Only" allows only the test environment/);
  },
);

describe('API requests with a limit', () => {
  const limits = [{ limitPerItem: 500 }, { limitPerExecution: 500 }];
  const api = (method: string, path: string, body: object = {}, more: object = {}) => ({
    resource: 'api',
    operation: 'request',
    method,
    path,
    body,
    ...more,
  });
  const NEEDED = /"Limit per (Item|Execution)" requires amounts as numbers/;
  const UNTOLD = /"Limit per (Item|Execution)" allows only requests with a known amount/;
  const TOO_MUCH = /"Limit per (Item|Execution)" allows at most 500/;

  const expectRefused = async (parameters: object, reason: RegExp) => {
    for (const options of limits) expect(await refusal({ ...parameters, options })).toMatch(reason);
  };

  test.each([['1,000.00'], ['5 EUR'], [{ value: 900 }], [null], [''], [['1', '9,0']]])(
    'refuses an API request with the unreadable amount %j',
    async (amt_tran) => await expectRefused(api('POST', '/pg/sale', { amt_tran }), NEEDED),
  );

  test.each([[501], ['500.01'], [-501], [{ amt_tran: 1, list: [{ amt_tax: 501 }] }]])(
    'refuses an API request above the limit: %j',
    async (amount) =>
      await expectRefused(
        api('POST', '/pg/sale', typeof amount === 'object' ? amount : { amt_tran: amount }),
        TOO_MUCH,
      ),
  );

  test.each([
    ['POST', '/pg/void/1'],
    ['POST', '/pg/capture/1'],
    ['POST', '/pg/batchClose'],
    ['POST', '/platform/subscription'],
    ['POST', '/platform/subscription/1/resume'],
    ['GET', '/platform/dispute/1/accept'],
    ['DELETE', '/platform/plan/1/delete'],
  ])("refuses an API request that doesn't state how much it moves: %s %s", async (method, path) => {
    await expectRefused(api(method, path), UNTOLD);
  });

  test('refuses a request whose path ignores the amount in its body', async () => {
    await expectRefused(api('POST', '/pg/void/1', { amt_tran: 0.01 }), UNTOLD);
    await expectRefused(api('POST', '/platform/subscription', { plan_code: 'P1', amt_tran: 0.01 }), UNTOLD);
  });

  describe('amounts from objects in expressions', () => {
    const LARGE = /allows at most 500 \(found (amt_tran|"Amount") 99999\)/;
    const NONE = /"(Limit per Item|Limit per Execution|Amount)" (needs amounts|must be)/;

    test.each([
      ['toJSON', '={{ ({ amt_tran: 1, toJSON: () => ({ amt_tran: 99999 }) }) }}'],
      ['an inner toJSON', '={{ ({ amt_tran: { toJSON: () => 99999 } }) }}'],
      ['a list with toJSON', '={{ ({ amt_tran: Object.assign([1], { toJSON: () => 99999 }) }) }}'],
      ['a second reading of toJSON', '={{ ((n) => ({ amt_tran: { toJSON: () => (n++ ? 1 : 99999) } }))(0) }}'],
    ])('checks and sends the same amount for %s in the body of an API request', async (_, body) => {
      await expectRefused({ ...api('POST', '/pg/sale'), body }, LARGE);
    });

    test.each([
      ['toJSON', LARGE, '={{ ({ toJSON: () => 99999 }) }}'],
      ['valueOf', NONE, '={{ ({ valueOf: () => 1 }) }}'],
      ['toString', NONE, '={{ ({ toString: () => "1" }) }}'],
    ])('checks and sends the same amount for %s in an amount field', async (_, reason, amount) => {
      await expectRefused({ ...refund, pg_id: 'abc', amt_tran: amount }, reason);
    });

    test('sends a body with a changing toJSON as it was first read', async () => {
      const body = '={{ ((n) => ({ amt_tran: { toJSON: () => (n++ ? 99999 : 1) } }))(0) }}';
      await run({ ...api('POST', '/pg/sale'), body, options: { limitPerItem: 500 } }, [{}], {
        onError: 'continueRegularOutput',
      });
      expect(sandbox.control.journal().map(({ body: sent }) => sent)).toEqual([{ amt_tran: 1 }]);
    });

    test('sends an ID and a query parameter as they were first read', async () => {
      const id = '={{ ((n) => ({ toJSON: () => (n++ ? "other" : "first") }))(0) }}';
      const item = [{ name: 'note', value: id }];
      await run({ ...api('GET', '/platform/plan'), queryParameters: { item } });
      await run({ resource: 'plan', operation: 'get', plan_code: { __rl: true, mode: 'id', value: id } });
      expect(sandbox.control.journal()).toMatchObject([{ query: { note: 'first' } }, { path: '/platform/plan/first' }]);
    });
  });

  test('counts amounts in query parameters', async () => {
    const item = [
      { name: 'amt_tran', value: '5' },
      { name: 'amt_tran', value: '501' },
    ];
    await expectRefused(api('POST', '/platform/vault/customer', {}, { queryParameters: { item } }), TOO_MUCH);
  });

  test('sends API requests that only read, move nothing, or stay below the limit', async () => {
    const options = { limitPerItem: 500, limitPerExecution: 500 };
    await run(api('POST', '/pg/tokenize', {}, { options }));
    await run(api('GET', '/platform/vault/customer', {}, { options }));
    await run(api('POST', '/platform/checkout', { amt_tran: '12.50' }, { options }));
    expect(sandbox.control.journal()).toHaveLength(3);
  });

  const subscription = {
    resource: 'subscription',
    operation: 'create',
    customer_id: { __rl: true, mode: 'id', value: 'C1' },
    date_start: '2030-01-01',
  };

  test('a limit refuses a subscription to a plan but allows a subscription with its own amount', async () => {
    await expectRefused({ ...subscription, termsSource: 'plan', plan_code: 'P1', amt_setup: 1 }, UNTOLD);
    const offPlan = {
      termsSource: 'offPlan',
      plan_frequency: 3,
      recur_amt: 10,
      endsAfter: 'payments',
      plan_duration: 12,
    };
    await run({ ...subscription, ...offPlan, options: { limitPerItem: 500 } });
    expect(sandbox.control.journal()).toHaveLength(1);
  });

  test("counts the one-time fee and surcharge of a subscription's first payment", async () => {
    const terms = {
      termsSource: 'offPlan',
      plan_frequency: 3,
      recur_amt: 300,
      endsAfter: 'payments',
      plan_duration: 12,
    };
    await expectRefused(
      { ...subscription, ...terms, amt_setup: 201 },
      /allows at most 500 \(found first payment 501\)/,
    );
    await expectRefused(
      { ...subscription, ...terms, amt_setup: 199, additionalFields: { pct_fee: 1 } },
      /allows at most 500 \(found first payment 503.99\)/,
    );
  });

  test('refuses Extra Body Fields with a limit', async () => {
    const extra = { additionalFields: { extraBodyFields: '{"amt_convenience_fee":"9,999"}' } };
    await expectRefused({ ...refund, pg_id: 'a', amt_tran: 1, ...extra }, NEEDED);
    const other = { additionalFields: { extraBodyFields: '{"any":1}' } };
    await expectRefused(
      { ...refund, pg_id: 'a', amt_tran: 1, ...other },
      /can't be used with a field that could change the amount \(found "Extra Body Fields \(JSON\)"\)/,
    );
  });

  test('rounds the total of an invoice up to the cent', async () => {
    const invoice = {
      resource: 'invoice',
      operation: 'create',
      customer_id: { __rl: true, mode: 'id', value: 'C1' },
      line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 500 }] },
      additionalFields: { sales_tax: { item: { type: 'RATE', value: 0.0001 } } },
    };
    await expectRefused(invoice, /allows at most 500 \(found invoice total 500.01\)/);
  });
});

test('sends nothing until the total of all items is below the limit', async () => {
  const rows = sales(4);
  expect(await refusal(refunding({ limitPerExecution: 11.99 }), rows)).toBe(
    `2 of 4 rows have errors. Nothing was sent. Row 3 (${rows[2]?.id as string}), row 4 (${rows[3]?.id as string}): "Limit per Execution" allows 11.99 in total. The total so far is 8, and this request would add 4`,
  );
  const { items, errors } = await run(refunding({ limitPerExecution: 12 }), rows, toErrors);
  expect([items.length, errors.length, writes().length]).toEqual([3, 1, 3]);
});

describe("guards of an agent's tool", () => {
  const settings = { type: 'paymentPlatformTool' };
  const asTool = async (parameters: object, rows: IDataObject[] = [{}], more: Partial<RunInput> = {}) =>
    await run(parameters, rows, { settings, ...more });
  async function toolRefusal(parameters: object, more: Partial<RunInput> = {}) {
    const { error, items, errors } = await asTool(parameters, [{}], more);
    expect(sandbox.control.journal()).toEqual([]);
    return [error?.message, JSON.stringify([items, errors])].join(' ').replaceAll('\\"', '"');
  }
  const limits = { limitPerItem: 500, limitPerExecution: 500 };
  const once = (guards?: object, options?: object) => ({
    ...{ ...refund, pg_id: 'a', amt_tran: 1 },
    ...guards,
    ...(options && { options }),
  });

  test('requires both limits for a write that moves money, even in an unopened tool', async () => {
    for (const options of [undefined, {}, { limitPerExecution: 5 }])
      expect(await toolRefusal(once(options))).toMatch(/"Limit per Item" must be set in the settings of this tool/);
    for (const options of [undefined, {}, { limitPerItem: 5 }])
      expect(await toolRefusal(once(options))).toMatch(
        /"Limit per Execution" must be set in the settings of this tool/,
      );
    const untold = { resource: 'api', operation: 'request', method: 'POST', path: '/pg/void/1' };
    expect(await toolRefusal(untold)).toMatch(/"Limit per Item" must be set in the settings of this tool/);
  });

  test('Production is refused unless Test Environment Only is switched off', async () => {
    const credential = credentialFor(sandbox, 'production');
    expect(await toolRefusal(once(limits), { credential })).toMatch(/"Test Environment Only" allows only the test/);
    const tokenize = { resource: 'card', operation: 'tokenize', card_number: '4111111111111111', exp_date: '1230' };
    expect(await toolRefusal(tokenize, { credential })).toMatch(/"Test Environment Only" allows only the test/);
    await asTool(once({ ...limits, testEnvironmentOnly: false }), [{}], { credential });
    expect(sandbox.control.journal().some(({ path }) => path === '/pg/refund/a')).toBe(true);
  });

  test('refuses a refund of the last 24 hours unless the options say otherwise', async () => {
    const row = { ...sales(1)[0], amount: 2 };
    await run(refund, [row]);
    const applied = () => writes().length;
    const again = async (options: object) => await asTool({ ...refunding(options), ...limits }, [row]);
    await again({});
    expect(applied()).toBe(1);
    await again({ ifExists: { then: 'fail', since: '2020-01-01' } });
    expect(applied()).toBe(1);
    await again({ ifExists: { then: 'fail', since: new Date().toISOString() } });
    expect(applied()).toBe(2);
    await again({ ifExists: { then: 'skip' } });
    expect(applied()).toBe(3);
  });

  test.each(['$fromAI', '$fromai', '$fromAi', '$FROMAI '])(
    'refuses a guard that the model fills in with %s',
    async (name) => {
      const options = { ...limits, limitPerItem: `={{ ${name}('limit', '', 'number') }}` };
      expect(await toolRefusal(once(options))).toMatch(
        /"Limit per Item" must be a fixed value in the settings of this tool.*a value that the model fills \(\$fromAI\)/,
      );
    },
  );

  test('refuses a guard whose braces show that it was an expression', async () => {
    const refused = await toolRefusal(once({ ...limits, limitPerItem: "{{ $fromAI('limit', '', 'number') }}" }));
    expect(refused).not.toMatch(/must be a number/);
    expect(refused).toMatch(/"Limit per Item" must be a fixed value.*a value that the model fills/);
  });

  test.each([
    ['limitPerItem', 'Limit per Item'],
    ['limitPerExecution', 'Limit per Execution'],
    ['testEnvironmentOnly', 'Test Environment Only'],
    ['ifExists', 'If It Already Exists'],
    ['unknownOutcome', 'If the Outcome Is Unknown'],
  ])('refuses a guard with an expression in every operation that writes: %s', async (name, label) => {
    const expression = '={{ $json.query }}';
    const given = { [name]: name === 'ifExists' ? { then: expression } : expression };
    const inPanel = !['ifExists', 'unknownOutcome'].includes(name);
    const reason = new RegExp(`"${label}" must be a fixed value.*an expression, which the model could fill`);
    expect(await toolRefusal(inPanel ? once({ ...limits, ...given }) : once(limits, given))).toMatch(reason);
    const tokenize = { resource: 'card', operation: 'tokenize', card_number: '4111111111111111' };
    if (['testEnvironmentOnly', 'unknownOutcome'].includes(name))
      expect(await toolRefusal({ ...tokenize, ...(inPanel ? given : { options: given }) })).toMatch(reason);
  });

  test('refuses expressions that would allow equal payments or resolve an item', async () => {
    const entry = { code: "={{ $fromAI('code') }}", finding: 'notApplied' };
    expect(await toolRefusal(once(limits, { unknownOutcome: 'resolve', resolve: { item: [entry] } }))).toMatch(
      /"Resolve Items" must be a fixed value.*the model fills/,
    );
    for (const allowEqual of ["={{ $fromAI('equal') }}", '={{ true }}'])
      expect(await toolRefusal(once({ ...limits, allowEqual }))).toMatch(/"Allow Repeated Payments" must be /);
  });

  test('refuses a tool whose options come from a single expression', async () => {
    const all = '={{ ({ limitPerItem: 1e9, limitPerExecution: 1e9, testEnvironmentOnly: false }) }}';
    expect(await toolRefusal({ ...refund, pg_id: 'a', amt_tran: 1, options: all })).toMatch(
      /"(Options|Limit per Item)/,
    );
  });

  test('requires no limit for operations that move no money', async () => {
    sandbox.control.addCustomers(1);
    const { items } = await asTool({ resource: 'customer', operation: 'getAll' });
    expect(items.at(-1)?.json).toHaveProperty('customer_id');
    await asTool({ resource: 'api', operation: 'request', method: 'GET', path: '/platform/vault/customer' });
    await asTool({ resource: 'card', operation: 'tokenize', card_number: '4111111111111111', exp_date: '1230' });
    expect(sandbox.control.journal()).toHaveLength(3);
  });
});

describe('earlier attempts in If It Already Exists', () => {
  const record = { request_type: 'refund', amt_tran: 4, tran_time: '2026-03-01 00:00:00', pg_id: '777' };
  const reported = (more: object) =>
    sandbox.control.addFault({
      kind: 'status',
      status: 200,
      operationId: 'getTransactionRequests',
      body: { code: 0, message: 'Success', totalPages: 1, totalRecords: 1, data: [{ ...record, ...more }] },
    });

  test("doesn't count a declined attempt as a refund", async () => {
    reported({ rcode: '005' });
    const { error } = await run(refunding({ ifExists: { then: 'fail', since: '2020-01-01' } }), sales(1));
    expect(error).toBeUndefined();
    expect(writes()).toHaveLength(1);
  });

  test.each([undefined, '000', '085', '998'])('counts an earlier attempt with the code %j', async (rcode) => {
    reported({ rcode });
    const { error } = await run(refunding({ ifExists: { then: 'fail', since: '2020-01-01' } }), sales(1));
    expect(error?.message).toMatch(/A matching record may already exist: pg_id 777/);
    expect(error?.description).toContain('To send this request anyway, a person can');
    expect(writes()).toEqual([]);
  });
});
