import { DateTime } from 'luxon';

import { plainData } from '../../../nodes/PaymentPlatform/shared/objects';

const parsed = (json: string): unknown => JSON.parse(json);

test.each<[string, unknown, unknown]>([
  ['an object with toJSON', { amount: 1, toJSON: () => ({ amount: 2 }) }, { amount: 2 }],
  ['an inner object with toJSON', { amount: { toJSON: () => 2 } }, { amount: 2 }],
  ['a result of toJSON that has a toJSON of its own', { toJSON: () => ({ a: 1, toJSON: () => 2 }) }, { a: 1 }],
  ['a list with toJSON', Object.assign([1], { toJSON: () => [2] }), [2]],
  ['a list that holds a function', [() => 1, 1], [null, 1]],
  ['an object that holds a function', { a: () => 1, b: 1 }, { b: 1 }],
  ['an object that stands for a number', { a: { valueOf: () => 2, [Symbol.toPrimitive]: () => 2 } }, { a: {} }],
  ['an own field named __proto__', parsed('{"__proto__":{"amount":2}}'), parsed('{"__proto__":{"amount":2}}')],
  ['a toJSON that gives null', { a: { toJSON: () => null } }, { a: null }],
])('converts %s to the data in its JSON', (_, value, data) => {
  const copy = plainData(value);
  expect(copy).toEqual(data);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
});

test.each<[string, (next: () => number) => unknown]>([
  ['a getter', (next) => Object.defineProperty({}, 'amount', { enumerable: true, get: next })],
  ['a proxy', (next) => new Proxy({ amount: 0 }, { get: (_, name) => (name === 'amount' ? next() : undefined) })],
  ['a toJSON', (next) => ({ amount: { toJSON: next } })],
])('reads %s only once', (_, valueOf) => {
  let readings = 0;
  const copy = plainData(valueOf(() => (readings += 1)));
  expect([copy, copy, readings]).toEqual([{ amount: 1 }, { amount: 1 }, 1]);
});

test.each([0, '', 'text', true, null, undefined, NaN, 10n])('keeps %p unchanged', (value) => {
  expect(plainData(value)).toBe(value);
});

describe('dates', () => {
  const moment = new Date('2026-03-31T12:00:00Z');

  test('dates are copied without calling their own functions', () => {
    const lying = Object.assign(new Date(moment), { toJSON: () => 99_999, getTime: () => 0 });
    expect(plainData({ at: lying })).toEqual({ at: moment });
    expect(JSON.stringify(plainData(lying))).toBe('"2026-03-31T12:00:00.000Z"');
  });

  test('a DateTime becomes text in its own time zone', () => {
    const local = DateTime.fromJSDate(moment, { zone: 'Asia/Tokyo' });
    expect(plainData(local)).toBe('2026-03-31T21:00:00.000+09:00');
  });

  test('an invalid date stays invalid', () => {
    const copies = [DateTime.invalid('no reason'), new Date(NaN)].map((value) => plainData(value));
    expect(copies.map(String)).toEqual(['Invalid Date', 'Invalid Date']);
  });
});

test('returns a reason for values that contain themselves, are nested too deeply, are functions or throw an error', () => {
  const circle: Record<string, unknown> = {};
  circle.inner = [circle];
  let deep: unknown = 1;
  for (let level = 0; level < 20_000; level += 1) deep = [deep];
  const failing = Object.defineProperty({}, 'a', {
    enumerable: true,
    get: () => {
      throw new Error('no value today');
    },
  });
  expect(() => plainData(circle)).toThrow('the value contains itself');
  expect(() => plainData(deep)).toThrow('the value is nested too deeply');
  expect(() => plainData(() => 1)).toThrow('the value is a function');
  expect(() => plainData(failing)).toThrow('no value today');
  const twice = { a: 1 };
  expect(plainData([twice, twice])).toEqual([{ a: 1 }, { a: 1 }]);
});
