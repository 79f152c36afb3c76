import { essenceOf, LEAST_PERCENT, readRecord } from '../mutation/record';
import { percentOf } from '../mutation/report';
import { readTargets } from '../mutation/targets';

const record = readRecord();
const recorded = Object.entries(record).map(
  ([file, score = { killed: 0, timedOut: 0, survived: 0, notCovered: 1 }]) => ({
    file,
    percent: percentOf(score),
  }),
);

test('each recorded mutation score belongs to a file that is still mutated', () => {
  const targets = readTargets([]).map(({ file }) => file);
  expect(recorded.map(({ file }) => file).filter((file) => !targets.includes(file))).toEqual([]);
});

test('each file that is mutated has a recorded score', () => {
  const known = recorded.map(({ file }) => file);
  expect(readTargets([]).flatMap(({ file }) => (known.includes(file) ? [] : [file]))).toEqual([]);
});

test(`the tests of each measured file notice at least ${LEAST_PERCENT} % of its mutants`, () => {
  expect(recorded.filter(({ percent }) => percent < LEAST_PERCENT)).toEqual([]);
});

describe('a recorded score stays valid', () => {
  const source = "import { one } from './one';\ntest('adds', () => {\n  expect(sum(1, one)).toBe(2);\n});\n";

  test.each([
    ['a comment', source.replace('test(', '// Adds two numbers.\ntest(')],
    ['formatting', "import { one } from './one';\ntest('adds', () => { expect(sum(\n1,\none,\n)).toBe(2); })"],
    ['the name of a test', source.replace('adds', 'returns the sum')],
    ['a type', source.replace('one)', 'one as number)')],
    ['an import', source.replace('./one', '../numbers')],
  ])('a recorded score stays valid if %s changes', (_, changed) => {
    expect(changed).not.toBe(source);
    expect(essenceOf(changed)).toBe(essenceOf(source));
  });

  test.each([
    ['a number', source.replace('2', '3')],
    ['a call', source.replace('toBe', 'toEqual')],
  ])('a recorded score becomes invalid if %s changes', (_, changed) => {
    expect(essenceOf(changed)).not.toBe(essenceOf(source));
  });
});
