import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { generateReference } from '../../../nodes/PaymentPlatform/fields/common';
import { calendarDate, calendarDateOrToday } from '../../../nodes/PaymentPlatform/fields/kinds/date';
import { file } from '../../../nodes/PaymentPlatform/fields/kinds/file';
import { group } from '../../../nodes/PaymentPlatform/fields/kinds/group';
import { amount } from '../../../nodes/PaymentPlatform/fields/kinds/number';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import { planItem, planWithFiles } from '../../../nodes/PaymentPlatform/run/plan-item';
import type { Account, FieldValues, Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { contextOf, throws } from '../context';
import { operationOf } from '../requests';

const account = { environment: 'production', merchantId: '123456789012' } as Account;

const plan = (operation: Operation, context: IExecuteFunctions, item = 0) =>
  planItem(context, operation, account, item);
const requestOf = (operation: Operation, parameters: object, item = 0): PlannedRequest => {
  const planned = plan(operation, contextOf({ ...parameters }), item);
  if ('failure' in planned) throw new Error(planned.failure.message);
  return planned.request;
};
const refusalOf = (operation: Operation, parameters: object, more: Parameters<typeof contextOf>[1] = {}, item = 0) => {
  const planned = plan(operation, contextOf({ ...parameters }, more), item);
  return 'failure' in planned ? planned.failure.message : undefined;
};

const field = (name: string, more: object = {}) => text({ name, label: `The ${name}`, description: '', ...more });
const paying = operationOf({ fields: [amount({ name: 'amt_tran', label: 'Amount', description: '', money: true })] });
const onPath = (more: Partial<Operation> = {}) =>
  operationOf({
    request: { method: 'POST', path: '/pg/refund/{pgIdOrig}', family: 'gateway', effect: 'writesOnce' },
    fields: [field('pgIdOrig', { place: 'path' }), field('customer_id')],
    ...more,
  });

describe('building a request from an item', () => {
  test('a request contains each value in its place and in the declared order', () => {
    const operation = operationOf({
      fields: [field('a'), field('b', { place: 'query' }), field('c', { place: 'node' })],
      additional: [field('d'), field('e', { place: 'query' })],
    });
    const parameters = { a: '1', b: '2', c: '3', d: 'not here', additionalFields: { d: '4', e: '5' } };
    const request = requestOf(operation, parameters, 3);
    expect(request).toMatchObject({ items: [3], part: 0, operation, method: 'POST', path: '/platform/invoice' });
    expect(request).toMatchObject({ family: 'platform', effect: 'writesOnce', simplify: false });
    expect(request.values).toEqual({
      path: {},
      query: { b: '2', e: '5' },
      body: { a: '1', d: '4' },
      node: { c: '3' },
      merchant: account.merchantId,
      timezone: 'America/New_York',
    });
  });

  test('a request contains no field without a value', () => {
    const operation = operationOf({ fields: [field('a'), field('b', { place: 'query' })] });
    expect(requestOf(operation, {}).values).toStrictEqual({
      path: {},
      query: {},
      body: {},
      node: {},
      merchant: account.merchantId,
      timezone: 'America/New_York',
    });
  });

  test('reads a group only from the parameter that the user chose', () => {
    const lines = group({
      name: 'lines',
      label: 'Lines',
      description: '',
      topLevel: true,
      type: 'object',
      itemLabel: 'Line',
      fields: [field('a')],
    });
    const operation = operationOf({ fields: [lines] });
    const bodyOf = (linesMode: string, parameters: object) => {
      const planned = plan(operation, contextOf({ linesMode, ...parameters }, { expressions: { bad: throws } }));
      return 'failure' in planned ? planned.failure.message : planned.request.values.body;
    };
    expect(bodyOf('fields', { lines: { a: '1' }, linesJson: '=bad' })).toEqual({ lines: { a: '1' } });
    expect(bodyOf('json', { lines: '=bad', linesJson: '{"a":"2"}' })).toEqual({ lines: { a: '2' } });
    expect(bodyOf('json', { lines: { a: '1' }, linesJson: '=bad' })).toMatch(/^"Lines \(JSON\)" must be an expression/);
  });

  test("evaluates the item's own expressions", () => {
    const expressions = { note: (item: number) => `item ${item}` };
    const planned = plan(operationOf({ fields: [field('a')] }), contextOf({ a: '=note' }, { expressions }), 7);
    expect(planned).toMatchObject({ request: { values: { body: { a: 'item 7' } } } });
  });

  test("adds extra body fields without replacing the item's fields", () => {
    const extra = { additionalFields: { extraBodyFields: '{"new":{"a":1}}' } };
    expect(requestOf(operationOf({ fields: [field('a')] }), { a: '1', ...extra }).values.body).toEqual({
      a: '1',
      new: { a: 1 },
    });
  });

  test("adds the credential's merchant unless the item names another", () => {
    const merchant = { place: 'query' as const, name: 'merchant_id' };
    const base = operationOf({ additional: [field('merchant_id', { place: 'query' })] });
    const operation = { ...base, request: { ...base.request, merchant } };
    expect(requestOf(operation, {}).values.query).toEqual({ merchant_id: '123456789012' });
    expect(requestOf(operation, { additionalFields: { merchant_id: '9' } }).values.query).toEqual({ merchant_id: '9' });
    expect(requestOf(base, {}).values.query).toEqual({});
  });

  test('a request belongs to the merchant that its query or body names', () => {
    const operation = operationOf({ additional: [field('merchant_id', { place: 'query' })] });
    const merchantOf = (additionalFields: object) => requestOf(operation, { additionalFields }).values.merchant;
    expect(merchantOf({})).toBe('123456789012');
    expect(merchantOf({ merchant_id: '9' })).toBe('9');
    expect(merchantOf({ extraBodyFields: '{"merchant_id":" 7 "}' })).toBe('7');
  });

  test('a row is named by a value that it sends', () => {
    const operation = operationOf({ fields: [field('invoice_number'), field('a')] });
    expect(plan(operation, contextOf({ invoice_number: 'A1' })).name?.()).toBe('A1');
    expect(plan(operation, contextOf({ a: '1' })).name?.()).toBeUndefined();
  });

  test('uses the method, path and content that the user chose', () => {
    const shaped = {
      method: 'PUT',
      path: '/x',
      family: 'any',
      effect: 'reads',
      query: { q: 1 },
      body: { b: 1 },
    } as const;
    const request = requestOf(operationOf({ shape: () => ({ ...shaped, list: { fields: [] } }) }), {});
    const { query, body, ...rest } = shaped;
    expect(request).toMatchObject({ ...rest, list: { fields: [] } });
    expect(request.values).toMatchObject({ query, body });
  });

  test('applies the switch Simplify to a request', () => {
    const operation = operationOf({ simplified: (record) => record });
    const chosen = [true, false, 'true', 1, undefined].map((simplify) => requestOf(operation, { simplify }).simplify);
    expect(chosen).toEqual([true, false, true, true, false]);
  });

  test('limits a list to the number of records', () => {
    const operation = operationOf({ list: { fields: [] } });
    const limits = [{}, { limit: 7 }, { limit: '7' }, { limit: 7, returnAll: true }, { limit: 7, returnAll: 'true' }];
    expect(limits.map((parameters) => requestOf(operation, parameters).limit)).toEqual([
      50,
      7,
      7,
      undefined,
      undefined,
    ]);
    for (const limit of [0, -5, 1.5, 'x'])
      expect(refusalOf(operation, { limit })).toMatch(/^"Limit" must be a whole number of at least 1/);
    expect(requestOf(operation, {}).list).toEqual({ fields: [] });
    expect(requestOf(operationOf({}), { limit: 7 })).not.toHaveProperty('limit');
  });
});

test('a request writes to the object in the path or in the field that the operation names', () => {
  expect(requestOf(onPath(), { pgIdOrig: 'a1', customer_id: 'c' }).objectKey).toBe('pgIdOrig:a1');
  const named = onPath({ sameObject: 'customer_id' });
  expect(requestOf(named, { pgIdOrig: 'a1', customer_id: 'c' }).objectKey).toBe('customer_id:c');
  expect(requestOf(named, { pgIdOrig: 'a1' }).objectKey).toBeUndefined();
});

test('a read or a request without an object writes to none', () => {
  expect(requestOf(operationOf({}), {}).objectKey).toBeUndefined();
  const base = onPath();
  const reading = { ...base, request: { ...base.request, effect: 'reads' as const } };
  expect(requestOf(reading, { pgIdOrig: 'a1' }).objectKey).toBeUndefined();
});

describe('the path of a request', () => {
  test('the path of a request contains the values of its fields', () =>
    expect(requestOf(onPath(), { pgIdOrig: 'A_b-1' }).path).toBe('/pg/refund/A_b-1'));

  test('the path of a request contains nothing for a missing value', () =>
    expect(requestOf(onPath(), {}).path).toBe('/pg/refund/'));

  test.each(['a/b', '..', 'a.b', 'ä', 'a b', '%2e', 'a?b', 'a#b', 'a\n'])(
    'refuses %j in a field of the path',
    (pgIdOrig) => {
      const raw = { ...field('pgIdOrig', { place: 'path' }), convert: () => pgIdOrig };
      expect(refusalOf(onPath({ fields: [raw] }), { pgIdOrig })).toContain(
        '"The pgIdOrig" must contain only letters, digits, dashes and underscores (found ',
      );
    },
  );
});

describe('an item that is refused', () => {
  test('an item is refused with all of its problems and its index', () => {
    const operation = operationOf({
      fields: [field('a', { required: true })],
      additional: [field('b', { maxLength: 1 })],
    });
    const planned = plan(operation, contextOf({ additionalFields: { b: 'xx' } }), 4);
    expect(planned).toMatchObject({ item: 4, failure: { outcome: 'invalid' } });
    expect(refusalOf(operation, { additionalFields: { b: 'xx' } })).toMatch(/^"The a" is required\. "The b" must /);
  });

  test('an item is refused if an expression fails', () => {
    const operation = operationOf({ fields: [field('a')] });
    expect(refusalOf(operation, { a: '=bad' }, { expressions: { bad: throws } })).toBe(
      `"The a" must be an expression that returns a value for this item (found an expression that fails: "Node 'CRM' hasn't been executed")`,
    );
  });

  test('an item is refused if the user typed a value that is nested too deeply', () => {
    const deep = Array.from({ length: 500 }).reduce<object>((inner) => ({ inner }), {});
    expect(refusalOf(operationOf({ fields: [field('a'), field('b')] }), { a: deep, b: '1' })).toMatch(
      /^"The a" .*nested.*\(found more\)$/,
    );
  });

  test('an item is refused by rules between fields only if every field is valid', () => {
    const check = jest.fn(() => [{ label: 'Rule', found: 'x', allowed: 'is broken' }]);
    const operation = operationOf({ fields: [field('a', { required: true })], check });
    expect(refusalOf(operation, {})).not.toContain('Rule');
    expect(check).not.toHaveBeenCalled();
    expect(refusalOf(operation, { a: '1' })).toBe('"Rule" is broken (found x)');
    expect(check).toHaveBeenCalledWith(expect.objectContaining({ body: { a: '1' } }), account);
  });

  test('an item is refused by its guards only if everything else is valid', () => {
    const options = { limitPerItem: 5 };
    expect(refusalOf(paying, { amt_tran: 6, options })).toBe('"Limit per Item" allows at most 5 (found "Amount" 6)');
    expect(refusalOf(paying, { amt_tran: 5, options })).toBeUndefined();
    const check = () => [{ label: 'Rule', found: 'x', allowed: 'is broken' }];
    expect(refusalOf({ ...paying, check }, { amt_tran: 6, options })).toBe('"Rule" is broken (found x)');
  });

  test('an item that a guard refuses keeps its request, and an invalid item has no request', () => {
    const context = contextOf({ amt_tran: 6, options: { limitPerItem: 5 } });
    expect(plan(paying, context, 2)).toMatchObject({
      item: 2,
      refused: { items: [2], values: { body: { amt_tran: 6 } } },
    });
    expect(plan(paying, contextOf({ amt_tran: 'six' }), 2)).not.toHaveProperty('refused');
  });

  test('an item is refused in Production if the test environment is required', () =>
    expect(refusalOf(paying, { amt_tran: 1, options: { testEnvironmentOnly: 'true' } })).toMatch(
      /^"Test Environment Only"/,
    ));

  test('an item is refused in Production without any options if its operation affects the whole merchant', () => {
    expect(refusalOf({ ...paying, affectsMerchant: true }, { amt_tran: 1 })).toMatch(/^"Test Environment Only"/);
    expect(refusalOf(paying, { amt_tran: 1 })).toBeUndefined();
  });

  test('an item is refused if its currency has no decimals but its amount has', () => {
    const operation = { ...paying, fields: [...paying.fields, field('tran_currency')] };
    expect(refusalOf(operation, { amt_tran: 5.5, tran_currency: '392' })).toBe(
      '"Amount" must be a whole number, because JPY has no decimals (found 5.5)',
    );
    expect(refusalOf(operation, { amt_tran: 5, tran_currency: '392' })).toBeUndefined();
  });

  test('an item is refused because of the values that it would send, not because of its parameters', () => {
    const operation = operationOf({
      shape: () => ({
        method: 'POST',
        path: '/x',
        family: 'any',
        effect: 'writesOnce',
        query: {},
        body: { amt_tran: 6 },
      }),
    });
    expect(refusalOf(operation, { options: { limitPerItem: 5 } })).toContain('amt_tran 6');
  });
});

describe('the guards of an item', () => {
  test('invalid guards refuse an item that may write', () => {
    const broken = { amt_tran: 1, options: { limitPerItem: '' } };
    expect(refusalOf(paying, broken)).toMatch(/^"Limit per Item" must be a number/);
    const reading = { ...paying, request: { ...paying.request, effect: 'reads' as const } };
    expect(refusalOf(reading, broken)).toBeUndefined();
  });

  test('a read is never a preview, also if an expression of the option is true', () => {
    const previewOf = (operation: Operation) =>
      plan(operation, contextOf({ options: { previewOnly: true } })).isPreview;
    expect(previewOf(operationOf({}))).toBe(true);
    const request = { method: 'GET', path: '/x', family: 'platform', effect: 'reads' } as const;
    expect(previewOf(operationOf({ request }))).toBe(false);
  });

  test('the guards of an item are read for each item', () => {
    const expressions = { limit: (item: number) => [5, 10][item] };
    const parameters = { amt_tran: 6, options: { limitPerItem: '=limit' } };
    expect(refusalOf(paying, parameters, { expressions }, 0)).toContain('allows at most 5');
    expect(refusalOf(paying, parameters, { expressions }, 1)).toBeUndefined();
  });

  test("the guards of an item belong to the item's request", () => {
    const resolve = { item: [{ code: 'a', finding: 'applied' }] };
    const options = { limitPerItem: 5, limitPerExecution: 9, allowEqual: true, unknownOutcome: 'resolve', resolve };
    expect(requestOf(paying, { amt_tran: 1, options }).options).toEqual({
      limitPerItem: 5,
      limitPerExecution: 9,
      allowEqual: true,
      unknownOutcome: 'lookUp',
      testEnvironmentOnly: false,
      resolved: new Map([['a', 'applied']]),
    });
  });

  test.each([
    ['once for each item', '=limit', 1],
    ['not at all without an expression', 5, 0],
  ])('the guards of an item are evaluated %s', (_, limitPerItem, times) => {
    const context = contextOf({ amt_tran: 1, options: { limitPerItem } }, { expressions: { limit: () => 5 } });
    const read = jest.spyOn(context, 'getNodeParameter');
    plan(paying, context);
    expect(read.mock.calls.filter(([name]) => String(name).startsWith('options'))).toHaveLength(times);
  });
});

describe('an item of a tool', () => {
  const type = 'paymentPlatformTool';
  const limits = { limitPerItem: 5, limitPerExecution: 5 };

  test('an item of a tool is refused before anything is sent if the tool was never opened', () => {
    expect(refusalOf(paying, { amt_tran: 1 }, { type })).toBe(
      '"Limit per Item" must be set in the settings of this tool, because an AI agent could call the tool with any amount. ' +
        '"Limit per Execution" must be set in the settings of this tool, because an AI agent could call the tool with any amount. ' +
        '"Test Environment Only" allows only the test environment (found a credential for Production)',
    );
  });

  test('an item of a tool is sent in Production with limits only if the guard for the test environment is off', () => {
    expect(refusalOf(paying, { amt_tran: 1, options: limits }, { type })).toMatch(/^"Test Environment Only"/);
    expect(
      refusalOf(paying, { amt_tran: 1, options: { ...limits, testEnvironmentOnly: false } }, { type }),
    ).toBeUndefined();
  });

  test('the refusal names only the guard that a model could fill in', () => {
    const options = { ...limits, limitPerItem: "={{ $fromAI('limit') }}", testEnvironmentOnly: false };
    expect(refusalOf(paying, { amt_tran: 1, options }, { type })).toMatch(
      /^"Limit per Item" must be a fixed value in the settings of this tool.*\(found a value that the model fills \(\$fromAI\)\)$/,
    );
  });

  test('the refusal names the other problems of the item after a guard that a model could fill in', () => {
    const options = { ...limits, limitPerItem: "={{ $fromAI('limit') }}" };
    const operation = { ...paying, fields: [...paying.fields, field('a', { required: true })] };
    expect(refusalOf(operation, { amt_tran: 1, options }, { type })).toMatch(
      /^"Limit per Item" must be a fixed value .*\. "The a" is required$/,
    );
  });

  test('planning the items of a tool reads the node once per run', () => {
    const context = contextOf({ amt_tran: 1 });
    const node = contextOf({ amt_tran: 1 }, { type }).getNode();
    const asked = jest.spyOn(context, 'getNode');
    expect(planItem(context, paying, account, 0, node)).toHaveProperty('failure');
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('problems with lists and switches', () => {
  const list = operationOf({
    request: { method: 'GET', path: '/platform/vault/customer', family: 'platform', effect: 'reads' },
    list: { fields: [] },
  });

  test('accepts a limit of one record but not of zero records', () => {
    expect(requestOf(list, { limit: 1 }).limit).toBe(1);
    expect(requestOf(list, {}).limit).toBe(50);
    for (const limit of [0, -1, 1.5, 'many'])
      expect(refusalOf(list, { limit })).toMatch(/^"Limit" must be a whole number of at least 1 \(found/);
  });

  test('fetches all records without a limit', () => {
    expect(requestOf(list, { returnAll: true, limit: 3 })).not.toHaveProperty('limit');
    expect(requestOf(list, { returnAll: 'true' })).not.toHaveProperty('limit');
    expect(requestOf(list, { returnAll: false, limit: 3 }).limit).toBe(3);
  });

  test('writes a list to a file only outside of tools, and always with all fields', () => {
    const long = { ...list, simplified: (record: IDataObject) => record };
    const asFile = { returnAs: 'file', binaryPropertyName: 'report', simplify: true };
    expect(requestOf(long, asFile)).toMatchObject({ file: { property: 'report' }, simplify: false });
    expect(requestOf(long, { simplify: true })).not.toHaveProperty('file');
    const planned = plan(long, contextOf(asFile, { type: 'paymentPlatformTool' }));
    expect('request' in planned && planned.request).not.toHaveProperty('file');
    expect(requestOf(operationOf({}), asFile)).not.toHaveProperty('file');
  });

  test('a problem names an unreadable switch with its value', () => {
    expect(refusalOf(list, { returnAll: 'maybe' })).toMatch(/^"Return All" must be true or false \(found "maybe"\)/);
    expect(refusalOf(list, { returnAll: 'maybe', limit: 0 })).toMatch(
      /^"Return All" .*\. "Limit" must be a whole number/,
    );
    const long = { ...list, simplified: (record: IDataObject) => record };
    expect(refusalOf(long, { simplify: 'maybe' })).toMatch(/^"Simplify" must be true or false \(found "maybe"\)/);
    expect(requestOf(long, { simplify: 'true' }).simplify).toBe(true);
    expect(requestOf(long, { simplify: '' }).simplify).toBe(false);
  });
});

test("reads dates in the workflow's time zone", () => {
  const operation = operationOf({
    fields: [calendarDate({ name: 'date_invoice', label: 'Date', description: '', place: 'body' })],
  });
  const expressions = { late: () => new Date('2027-01-01T04:30:00Z') };
  expect(plan(operation, contextOf({ date_invoice: '=late' }, { expressions }))).toMatchObject({
    request: { values: { body: { date_invoice: '2026-12-31T00:00:00.000Z' } } },
  });
});

describe('a date that defaults to today', () => {
  const operation = operationOf({
    fields: [calendarDateOrToday({ name: 'date_start', label: 'Start Date', description: '', place: 'body' })],
  });
  const planDate = (date_start: string, day?: string) =>
    plan(operation, contextOf({ date_start }, { expressions: { day: () => day, 'day=': () => day } }));
  const on = (day: string) => ({ request: { values: { body: { date_start: `${day}T00:00:00.000Z` } } } });
  beforeEach(() => jest.useFakeTimers({ now: new Date('2027-01-01T04:30:00Z') }));
  afterEach(() => jest.useRealTimers());

  test("a missing date becomes today in the workflow's time zone", () => {
    expect(planDate('')).toMatchObject(on('2026-12-31'));
    expect(planDate('2031-02-01')).toMatchObject(on('2031-02-01'));
  });

  test.each(['=day', '=day='])("an expression without a result doesn't become today: %s", (expression) => {
    expect(planDate(expression, '2031-02-01')).toMatchObject(on('2031-02-01'));
    expect(planDate(expression, '')).toMatchObject({ failure: { message: '"Start Date" is required' } });
  });
});

test('names an invalid ID by the label of its field among other problems', () => {
  const operation = onPath({ fields: [field('customer_id'), field('pgIdOrig', { place: 'path' })] });
  expect(refusalOf(operation, { pgIdOrig: 'a/b', customer_id: 'x' })).toMatch(
    /^"The pgIdOrig" must contain only letters/,
  );
  expect(
    refusalOf({ ...operation, fields: [], additional: operation.fields }, { additionalFields: { pgIdOrig: 'a/b' } }),
  ).toMatch(/^"pgIdOrig" must contain only letters/);
});

describe('an item with files', () => {
  const fileOf = (name: string, mostBytes: number) =>
    file({ name, label: name, description: '', place: 'body', mostBytes, mimeType: 'application/pdf', kind: 'PDF' });
  const operation = operationOf({ fields: [fileOf('small', 10), fileOf('large', 1000), fileOf('other', 10)] });
  const planFiles = async (parameters: object, sizes: Record<string, number>) => {
    const read = jest.fn(
      async (_: number, property: string) => await Promise.resolve(Buffer.alloc(sizes[property] ?? 0)),
    );
    const context = Object.assign(contextOf({ ...parameters }), {
      helpers: {
        assertBinaryData: (_: number, property: string) => ({
          id: property,
          mimeType: 'application/pdf',
          fileName: `${property}.pdf`,
        }),
        getBinaryMetadata: async (id: string) => await Promise.resolve({ fileSize: sizes[id] }),
        getBinaryDataBuffer: read,
      },
    });
    const planned = await planWithFiles(context, operation, account, 2, context.getNode());
    return { planned, read };
  };

  test('an item with files is planned with facts about its files, and each file is read once', async () => {
    const { planned, read } = await planFiles({ small: 'a', large: 'a', other: 'b' }, { a: 5, b: 6 });
    expect(planned).toMatchObject({
      request: {
        items: [2],
        values: {
          body: { small: { property: 'a', bytes: 5 }, large: { bytes: 5 }, other: { property: 'b', bytes: 6 } },
        },
      },
    });
    expect(read.mock.calls.map(([item, property]) => `${item} ${property}`)).toEqual(['2 a', '2 b']);
  });

  test('each file is checked against the maximum size of its field', async () => {
    const { planned, read } = await planFiles({ small: 'a', large: 'a', other: 'b' }, { a: 500, b: 500 });
    expect('failure' in planned && planned.failure.message).toMatch(/^"small" .*\. "other" /);
    // The node reads a file only if at least one field allows the file's size.
    expect(read.mock.calls.map(([, property]) => property)).toEqual(['a']);
  });

  test('an item without files is planned once', async () => {
    const context = contextOf({ a: '=one' }, { expressions: { one: () => '1' } });
    const evaluate = jest.spyOn(context, 'getNodeParameter');
    const planned = await planWithFiles(context, operationOf({ fields: [field('a')] }), account, 0, context.getNode());
    expect(planned).toMatchObject({ request: { values: { body: { a: '1' } } } });
    expect(evaluate).toHaveBeenCalledTimes(1);
  });
});

describe('the field Generate Reference', () => {
  const operation = operationOf({
    fields: [field('invoice_number')],
    additional: [generateReference],
    reference: { name: 'invoice_number', isOptional: true },
    footprint: { isIdentifiable: () => false, list: {} } as unknown as Operation['footprint'],
  });
  const bodyOf = ({ on, ...options }: { on?: boolean; ifExists?: object }, more = {}, own = operation) => {
    const additionalFields = on === undefined ? {} : { generateReference: on };
    const planned = plan(own, contextOf({ ...more, additionalFields, options }));
    return 'failure' in planned ? planned.failure.message : planned.request.values.body;
  };

  test('leaves the reference to the node, which adds it before it sends the item', () => {
    expect(bodyOf({ on: true })).toEqual({});
    expect(bodyOf({ on: true }, { invoice_number: 'A1' })).toEqual({ invoice_number: 'A1' });
  });

  test('and a search for existing records are refused together, because no earlier record has the new reference', () => {
    const message =
      '"Generate Reference" requires your own reference, so that the node can find an existing record (found the option "If It Already Exists")';
    for (const then of ['return', 'fail']) expect(bodyOf({ on: true, ifExists: { then } })).toBe(message);
    expect(bodyOf({ on: true, ifExists: { then: 'skip' } })).toEqual({});
    expect(bodyOf({ on: true, ifExists: { then: 'fail' } }, { invoice_number: 'A1' })).toEqual({
      invoice_number: 'A1',
    });
  });
});

describe('the option If It Already Exists without a reference of the item', () => {
  const operation = operationOf({
    fields: [amount({ name: 'amt_tran', label: 'Amount', description: '', money: true }), field('invoice_number')],
    additional: [field('customer_id'), field('email', { place: 'query' }), field('note', { place: 'node' })],
    reference: { name: 'invoice_number' },
    footprint: {
      isIdentifiable: ({ path, body, node }: FieldValues) =>
        [path.pgIdOrig, body.customer_id, node.note].some((value) => value !== undefined),
      list: {},
    } as unknown as Operation['footprint'],
  });
  const failing = { options: { ifExists: { then: 'fail' } } };
  const refused =
    '"If It Already Exists" requires your own reference, so that the node can find an existing record (found an item without your own reference)';

  test('refuses a payment that nothing else identifies', () => {
    expect(refusalOf(operation, { amt_tran: 5, ...failing })).toBe(refused);
    expect(refusalOf(operation, { amt_tran: 5, ...failing, additionalFields: { email: 'a@example.com' } })).toBe(
      refused,
    );
  });

  test('accepts an item with a reference, with another identifying field or without an amount', () => {
    for (const more of [
      { amt_tran: 5, invoice_number: 'A1' },
      { amt_tran: 5, additionalFields: { customer_id: 'c1' } },
      { amt_tran: 5, additionalFields: { note: 'n' } },
      {},
    ])
      expect(refusalOf(operation, { ...failing, ...more })).toBeUndefined();
    expect(refusalOf(operation, { amt_tran: 5, options: { ifExists: { then: 'skip' } } })).toBeUndefined();
  });
});
