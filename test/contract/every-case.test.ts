import { offendersIn, testEvery } from '../every-case';

const cases = [{ name: 'first' }, { name: 'second' }, { name: 'third', path: 'a.b' }];

testEvery(cases)('a rule that every case keeps passes', ({ name }) => expect(name).toMatch(/[a-z]+/));

test('names each failing case of a rule and the reason', async () => {
  const offenders = await offendersIn(cases, ({ name }) => {
    if (name !== 'first') throw new Error(`${name} is wrong`);
  });
  expect(offenders).toEqual(['second: second is wrong', 'third a.b: third is wrong']);
});

test('counts a check that fails later', async () => {
  expect(await offendersIn(['text'], async () => await Promise.reject(new Error('late')))).toEqual(['text: late']);
});
