import { group } from '../../../nodes/PaymentPlatform/fields/kinds/group';
import { integer } from '../../../nodes/PaymentPlatform/fields/kinds/number';
import {
  amountOf,
  amountsOf,
  amountWithFees,
  mayIncludeFees,
  approvedAmount,
  moneyBy,
  movesMoney,
  movesMoneyAtOnce,
  toldBy,
} from '../../../nodes/PaymentPlatform/model/read-amounts';
import { centsOf, isSameAmount, readableNumber, toCents } from '../../../nodes/PaymentPlatform/shared/objects';
import type { MoneyRequest, Operation } from '../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { moneyRequest, operationOf } from '../requests';

const named = (body: object, query: object = {}) =>
  amountsOf(moneyRequest({ body, query })).map(({ name, amount }) => [name, amount]);

const about = { label: 'A', description: 'A' };

const most = (body: object, more: object = {}) => amountOf(moneyRequest({ body, ...more }));

describe('reading numbers', () => {
  test.each([
    [500, 500],
    [-12.5, -12.5],
    [0, 0],
    ['500', 500],
    ['12.50', 12.5],
    [' 12.50 ', 12.5],
    ['-12.50', -12.5],
    ['+3', 3],
  ])('reads the number %j as %d', (value, number) => expect(readableNumber(value)).toBe(number));

  test.each([
    ['1,000.00'],
    ['1.000,00'],
    ['5 EUR'],
    ['€5'],
    ['1e3'],
    ['0x10'],
    ['12.'],
    ['.5'],
    ['1 000'],
    ['Infinity'],
    ['NaN'],
    [''],
    [' '],
    ['5\n6'],
    [NaN],
    [Infinity],
    [-Infinity],
    [null],
    [undefined],
    [true],
    [{ value: 5 }],
    [[5]],
  ])('refuses the ambiguous number %p', (value) => expect(readableNumber(value)).toBeUndefined());
});

test('amounts in a request are found in the body and query at any depth and in any case', () => {
  const body = { a: [{ b: { amt_dispute: -7 } }, [{ AMT_TRAN: '5.00' }]], unit_cost: 2, note: 'x', amount: 9 };
  expect(named(body, { amt_paid: '3' })).toEqual([
    ['amt_paid', 3],
    ['amt_dispute', -7],
    ['AMT_TRAN', 5],
    ['unit_cost', 2],
  ]);
});

test('amounts in a request exclude the switch that waives a fee and missing values', () => {
  expect(named({ amt_setup_ignore: true, amt_: 1, xamt_tran: 1, unit_costs: 1, amt_tran: undefined })).toEqual([]);
});

test('amounts in a request count per list value and are unreadable for null and objects', () => {
  expect(named({ amt_tran: ['1', [2]], amt_paid: [], amt_tax: null, amt_fee: { amt_x: 1 } })).toEqual([
    ['amt_tran', 1],
    ['amt_tran', 2],
    ['amt_paid', undefined],
    ['amt_tax', undefined],
    ['amt_fee', undefined],
  ]);
});

test('amounts in a request are described without long runs of digits', () => {
  const [{ found } = { found: '' }] = amountsOf(moneyRequest({ body: { amt_tran: '4111111111111111x' } }));
  expect(found).toBe('amt_tran text of 17 characters with a long number in it');
  expect(found).not.toContain('41111111');
});

describe('fields with amounts', () => {
  const fields = [
    integer({ ...about, name: 'value', money: true }),
    integer({ ...about, name: 'amt_of_water' }),
    integer({ ...about, name: 'page_size', place: 'query', money: true }),
    group({
      ...about,
      name: 'parts',
      type: 'list',
      itemLabel: 'Part',
      fields: [integer({ ...about, name: 'cost', money: true })],
    }),
  ];
  const operation = operationOf({ fields: fields.slice(0, 1), additional: fields.slice(1) });
  const amounts = (body: object, query: object = {}) =>
    amountsOf(moneyRequest({ operation, body, query })).map(({ name, amount }) => [name, amount]);

  test('declared amount fields are identified by their marks', () => {
    const body = { value: 5, amt_of_water: 7, parts: [{ cost: 1 }, { cost: 2 }] };
    expect(amounts(body, { page_size: 3 })).toEqual([
      ['page_size', 3],
      ['value', 5],
      ['cost', 1],
      ['cost', 2],
    ]);
  });

  test('undeclared amount fields are identified by their names', () => {
    const body = { page_size: 1, parts: [{ value: 4, amt_tip: 2, unit_cost: 1 }], more: { amt_of_water: 8, cost: 9 } };
    expect(amounts(body, { amt_of_water: 6, value: 3 })).toEqual([
      ['amt_of_water', 6],
      ['amt_tip', 2],
      ['unit_cost', 1],
      ['amt_of_water', 8],
    ]);
  });
});

describe('the total of an invoice', () => {
  const lines = [
    { quantity: 10, unit_cost: 95 },
    { quantity: '2', unit_cost: '-12.50' },
  ];
  const total = (invoice: object) => {
    const found = amountsOf(moneyRequest({ body: invoice })).filter(({ name }) => name === 'invoice total');
    return found.map(({ amount, found: text }) => [amount, text]);
  };

  test.each([
    [undefined, 925],
    [null, 925],
    ['', 925],
    [{ type: 'RATE', value: 10 }, 1017.5],
    [{ type: 'RATE', value: '0.001' }, 925.01],
    [{ type: 'AMOUNT', value: 10 }, 935],
    [{ type: 'AMOUNT', value: '10.00' }, 935],
  ])('the total of an invoice is the sum of its lines and the tax %j', (sales_tax, amount) =>
    expect(total({ line_items: lines, sales_tax })).toEqual([[amount, `invoice total ${amount}`]]),
  );

  test.each([
    { line_items: lines, sales_tax: {} },
    { line_items: lines, sales_tax: [] },
    { line_items: lines, sales_tax: 5 },
    { line_items: lines, sales_tax: { type: 'RATE', value: '10%' } },
    { line_items: lines, sales_tax: { type: 'OTHER', value: 10 } },
    { line_items: [{ quantity: 1 }] },
    { line_items: [{ unit_cost: 1 }] },
    { line_items: [{ quantity: 'two', unit_cost: 1 }] },
    { line_items: [null] },
    { line_items: ['x'] },
    // Numbers of this size lose the cents of the other lines.
    { line_items: [...lines, { quantity: '1'.padEnd(24, '0'), unit_cost: 1 }, { quantity: 1e23, unit_cost: -1 }] },
    { line_items: [...lines, { quantity: 1e200, unit_cost: 1e200 }, { quantity: 1e200, unit_cost: -1e200 }] },
    { line_items: [{ quantity: 1e12, unit_cost: 1.01 }] },
  ])("the total of an invoice can't be calculated for %j", (invoice) =>
    expect(total(invoice)).toEqual([[undefined, 'invoice total with a value that is not a number']]),
  );

  test.each([{}, { line_items: [] }, { line_items: '[{"unit_cost":1}]' }])(
    'the total of an invoice is missing in %j',
    (invoice) => expect(total(invoice)).toEqual([]),
  );

  test('the total of an invoice has no binary fraction errors and rounds up to the cent', () => {
    expect(total({ line_items: [{ quantity: 3, unit_cost: 0.1 }] })[0]?.[0]).toBe(0.3);
    expect(total({ line_items: [{ quantity: 0.5, unit_cost: 0.01 }] })[0]?.[0]).toBe(0.01);
    expect(total({ line_items: [{ quantity: 0.5, unit_cost: -0.03 }] })[0]?.[0]).toBe(-0.02);
    expect(total({ line_items: [{ quantity: 999, unit_cost: 999_999.99 }] })[0]?.[0]).toBe(998_999_990.01);
  });
});

test.each([
  [{ amt_tran: 10, amt_setup: 5 }, 15],
  [{ amt_tran: '10', amt_setup: '5.50' }, 15.5],
  [{ amt_tran: 10, pct_fee: 2.5 }, 10.25],
  [{ amt_tran: 10.01, amt_setup: 10, pct_fee: 1 }, 20.22],
])('the first payment of %j adds up to %d', (body, amount) => expect(most(body)).toBe(amount));

test.each([{ amt_tran: 10 }, { amt_tran: 10, amt_setup: 0 }, { amt_tran: 10, amt_setup: 0, pct_fee: 0 }])(
  'the first payment is only the amount for %j',
  (body) => expect(named(body).map(([name]) => name)).not.toContain('first payment'),
);

test.each([{ amt_setup: 5 }, { amt_setup: 5, amt_tran: '' }, { amt_setup: 5, amt_tran: null }])(
  'the first payment is missing without a recurring amount: %j',
  (body) => expect(named(body).map(([name]) => name)).not.toContain('first payment'),
);

test.each([
  { amt_tran: 10, pct_fee: 'some' },
  { amt_tran: 10, amt_setup: 'some' },
  { amt_tran: 'x', amt_setup: 1 },
])("the first payment can't be calculated for %j", (body) =>
  expect(named(body)).toContainEqual(['first payment', undefined]),
);

describe('the maximum amount of a write', () => {
  test('the maximum amount of a write is the largest absolute value of its amounts and totals', () => {
    expect(most({ amt_tran: 5, amt_tax: -7.5 })).toBe(7.5);
    expect(most({ line_items: [{ quantity: 2, unit_cost: 5 }] })).toBe(10);
    expect(most({}, { query: { amt_tran: ['5', '9'] } })).toBe(9);
  });

  test('the maximum amount of a write is zero without amounts', () => expect(most({ note: 'x' })).toBe(0));

  test('the maximum amount of a write is zero for a read', () =>
    expect(most({ amt_tran: 5 }, { effect: 'reads' })).toBe(0));

  test("the maximum amount of a write is unknown if an amount can't be read", () =>
    expect(most({ amt_tran: 5, amt_tax: 'x' })).toBeUndefined());

  test('the maximum amount of a write is unknown if the request moves more than it states', () =>
    expect(most({ amt_tran: 5 }, { money: 'untold' })).toBeUndefined());

  test.each([{}, { amt_tran: 0 }, { amt_tran: '' }, { amt_tran: [5] }, { AMT_TRAN: 5 }, { in: { amt_tran: 5 } }])(
    'the maximum amount of a write is unknown without the field that states it: %j',
    (body) => expect(most(body, { money: { by: 'amt_tran' } })).toBeUndefined(),
  );

  test('the maximum amount of a write is at least the amount in the declared field', () => {
    expect(most({ amt_tran: 5 }, { money: { by: 'amt_tran' } })).toBe(5);
    expect(most({ amt_tran: '5', amt_tax: 6 }, { money: { by: 'amt_tran' } })).toBe(6);
    const lines = { line_items: [{ quantity: 1, unit_cost: 5 }] };
    expect(most(lines, { money: { by: 'line_items' } })).toBe(5);
    expect(most({ line_items: [] }, { money: { by: 'line_items' } })).toBeUndefined();
    expect(most({ line_items: 5 }, { money: { by: 'line_items' } })).toBeUndefined();
  });

  test('the maximum amount of a write can be in a setting of the node', () => {
    const money: Operation['money'] = { byNode: 'expected' };
    for (const expected of [5, '5']) expect(most({}, { money, node: { expected } })).toBe(5);
    for (const node of [{}, { expected: 0 }, { expected: 'x' }]) expect(most({}, { money, node })).toBeUndefined();
    expect(amountsOf(moneyRequest({ money, node: { expected: 5 } }))).toMatchObject([{ name: 'amount', amount: 5 }]);
    expect(most({ amt_tran: 4 }, { node: { expected: 5 } })).toBe(4);
  });

  test('the maximum amount of a write can depend on the request itself', () => {
    const money: Operation['money'] = ({ method, path }) => (`${method} ${path}` === 'POST /x' ? 'untold' : 'named');
    expect(most({ amt_tran: 1 }, { money, method: 'POST', path: '/x' })).toBeUndefined();
    expect(most({ amt_tran: 1 }, { money, method: 'PUT', path: '/x' })).toBe(1);
  });
});

describe('an operation that moves money', () => {
  const base = operationOf({});

  test("an operation uses the interface's amount unless its declaration specifies another one", () => {
    const of = (moves: Operation['request']['moves'], body: object, money?: Operation['money']) =>
      amountOf(moneyRequest({ body, operation: { ...base, money, request: { ...base.request, moves } } }));
    expect(of({ by: 'amt_tran' }, { amt_tran: 5 })).toBe(5);
    expect(of({ by: 'amt_tran' }, { note: 'x' })).toBeUndefined();
    expect(of({ by: 'amt_tran' }, { note: 'x' }, 'named')).toBe(0);
    expect(of({ by: 'amt_tran', unless: ['plan_code'] }, { amt_tran: 5, plan_code: 'P1' })).toBeUndefined();
    expect(of({ by: 'amt_tran', unless: ['plan_code'] }, { amt_tran: 5, plan_code: undefined })).toBe(5);
    expect(of('untold', { amt_tran: 5 })).toBeUndefined();
    expect(of('named', { note: 'x' })).toBe(0);
  });

  test('an operation can move money without a field for an amount', () => {
    expect(movesMoney(base)).toBe(false);
    expect(movesMoney({ ...base, money: 'untold' })).toBe(true);
    expect(movesMoney({ ...base, request: { ...base.request, moves: 'untold' } })).toBe(true);
    expect(movesMoney({ ...base, money: 'untold', request: { ...base.request, effect: 'reads' } })).toBe(false);
    const { operations = [] } = resources.find(({ value }) => value === 'transaction') ?? {};
    const [amount] = operations.find(({ value }) => value === 'refund')?.fields.slice(2) ?? [];
    expect(movesMoney({ ...base, additional: amount ? [amount] : [] })).toBe(true);
  });

  test('only a subscription without a plan has a known amount', () => {
    const operation = resources.find(({ value }) => value === 'subscription')?.operations[0] as Operation;
    const of = (body: object) => amountOf(moneyRequest({ body, operation }));
    expect(of({ amt_tran: 5 })).toBe(5);
    expect(of({ plan_code: 'P1' })).toBeUndefined();
    expect(of({ plan_code: 'P1', amt_setup: 5, amt_tran: 5 })).toBeUndefined();
    expect(of({ amt_setup: 5 })).toBeUndefined();
  });
});

describe('an amount field named in the interface', () => {
  const moves = { by: 'amt_tran', unless: ['plan_code'], with: ['type', 'interval'] };
  const whole = { amt_tran: 5, type: 'a', interval: 'b' };

  test('the amount field named in the interface determines the moved amount', () => {
    expect(moneyBy(moves, whole)).toEqual({ by: 'amt_tran' });
    expect(moneyBy({ by: 'amt_tran' }, {})).toEqual({ by: 'amt_tran' });
    expect(moneyBy('named', whole)).toBe('named');
  });

  test.each([{ type: undefined }, { interval: undefined }])(
    'a request moves more than the named amount if %j',
    (more) => expect(moneyBy(moves, { ...whole, ...more })).toBe('untold'),
  );

  test.each([{ plan_code: 'p' }, { PLAN_CODE: 'p' }, { list: [{}, { in: { plan_code: 'p' } }] }])(
    'a request moves more than the named amount with %j',
    (more) => expect(moneyBy(moves, { ...whole, ...more })).toBe('untold'),
  );

  test.each([{ plan_code: undefined }, { name: 'plan_code' }, { list: ['plan_code', null] }])(
    'a request moves only the named amount with %j',
    (more) => expect(moneyBy(moves, { ...whole, ...more })).toEqual({ by: 'amt_tran' }),
  );

  test('the interface names the field with the moved amount', () => {
    expect(toldBy(moneyRequest({ body: { amt_tran: 5 }, money: { by: 'amt_tran' } }))).toBe('amt_tran');
    expect(toldBy(moneyRequest({ body: { amt_tran: 5 }, money: 'named' }))).toBeUndefined();
  });
});

test('a field that a step sends back unchanged moves nothing', () => {
  const sent = (kept: string[]) => ({
    ...moneyRequest({ body: { amt_tran: 5, amt_setup: 900 }, money: 'named' }),
    decided: { asked: {}, to: {}, kept },
  });
  const moved = (kept: string[]) => amountOf(sent(kept) as unknown as MoneyRequest);
  expect([moved([]), moved(['amt_setup']), moved(['amt_setup', 'amt_tran'])]).toEqual([905, 5, 0]);
});

test.each([
  [{}, 25],
  [{ amt_convenience_fee: 0.1, amt_tran_fee: '0.20' }, 25.3],
  [{ amt_convenience_fee: '', amt_tran_fee: null }, 25],
  [{ amt_tran_fee: -1 }, 26],
  [{ amt_tran_fee: 0.004 }, 25.01],
  [{ amt_convenience_fee: '0.001', amt_tran_fee: 0.1 + 0.2 }, 25.31],
  [{ pct_fee: '3.00', amt_tran_fee: 1 }, 26.75],
  [{ pct_fee: 0.01 }, 25.01],
  [{ pct_fee: '' }, 25],
  [{ pct_fee: 'x' }, undefined],
  [{ amt_tran_fee: 'x' }, undefined],
  [{ amt_convenience_fee: {} }, undefined],
  [{ amt_tran: undefined, amt_tran_fee: 1 }, undefined],
])('a transaction of 25 with %j has the amount %j', (more, amount) => {
  for (const amt_tran of [25, '-25.00']) expect(amountWithFees({ amt_tran, ...more })).toBe(amount);
});

test.each([
  [25, true],
  ['25.50', true],
  [-26, true],
  [26.01, false],
  [24.99, false],
  ['x', false],
])('the amount %j can be 25 with some of its fees: %j', (shown, may) => {
  const asked = { amt_tran: 25, amt_convenience_fee: 0.5, pct_fee: 2 };
  expect(mayIncludeFees(shown, asked)).toBe(may);
  expect(mayIncludeFees(shown, { ...asked, amt_convenience_fee: 'x' })).toBe(false);
  expect(mayIncludeFees(shown, { ...asked, amt_tran: undefined })).toBe(false);
});

test.each([
  ['000', undefined, 25],
  ['000', 20, 20],
  ['008', undefined, 25],
  ['010', 20, 20],
  [10, '20.00', '20.00'],
  ['010', 25, undefined],
  ['010', 26, undefined],
  ['010', 'x', undefined],
  ['010', undefined, undefined],
])('a payment of 25 with the code %j and the amount %j has the approved amount %j', (rcode, amt_tran, approved) => {
  expect(approvedAmount({ rcode, amt_tran }, 25)).toBe(approved);
  expect(approvedAmount({ rcode, amt_tran }, undefined)).toBe(amt_tran);
});

test.each([
  [{ amt_convenience_fee: 1 }, 26],
  [{ amt_tran_fee: '2.5' }, 27.5],
  [{ amt_convenience_fee: 1, amt_tran_fee: 2.5 }, 28.5],
  [{ amt_convenience_fee: 0, amt_tran_fee: 0 }, 25],
])('a charge of 25 with the fees %j moves %j', (fees, amount) => {
  expect(most({ amt_tran: 25, ...fees })).toBe(amount);
});

describe('comparing amounts', () => {
  test("a sent amount and a record's amount are compared in unsigned cents", () => {
    expect([5, '-5.00', 0.1, 'five', undefined].map(centsOf)).toEqual([500, 500, 10, undefined, undefined]);
  });

  test.each([
    ['5.00', 5, true],
    [-5, 5, true],
    [5.01, 5, false],
    ['five', 5, false],
    [5, 'five', false],
    ['five', 'five', false],
    [undefined, undefined, false],
  ])('%j and %j are the same amount: %s', (shown, sent, same) => expect(isSameAmount(shown, sent)).toBe(same));

  test.each([
    [4.35, 435],
    [0.1 + 0.2, 30],
    [-2.5, -250],
    [999_999.99, 99_999_999],
    [0, 0],
  ])('returns %d in whole cents as %d', (amount, cents) => {
    expect(toCents(amount)).toBe(cents);
  });
});

test('tells operations that move money at once from operations whose money moves later or never', () => {
  const operationNamed = (resource: string, operation: string) =>
    resources.find(({ value }) => value === resource)?.operations.find(({ value }) => value === operation) as Operation;
  const atOnce = (resource: string, operation: string) => movesMoneyAtOnce(operationNamed(resource, operation));
  expect(['sale', 'refund', 'payout'].map((one) => atOnce('transaction', one))).toEqual([true, true, true]);
  expect(atOnce('subscription', 'create')).toBe(true);
  expect([atOnce('invoice', 'create'), atOnce('checkout', 'create'), atOnce('plan', 'create')]).toEqual([
    false,
    false,
    false,
  ]);
  expect([atOnce('transaction', 'emailReceipt'), atOnce('transaction', 'get')]).toEqual([false, false]);
});
