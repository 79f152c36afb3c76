import { amount, exactDecimal, integer } from '../../nodes/PaymentPlatform/fields/number';
import type { Problem } from '../../nodes/PaymentPlatform/fields/types';

const read = (field: ReturnType<typeof amount>, value: unknown) => {
  const problems: Problem[] = [];
  return { value: field.read({ [field.name]: value as number }, problems, { timezone: 'utc' }), problems };
};

const price = amount({ name: 'amt_tran', label: 'Amount', description: '', required: true });

test.each([
  [0.1 + 0.2, 0.3],
  [1.1 * 3, 3.3],
  ['12.50', 12.5],
  ['12.500', 12.5],
  [1_234_567.89, 1_234_567.89],
  [0.01, 0.01],
])('%p is the amount %p', (given, wanted) => {
  expect(read(price, given)).toEqual({ value: wanted, problems: [] });
});

test.each([10.005, '10.005', '12.5000001', '1,234.50', '$5', '5 USD', NaN, Infinity, true, '0x10', '1e3', {}])(
  '%p is refused, never rounded',
  (given) => {
    expect(read(price, given).problems[0]?.allowed).toMatch(/at most 2 decimals/);
  },
);

test('an amount of zero, a negative one and one with too many digits are refused with what is allowed', () => {
  expect(read(price, 0).problems[0]?.allowed).toBe('must be at least 0.01');
  expect(read(price, -5).problems[0]?.allowed).toBe('must be at least 0.01');
  expect(read(price, 1e10).problems[0]?.allowed).toBe('must be at most 9999999999.99');
});

test('a missing required amount is reported, a missing optional one sends nothing', () => {
  expect(read(price, '').problems[0]).toEqual({ label: 'Amount', found: 'nothing', allowed: 'is required' });
  expect(read(amount({ name: 'amt_setup', label: 'Setup', description: '' }), '')).toEqual({
    value: undefined,
    problems: [],
  });
});

test('a whole number may come as text, a fraction is refused', () => {
  const vendor = integer({ name: 'vendor_id', label: 'Vendor ID', description: '', most: 99 });
  expect(read(vendor, '42').value).toBe(42);
  expect(read(vendor, 4.2).problems).toHaveLength(1);
  expect(read(vendor, 100).problems[0]?.allowed).toBe('must be a whole number from 0 to 99');
});

test('every amount of cents from 0.01 to 200.00 survives as number, sum and text', () => {
  for (let cents = 1; cents <= 20_000; cents += 1) {
    const decimal = cents / 100;
    expect(exactDecimal(decimal, 2)).toBe(decimal);
    expect(exactDecimal(decimal.toFixed(2), 2)).toBe(decimal);
    expect(exactDecimal(cents * 0.01, 2)).toBe(decimal);
  }
});
