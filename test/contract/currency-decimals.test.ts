import { CURRENCIES, currencyLetters, decimalsOf, hasNoDecimals } from '../../nodes/PaymentPlatform/fields/currencies';
import { isSpread } from '../../nodes/PaymentPlatform/fields/value';
import { decimalProblems } from '../../nodes/PaymentPlatform/fields/kinds/number';
import { declaredFields } from '../../nodes/PaymentPlatform/model/operation';
import { resources } from '../../nodes/PaymentPlatform/resources';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { testEvery } from '../every-case';

/** Codes with the minor unit 0 in ISO 4217 List One of 2024-06-25, without funds and precious metals. */
const WHOLE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');

test('the currencies without decimals are those of ISO 4217', () => {
  const codes = [...CURRENCIES.matchAll(/(\d{3}) [A-Z]{3} /g)].map(([, digits = '']) => digits);
  expect(codes.filter(hasNoDecimals).map(currencyLetters).sort()).toEqual(WHOLE);
  for (const code of ['JPY', ' jpy ', '392']) expect(hasNoDecimals(code)).toBe(true);
  for (const unknown of ['999', '', 'XXX', 'USD', '3920']) expect(hasNoDecimals(unknown)).toBe(false);
});

test('the currencies with three decimals are those of ISO 4217', () => {
  const codes = [...CURRENCIES.matchAll(/(\d{3}) [A-Z]{3} /g)].map(([, digits = '']) => digits);
  const three = codes.filter((code) => decimalsOf(code) === 3).map(currencyLetters);
  expect(three.sort()).toEqual('BHD IQD JOD KWD LYD OMR TND'.split(' '));
});

interface Amount {
  path: string;
  label: string;
  body: (value: unknown) => object;
}

const amountsIn = (fields: readonly Field[]): Amount[] =>
  fields.flatMap((field): Amount[] => {
    if (field.place !== 'body' || isSpread(field)) return [];
    if (field.money) return [{ path: field.name, label: field.label, body: (value) => ({ [field.name]: value }) }];
    const isList = field.kind === 'group' && field.list;
    return amountsIn(field.fields ?? []).map(({ path, label, body }) => ({
      path: `${field.name}.${path}`,
      label: `${field.label}${isList ? ' 1' : ''} > ${label}`,
      body: (value) => ({ [field.name]: isList ? [body(value)] : body(value) }),
    }));
  });

const withCurrency = resources.flatMap(({ value, operations }) =>
  operations
    .filter((operation) => declaredFields(operation).some(({ name }) => name === 'tran_currency'))
    .flatMap((operation) =>
      amountsIn(declaredFields(operation)).map((amount) => ({
        ...amount,
        path: `${value}.${operation.value}: ${amount.path}`,
        operation,
      })),
    ),
);

testEvery(withCurrency)('no amount has decimals in a currency without decimals', ({ operation, label, body }) => {
  const problemsOf = (value: unknown, tran_currency?: string) =>
    decimalProblems({ ...body(value), tran_currency }, declaredFields(operation));
  for (const value of [1000.5, '1000.50', -0.5])
    expect(problemsOf(value, '392')).toEqual([
      {
        label,
        found: typeof value === 'string' ? '1000.5' : String(value),
        allowed: 'must be a whole number, because JPY has no decimals',
      },
    ]);
  for (const value of [1000, '1000.00', 0, 'text', null, undefined]) expect(problemsOf(value, '392')).toEqual([]);
  for (const currency of ['840', '414', '999', undefined]) expect(problemsOf(1000.5, currency)).toEqual([]);
});

test('every operation with a currency is checked', () => {
  const checked = new Set(withCurrency.map(({ path }) => path.split(':')[0]));
  expect([...checked].sort()).toEqual([
    ...['checkout.create', 'invoice.create', 'invoice.update', 'plan.create', 'plan.update', 'plan.upsert'],
    ...['subscription.create', 'transaction.authorize', 'transaction.credit', 'transaction.force', 'transaction.sale'],
  ]);
});
