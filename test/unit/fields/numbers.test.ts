import type { IDataObject } from 'n8n-workflow';

import { amount, decimalProblems, exactDecimal, integer } from '../../../nodes/PaymentPlatform/fields/kinds/number';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import { readField } from '../../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { expectLinearTime } from '../growth';

const read = (field: Field, value: unknown) => {
  const problems: Problem[] = [];
  return { value: readField(field, { [field.name]: value as number }, problems, { timezone: 'utc' }), problems };
};

const price = amount({ name: 'amt_tran', label: 'Amount', description: '', required: true, money: true });
const DECIMALS =
  'must be a number with at most 2 decimal places, e.g. 12.50, without a currency symbol or thousands separator';
const refused = (found: string, allowed: string) => ({
  value: undefined,
  problems: [{ label: 'Amount', found, allowed }],
});

describe('amounts', () => {
  test.each([
    [0.1 + 0.2, 0.3],
    [1.1 * 3, 3.3],
    ['12.50', 12.5],
    ['0.500', 0.5],
    ['1234.500', 1234.5],
    ['12.5000', 12.5],
    ['12.', 12],
    ['+12.5', 12.5],
    [' 12.5 ', 12.5],
    ['0012.50', 12.5],
    [1_234_567.89, 1_234_567.89],
    [0.01, 0.01],
    ['9999999999.99', 9_999_999_999.99],
    [9_999_999_999.99, 9_999_999_999.99],
  ])('reads the amount %p as %p', (given, wanted) => {
    expect(read(price, given)).toEqual({ value: wanted, problems: [] });
  });

  test.each(['10.005', '12.5000001', '12.50.0', '-', '50%', '0x10', 'NaN', 'Infinity', '١٢'])(
    'refuses the text %j without rounding it',
    (given) => {
      expect(read(price, given)).toEqual(refused(`"${given}"`, DECIMALS));
    },
  );

  test.each([
    ['100,50', 'must be written with a decimal point. Did you mean 100.50?'],
    ['1.000,00', 'must be written without a thousands separator, with a decimal point. Did you mean 1000.00?'],
    ['1,000.00', 'must be written without a thousands separator. Did you mean 1000.00?'],
    ['1,000', 'has two possible meanings. Enter 1000 or 1.00'],
    ['1.000', 'has two possible meanings. Enter 1000 or 1.00'],
    ['12.500', 'has two possible meanings. Enter 12500 or 12.50'],
    ['$5', 'must be written without a currency. Did you mean 5?'],
    ['5 USD', 'must be written without a currency. Did you mean 5?'],
    ['1e3', 'must be written without an exponent. Did you mean 1000?'],
    ['.5', 'must be written with a digit before the decimal point. Did you mean 0.5?'],
  ])('refuses the text %j and suggests a correct input', (given, allowed) => {
    expect(read(price, given)).toEqual(refused(`"${given}"`, allowed));
  });

  test('suggests only amounts that the field accepts', () => {
    for (const given of ['-100,50', '0,00', '99999999999,50', '1,23,45'])
      expect(read(price, given)).toEqual(refused(expect.stringContaining(',') as never, DECIMALS));
  });

  test.each([NaN, Infinity, -Infinity, true, false, {}, [], [12.5], new Date(0)])('refuses the amount %p', (given) => {
    expect(read(price, given).problems).toEqual([expect.objectContaining({ label: 'Amount', allowed: DECIMALS })]);
  });

  test('amounts are between 0.01 and 9999999999.99 by default', () => {
    expect(read(price, 0)).toEqual(refused('0', 'must be at least 0.01'));
    expect(read(price, -5)).toEqual(refused('-5', 'must be at least 0.01'));
    expect(read(price, '-0.01')).toEqual(refused('"-0.01"', 'must be at least 0.01'));
    expect(read(price, 1e10)).toEqual(refused('10000000000', 'must be at most 9999999999.99'));
    const tax = amount({ name: 'tax', label: 'Amount', description: '', least: -1, decimals: 3, most: 1.5 });
    expect(read(tax, -1).value).toBe(-1);
    expect(read(tax, 1.5).value).toBe(1.5);
    expect(read(tax, 1.125).value).toBe(1.125);
    expect(read(tax, -1.001)).toEqual(refused('-1.001', 'must be at least -1'));
    expect(read(tax, 1.501)).toEqual(refused('1.501', 'must be at most 1.5'));
    expect(read(tax, 1.0005).problems[0]?.allowed).toMatch(/at most 3 decimal places/);
  });

  test('a missing required amount is reported, and an empty optional one sends nothing', () => {
    expect(read(price, '')).toEqual(refused('nothing', 'is required'));
    expect(read(price, null)).toEqual(refused('nothing', 'is required'));
    expect(read(amount({ name: 'amt_setup', label: 'Setup', description: '' }), ' ')).toEqual({
      value: undefined,
      problems: [],
    });
  });

  test('reads minus zero as zero', () => {
    const fee = amount({ name: 'fee', label: 'Fee', description: '', zero: true });
    expect(Object.is(read(fee, -0).value, 0)).toBe(true);
    expect(Object.is(read(fee, '-0.00').value, 0)).toBe(true);
    expect(Object.is(exactDecimal(-1e-10, 2), 0)).toBe(true);
  });

  test("amounts are text parameters, because the editor's number box drops commas", () => {
    expect(price.property).toMatchObject({ type: 'string', default: '', placeholder: 'e.g. 12.50' });
    const about = { name: 'a', label: 'A', description: '' };
    expect(amount(about).property).toMatchObject({ type: 'string', default: '' });
    expect(amount({ ...about, default: 7, placeholder: 'e.g. 2' }).property).toMatchObject({
      default: '7',
      placeholder: 'e.g. 2',
    });
  });
});

describe('binary fraction errors', () => {
  test('keeps every amount from 0.01 to 200.00 as a number, a sum and text', () => {
    let sum = 0;
    const wrong: unknown[] = [];
    for (let cents = 1; cents <= 20_000; cents += 1) {
      const decimal = cents / 100;
      sum += 0.01;
      const forms = [decimal, decimal.toFixed(2), cents * 0.01, sum];
      wrong.push(...forms.filter((form) => exactDecimal(form, 2) !== decimal));
    }
    expect(wrong).toEqual([]);
  });

  test('accepts a difference of large amounts and a sum of many', () => {
    expect(exactDecimal(1_000_000.1 - 1_000_000, 2)).toBe(0.1);
    expect(exactDecimal(9_999_999.99 - 9_999_999.98, 2)).toBe(0.01);
    let sum = 0;
    for (let line = 0; line < 1_000; line += 1) sum += 999_999.99;
    expect(sum).not.toBe(999_999_990);
    expect(exactDecimal(sum, 2)).toBe(999_999_990);
  });

  const magnitudes = Array.from({ length: 11 }, (_, power) => 10 ** power - 0.01);

  test.each(magnitudes)('never rounds a third, fourth or fifth decimal near %d', (near) => {
    const base = Math.max(0.01, Math.round(near * 100) / 100);
    for (const decimal of [0.001, 0.002, 0.004, 0.005, 0.006, 0.009, 0.0001, 0.0009, 0.00002])
      for (const sign of [1, -1]) {
        expect(exactDecimal(sign * (base + decimal), 2)).toBeUndefined();
        expect(exactDecimal(sign * (base - decimal), 2)).toBeUndefined();
      }
  });

  test('refuses 9999999999.991 without rounding it', () => {
    expect(read(price, 9_999_999_999.991)).toEqual(refused('a number of 13 digits', DECIMALS));
    expect(read(price, 9_999_999_999.989)).toEqual(refused('a number of 13 digits', DECIMALS));
  });

  test('refuses a real sixth decimal in rates up to the largest rate', () => {
    for (const rate of [8.25, 99_999.5, 9_999_999]) {
      expect(exactDecimal(rate, 5)).toBe(rate);
      expect(exactDecimal(rate - 0.000001, 5)).toBeUndefined();
    }
    expect(exactDecimal(7.12345, 5)).toBe(7.12345);
  });

  test('tolerates an error of 1e-9 in small amounts and 64 units in the last place in large ones', () => {
    expect(exactDecimal(5 + 0.9e-9, 2)).toBe(5);
    expect(exactDecimal(5 + 1.1e-9, 2)).toBeUndefined();
    expect(exactDecimal(5 - 0.9e-9, 2)).toBe(5);
    const unit = 2 ** -32;
    expect(exactDecimal(2 ** 20 + 60 * unit, 2)).toBe(2 ** 20);
    expect(exactDecimal(-(2 ** 20) - 60 * unit, 2)).toBe(-(2 ** 20));
    expect(exactDecimal(2 ** 20 + 70 * unit, 2)).toBeUndefined();
    // For the largest amounts, the rounding error must be below the fifth decimal.
    expect(exactDecimal(8_000_000_000 + 0.9e-5, 2)).toBe(8_000_000_000);
    expect(exactDecimal(8_000_000_000 + 1.2e-5, 2)).toBeUndefined();
  });

  test('keeps every digit of text or refuses it', () => {
    expect(exactDecimal('9007199254740993', 0)).toBeUndefined();
    expect(exactDecimal('9007199254740.93', 2)).toBe(9007199254740.93);
    expect(exactDecimal('900719925474099.37', 2)).toBeUndefined();
    expect(exactDecimal('123456789012345678.5', 2)).toBeUndefined();
    expect(exactDecimal('0.00001', 5)).toBe(0.00001);
    expect(exactDecimal('-100', 0)).toBe(-100);
    expect(exactDecimal('000.10', 1)).toBe(0.1);
  });

  test('refuses very long text in time proportional to its length', async () => {
    const refuseAll = (length: number) => {
      for (const sign of ['1', '0', '0.0']) expect(exactDecimal(sign.repeat(length), 2)).toBeUndefined();
    };
    await expectLinearTime(refuseAll, 1_000_000);
    expect(exactDecimal(`1.${'0'.repeat(398)}`, 2)).toBe(1);
  });

  test('reads text without evaluating it', () => {
    expect(exactDecimal('5.0000000001', 2)).toBeUndefined();
    expect(exactDecimal('5.0000000000', 2)).toBe(5);
    expect(exactDecimal('5.001', 2)).toBeUndefined();
    expect(exactDecimal('5.1', 0)).toBeUndefined();
    expect(exactDecimal('5.0', 0)).toBe(5);
    expect(exactDecimal(`x5`, 2)).toBeUndefined();
    expect(exactDecimal('9'.repeat(400), 0)).toBeUndefined();
  });
});

describe('whole numbers', () => {
  const vendor = integer({ name: 'vendor_id', label: 'Vendor ID', description: 'Number of the vendor', most: 99 });
  const RANGE = 'must be a whole number from 0 to 99';

  test.each([
    ['42', 42],
    [42, 42],
    ['42.0', 42],
    [0, 0],
    [99, 99],
    [41.9999999999, 42],
  ])('whole numbers accept %p', (given, wanted) => {
    expect(read(vendor, given)).toEqual({ value: wanted, problems: [] });
  });

  test.each([4.2, '4.2', 100, -1, '-1', true, [4], 'four', '4e9', NaN, 4.001])('whole numbers refuse %p', (given) => {
    expect(read(vendor, given)).toEqual({
      value: undefined,
      problems: [{ label: 'Vendor ID', found: expect.any(String) as string, allowed: RANGE }],
    });
  });

  test('whole numbers have a minimum and a maximum, by default the largest exact number', () => {
    const any = integer({ name: 'n', label: 'N', description: '', least: -1 });
    expect(read(any, -1).value).toBe(-1);
    expect(read(any, Number.MAX_SAFE_INTEGER).value).toBe(Number.MAX_SAFE_INTEGER);
    expect(read(any, '9007199254740991').value).toBe(9007199254740991);
    for (const beyond of [2 ** 53, '9007199254740992', '426351789012345678', -2])
      expect(read(any, beyond).problems[0]?.allowed).toBe(
        'must be a whole number of at least -1 with at most 15 digits',
      );
  });

  test('whole numbers with a comma are not guessed', () => {
    expect(read(vendor, '1,5').problems[0]?.allowed).toBe(RANGE);
    expect(read(integer({ name: 'n', label: 'N', description: '' }), '1.000').problems[0]?.allowed).toBe(
      'has two possible meanings. Enter 1000 or 1',
    );
    expect(read(integer({ name: 'n', label: 'N', description: '' }), '1,500').problems[0]?.allowed).toBe(
      'must be written without a thousands separator. Did you mean 1500?',
    );
  });

  test("whole number fields state their bounds in the editor unless the description already does or the bounds don't matter", () => {
    const seen = (most: number, description: string) => integer({ name: 'n', label: 'N', description, most }).property;
    expect(seen(99, 'Up to 99 of them')).toMatchObject({ description: 'Up to 99 of them' });
    expect(seen(99, 'How many. Of 990.')).toMatchObject({ description: 'How many. Of 990. From 0 to 99.' });
    expect(seen(1e9, 'How many')).toMatchObject({ description: 'How many' });
    const cost = amount({ name: 'n', label: 'N', description: 'Price', most: 999.5 });
    expect(cost.property.description).toBe('Price. At most 999.5.');
    const named = (maxLength: number) => text({ name: 'n', label: 'N', description: 'Name', maxLength });
    expect(named(32).property.description).toBe('Name. At most 32 characters.');
    expect(named(4000).property.description).toBe('Name');
  });

  test('whole numbers are text parameters that are empty by default', () => {
    expect(vendor.property).toEqual({
      displayName: 'Vendor ID',
      name: 'vendor_id',
      description: 'Number of the vendor. From 0 to 99.',
      type: 'string',
      default: '',
    });
    expect(integer({ name: 'n', label: 'N', description: '', default: 5 }).property).toMatchObject({
      default: '5',
    });
    expect(read(vendor, undefined)).toEqual({ value: undefined, problems: [] });
  });
});

test('limits the total number of digits of an amount, including decimals', () => {
  const rate = amount({ name: 'value', label: 'Amount', description: '', decimals: 5, digits: 7, zero: true });
  for (const given of [100.1234, '8.12345', '99.99999', 9_999_999, 0])
    expect(read(rate, given)).toEqual({ value: Number(given), problems: [] });
  expect(read(rate, '100.12345')).toEqual(refused('"100.12345"', 'must have at most 7 digits in total'));
  expect(read(rate, 10_000_000)).toEqual(refused('10000000', 'must have at most 7 digits in total'));
  expect(read(rate, '1.125')).toEqual({ value: 1.125, problems: [] });
});

describe("decimals that a currency doesn't have", () => {
  const YEN = '392';
  const fields = [
    amount({ name: 'amt_tran', label: 'Amount', description: '', money: true }),
    amount({ name: 'rate', label: 'Rate', description: '' }),
  ];
  const problemsOf = (values: IDataObject) => decimalProblems(values, fields).map(({ label, found }) => [label, found]);
  const yen = { tran_currency: YEN };

  test('the problem names the amount, its value and the currency', () => {
    expect(decimalProblems({ amt_tran: 10.5, ...yen }, fields)).toEqual([
      { label: 'Amount', found: '10.5', allowed: 'must be a whole number, because JPY has no decimals' },
    ]);
  });

  test.each<[string, IDataObject, unknown[]]>([
    ['a whole amount', { amt_tran: 10, ...yen }, []],
    ['a currency with decimals', { amt_tran: 10.5, tran_currency: '840' }, []],
    ['no currency', { amt_tran: 10.5 }, []],
    ['a field that is no amount', { quantity: 0.5, rate: 0.5, ...yen }, []],
    ['names that only resemble amounts', { gamt_tip: 0.5, amt_tip_ignore: 0.5, ...yen }, []],
    ['a name that contains "ignore"', { amt_tip_ignore_fee: 0.5, ...yen }, [['amt_tip_ignore_fee', '0.5']]],
    ['an unreadable amount', { amt_tran: 'ten', ...yen }, []],
    ['an undeclared amount', { amt_tip: 0.5, ...yen }, [['amt_tip', '0.5']]],
    ['an amount as text', { amt_tip: '0.5', ...yen }, [['amt_tip', '0.5']]],
    ['an object with its own currency', { order: { amt_tip: 0.5, ...yen } }, [['order > amt_tip', '0.5']]],
    ['a currency around an object', { order: { amt_tip: 0.5 }, ...yen }, [['order > amt_tip', '0.5']]],
    ['another currency in the object', { order: { amt_tip: 0.5, tran_currency: '840' }, ...yen }, []],
    ['objects in a list', { orders: [{}, { amt_tip: 0.5 }], ...yen }, [['orders 2 > amt_tip', '0.5']]],
    ['a list of amounts', { amt_tip: [1, 0.5], ...yen }, [['amt_tip', '0.5']]],
    [
      'the total of a line',
      {
        line_items: [
          { quantity: 1, unit_cost: 5 },
          { quantity: 0.5, unit_cost: 3 },
        ],
        ...yen,
      },
      [['line_items 2', 'the total 1.5']],
    ],
    [
      'the price of a line',
      { line_items: [{ quantity: 2, unit_cost: 0.5 }], ...yen },
      [['line_items 1 > unit_cost', '0.5']],
    ],
    ['the total of other lines', { lines: [{ quantity: 0.5, unit_cost: 3 }], ...yen }, []],
    ['a line without a total', { line_items: [{ quantity: 0.5 }, 1, null] as IDataObject[], ...yen }, []],
    ['an amount of tax', { sales_tax: { type: 'AMOUNT', value: 0.5 }, ...yen }, [['sales_tax', '0.5']]],
    ['a rate of tax', { sales_tax: { type: 'RATE', value: 0.5 }, ...yen }, []],
    ['another object with a value', { tip: { type: 'AMOUNT', value: 0.5 }, ...yen }, []],
  ])('the decimals of an amount are refused only in a currency without decimals: %s', (_, values, problems) => {
    expect(problemsOf(values)).toEqual(problems);
  });

  test.each([0.004, '0.004', -0.004, 1e-10, '0.0000000001', 12.345, '12.345', 10.005])(
    'more than two decimals of an undeclared amount are refused: %p',
    (value) => {
      const problem = { found: String(Number(value)), allowed: 'must have at most 2 decimal places' };
      expect(decimalProblems({ amt_tip: value }, fields)).toEqual([{ label: 'amt_tip', ...problem }]);
      expect(decimalProblems({ order: [{ AMT_TIP: [1, value] }] }, fields)).toEqual([
        { label: 'order 1 > AMT_TIP', ...problem },
      ]);
      expect(decimalProblems({ quantity: value, amt_tran: value }, fields)).toEqual([]);
    },
  );

  test.each([0, -0, '0.000', 0.1 + 0.2, 1000000.1 - 1000000, 12.5, '12.500', 1e21, 'ten', true, null])(
    'two decimals of an undeclared amount are accepted, with a floating-point error: %p',
    (value) => expect(decimalProblems({ amt_tip: value }, fields)).toEqual([]),
  );
});
