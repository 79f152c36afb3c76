import { offendersIn, testEvery } from '../every-case';

const cases = [{ name: 'first' }, { name: 'second' }, { name: 'third', path: 'a.b' }];

testEvery(cases)('a rule passes if every case follows the rule', ({ name }) => expect(name).toMatch(/[a-z]+/));

test('a rule reports each failing case with its reason', async () => {
  const offenders = await offendersIn(cases, ({ name }) => {
    if (name !== 'first') throw new Error(`${name} is wrong`);
  });
  expect(offenders).toEqual(['second: second is wrong', 'third a.b: third is wrong']);
});

test('a rule reports an asynchronous failure', async () => {
  expect(await offendersIn(['text'], async () => await Promise.reject(new Error('late')))).toEqual(['text: late']);
});
