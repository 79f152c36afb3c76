import { amount, integer } from '../../nodes/PaymentPlatform/fields/kinds/number';
import { readField } from '../../nodes/PaymentPlatform/fields/read-field';
import { text } from '../../nodes/PaymentPlatform/fields/kinds/text';
import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';
import { declaredFields } from '../../nodes/PaymentPlatform/model/operation';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { isObject } from '../../nodes/PaymentPlatform/shared/objects';
import type { AnyFact, Facts, WireOperation } from '../../nodes/PaymentPlatform/wire/facts';
import * as wire from '../../nodes/PaymentPlatform/wire/operations';
import { digits } from '../../nodes/PaymentPlatform/wire/patterns';
import { testEvery } from '../every-case';

const facts: Readonly<Record<string, WireOperation>> = wire;

function candidates(fact: AnyFact): Array<string | number> {
  const lengths = [1, 2, 3, 4, 5, 8, 12, 16, 17, 19, 20, 32, 33, 64, 65, 128, 256, 257, 512, 2_000, 10_000];
  const longest = 'maxLength' in fact ? [fact.maxLength ?? 0, (fact.maxLength ?? 0) + 1] : [];
  const texts = [...lengths, ...longest].flatMap((length) => ['a', '1', 'A1', '!'].map((sign) => sign.repeat(length)));
  const bounds = ['least' in fact ? (fact.least ?? 0) : 0, 'most' in fact ? (fact.most ?? 0) : 0];
  const numbers = bounds.flatMap((bound) => [bound - 1, bound - 0.01, bound, bound + 0.01, bound + 0.00001, bound + 1]);
  return [...texts, ...numbers, -1e9, 1e9, 1e12, 1e15, 100.12345, '1 2', 'a|b', '/', '1399', '0129', 'xx_unknown'];
}

function isWithin(fact: AnyFact, value: unknown): boolean {
  switch (fact.type) {
    case 'text': {
      const found = String(value);
      return found.length <= (fact.maxLength ?? Infinity) && (fact.pattern?.matches.test(found) ?? true);
    }
    case 'integer':
      return Number.isInteger(value) && isBetween(fact, Number(value));
    case 'decimal':
      return (
        isBetween(fact, Number(value)) &&
        Number(Number(value).toFixed(fact.decimals ?? 15)) === Number(value) &&
        String(value).replace(/\D/g, '').length <= (fact.digits ?? Infinity)
      );
    case 'choice':
      return fact.values.some((one) => one === value);
    default:
      return true;
  }
}

const isBetween = ({ least = -Infinity, most = Infinity }: { least?: number; most?: number }, value: number) =>
  value >= least && value <= most;

function sent(field: Field, value: string | number): unknown {
  const problems: Problem[] = [];
  const read = readField(field, { [field.name]: value }, problems, { timezone: 'utc' });
  return problems.length === 0 ? read : undefined;
}

interface Wider {
  at: string;
  value: string;
}

function tried(field: Field, fact: AnyFact, at: string): { wider: Wider[]; taken: number } {
  if (field.kind === 'conditional') return tried(field.field, fact, at);
  if ('parts' in fact) return triedAll(field.kind === 'group' ? field.inside : (field.fields ?? []), fact.parts, at);
  const results = candidates(fact)
    .map((value) => sent(field, value))
    .filter((value) => value !== undefined && !isObject(value));
  const wider = results
    .filter((value) => !isWithin(fact, value))
    .map((value) => ({ at, value: String(value).slice(0, 40) }));
  return { wider, taken: results.length };
}

function triedAll(fields: readonly Field[], known: Facts, at: string) {
  const all = fields.flatMap((field) => {
    const fact = known[field.name];
    return fact ? [tried(field, fact, `${at} > ${field.name}`)] : [];
  });
  return { wider: all.flatMap(({ wider }) => wider), taken: all.reduce((sum, { taken }) => sum + taken, 0) };
}

const operations = resources.flatMap((resource) =>
  resource.operations.flatMap((operation) => {
    const known = facts[operation.request.operationId ?? ''];
    return known ? [{ name: `${resource.value}.${operation.value}`, operation, known }] : [];
  }),
);

const tries = operations.map(({ name, operation, known }) => {
  const all = declaredFields(operation);
  const places = [known.path, known.query, known.body].map((part) => triedAll(all, part, name));
  return {
    name,
    wider: places.flatMap(({ wider }) => wider),
    taken: places.reduce((sum, { taken }) => sum + taken, 0),
  };
});

testEvery(tries)('an operation sends no value that the interface does not accept', ({ wider }) =>
  expect(wider).toEqual([]),
);

describe('the limit check', () => {
  test('the check of limits covers the fields, because most operations accept some of the values', () => {
    expect(tries.filter(({ taken }) => taken > 0).length).toBeGreaterThan(operations.length * 0.8);
  });

  const about = { name: 'x', label: 'X', description: 'X' };
  const longer: Field = text({ ...about, maxLength: 257 });
  test.each<[string, Field, AnyFact]>([
    ['a longer text', longer, { name: 'x', type: 'text', maxLength: 256 }],
    ['other signs', longer, { name: 'x', type: 'text', pattern: digits(1, 5) }],
    ['a greater number', integer({ ...about, most: 100 }), { name: 'x', type: 'integer', most: 99 }],
    ['a smaller number', integer(about), { name: 'x', type: 'integer', least: 1 }],
    [
      'more digits in total',
      amount({ ...about, decimals: 5 }),
      { name: 'x', type: 'decimal', most: 9_999_999, decimals: 5, digits: 7 },
    ],
    ['more decimals', amount({ ...about, decimals: 5 }), { name: 'x', type: 'decimal', least: 1, decimals: 4 }],
    ['another choice', longer, { name: 'x', type: 'choice', values: ['a'] }],
  ])('finds a wrong limit: %s', (_, field, fact) => expect(tried(field, fact, 'x').wider).not.toEqual([]));
});
