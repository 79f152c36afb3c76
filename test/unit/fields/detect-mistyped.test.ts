import { hasTwoReadings } from '../../../nodes/PaymentPlatform/fields/kinds/number';
import { whatToType } from '../../../nodes/PaymentPlatform/fields/detect-mistyped';
import { expectLinearTime } from '../growth';

const fits = (plain: string) => /^-?\d+(\.\d{1,2}0*)?$/.test(plain);
const said = (value: unknown, money = false) => whatToType(value, { fits, decimals: 2, money });

const POINT = 'with a decimal point';
const GROUPS = 'without a thousands separator';
const CURRENCY = 'without a currency';
const SIGNS = 'with standard digits and signs';

test.each([
  ['100,50', [POINT], '100.50'],
  ['0,5', [POINT], '0.5'],
  ['0,500', [POINT], '0.50'],
  ['-100,50', [POINT], '-100.50'],
  ['1.000,00', [GROUPS, POINT], '1000.00'],
  ['1,000.00', [GROUPS], '1000.00'],
  ['1,234', [GROUPS], '1234'],
  ['1.234.5', [], undefined],
  ['1 000,00', [GROUPS, POINT], '1000.00'],
  ['1\u00a0000,00', [GROUPS, POINT], '1000.00'],
  ["1'000.00", [GROUPS], '1000.00'],
  ['1’000.00', [SIGNS, GROUPS], '1000.00'],
  ['$5', [CURRENCY], '5'],
  ['€ 5', [CURRENCY], '5'],
  ['-$5', [CURRENCY], '-5'],
  ['$-5', [CURRENCY], '-5'],
  ['5 USD', [CURRENCY], '5'],
  ['USD5', [CURRENCY], '5'],
  ['Rs. 5', [CURRENCY], '5'],
  ['5,-', ['without a dash', POINT], '5.00'],
  ['25.--', ['without a dash'], '25.00'],
  ['1.000,– €', [CURRENCY, 'without a dash', SIGNS, GROUPS, POINT], '1000.00'],
  ['5,-5', [], undefined],
  ['-,-', [], undefined],
  ['$1.000,00', [CURRENCY, GROUPS, POINT], '1000.00'],
  ['8.25 %', ['without the percent sign'], '8.25'],
  ['1e3', ['without an exponent'], '1000'],
  ['1,5E2', ['without an exponent'], '150'],
  ['.5', ['with a digit before the decimal point'], '0.5'],
  ['−5', [SIGNS], '-5'],
  ['１２.５０', [SIGNS], '12.50'],
  [' 100,50 ', [POINT], '100.50'],
  ['.55', ['with a digit before the decimal point'], '0.55'],
  ['1 000', [GROUPS], '1000'],
  ['12 000', [GROUPS], '12000'],
  ['1 000 000', [GROUPS], '1000000'],
  ['12.000,50', [GROUPS, POINT], '12000.50'],
  ['1.000.000,50', [GROUPS, POINT], '1000000.50'],
  ['1.234.567', [GROUPS], '1234567'],
  ['12,000.50', [GROUPS], '12000.50'],
  ['1,000,000.50', [GROUPS], '1000000.50'],
  ['-1e3', ['without an exponent'], '-1000'],
  ['12e+3', ['without an exponent'], '12000'],
  ['1,55e2', ['without an exponent'], '155'],
  ['1e10', ['without an exponent'], '10000000000'],
  ['25,-€', [CURRENCY, 'without a dash', POINT], '25.00'],
  ['$1.2500', [CURRENCY], '1.25'],
])('suggests a notation for %j (%j): did you mean %s?', (given, wrong, meant) => {
  expect(said(given)).toBe(
    meant === undefined ? undefined : `must be written ${wrong.join(', ')}. Did you mean ${meant}?`,
  );
});

test.each([
  ['$1.234', 'must be written without a currency. Did you mean 1.234?'],
  ['1,234,567', 'must be written without a thousands separator. Did you mean 1234567?'],
  ['12,500', 'has two possible meanings. Enter 12500 or 12.50'],
  ['$1.2300500', 'must be written without a currency. Did you mean 1.23005?'],
  ['1.234', undefined],
  ['0.500', undefined],
  ['$1.2.3', undefined],
  ['1,234.5.6', undefined],
  ['1 000.,5', undefined],
  ['.5.5', undefined],
  ['x1e3', undefined],
  ['1e3x', undefined],
])('reads %j in a field that accepts every number', (given, suggestion) => {
  expect(whatToType(given, { fits: () => true, decimals: 2 })).toBe(suggestion);
});

test('suggests a number for a percentage unless the field is an amount of money', () => {
  expect(whatToType('8.25 %', { fits, decimals: 2 })).toBe(
    'must be written without the percent sign. Did you mean 8.25?',
  );
  expect(said('100,50', true)).toContain('100.50');
});

test('reads text of up to 40 characters', () => {
  expect(said('$5'.padStart(40))).toContain('Did you mean 5?');
  expect(said('$5'.padStart(41))).toBeUndefined();
});

test('suggests both numbers if text can mean two numbers', () => {
  expect(said('1,500')).toBe('has two possible meanings. Enter 1500 or 1.50');
  expect(said('1.500')).toBe('has two possible meanings. Enter 1500 or 1.50');
  expect(said('-1.000')).toBe('has two possible meanings. Enter -1000 or -1.00');
});

test.each([
  ['1.000', 2, true],
  ['+12.500', 0, true],
  ['100.125', 2, false],
  [' 1.000 ', 2, true],
  ['1.125', 3, false],
  ['1.000', 3, false],
  ['0.500', 2, false],
  ['1234.500', 2, false],
  ['1.0000', 2, false],
  ['1.00', 2, false],
  [1.5, 2, false],
])('decides whether %j with %i decimals has two readings: %p', (value, decimals, expected) => {
  expect(hasTwoReadings(value, decimals)).toBe(expected);
});

test.each([
  '12.50',
  '10.005',
  'five',
  '',
  '5²',
  '0x10',
  '1.2.3',
  '12,34,56',
  '5 apples a day',
  'NaN',
  '1e999',
  '1e-9',
  '9'.repeat(41),
  5,
  true,
  undefined,
  { a: 1 },
])('makes no suggestion for %p', (given) => expect(said(given)).toBeUndefined());

test('suggests no amount of money for a percentage', () => {
  expect(said('50%', true)).toBeUndefined();
});

test("a suggestion doesn't repeat a number that messages would mask", () => {
  expect(said('4111 1111 1111 1111')).toBeUndefined();
  for (const given of ['1.234.567.890.123,00', '1 234 567 890 123']) expect(said(given)).toBeUndefined();
  expect(said('5,50000000000000')).toContain('5.50');
  expect(said('12345,67')).toContain('12345.67');
});

test('detecting a mistyped number takes linear time', async () => {
  const readAll = (length: number) => {
    for (const sign of ['1', ',', ' ', "'", 'a', '1,', '1 ', '.1']) said(sign.repeat(length));
  };
  await expectLinearTime(readAll, 200_000);
});
