import { NOT_SHOWN } from '../../nodes/PaymentPlatform/fields/searches';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { REFERENCES } from '../../nodes/PaymentPlatform/wire/marks';
import { testEvery } from '../every-case';
import { everyField, readFrom } from './every-field';

const WORDS = [
  'null',
  'undefined',
  'None',
  'NaN',
  'NULL',
  'Null',
  'Undefined',
  'nan',
  '[object Object]',
  'Infinity',
  '-Infinity',
];

const read = ({ field }: (typeof everyField)[number], value: unknown) =>
  readFrom(field, { [parameterName(field)]: value });
const isText = (one: (typeof everyField)[number]) =>
  read(one, 'A1').value !== undefined || read(one, '12').value === '12';

/** IDs, references and selected records. */
const identifying = everyField.filter(
  (one) =>
    isText(one) &&
    one.field.name !== 'event' &&
    (one.field.reference === true ||
      REFERENCES.includes(one.field.name) ||
      (one.field.kind === 'value' && one.field.property.type === 'resourceLocator')),
);

testEvery(identifying)('no field that identifies a record accepts a word for a missing value', (one) => {
  expect(identifying.length).toBeGreaterThan(100);
  for (const word of WORDS) {
    const { problems } = read(one, word);
    expect(problems.map(({ label, found }) => [label, found])).toEqual([[one.field.label, `"${word}"`]]);
  }
});

const references = identifying.filter((one) => read(one, 'INV-17/a b').problems.length === 0);

testEvery(references)('no reference contains such a word as a part', (one) => {
  for (const word of [
    'INV-undefined',
    'null-7',
    'a NaN',
    'order_null',
    '[object Object]-1',
    'INVundefined',
    'INV[object Undefined]',
    'INV-Invalid DateTime',
  ])
    expect(read(one, word).problems).toMatchObject([
      { allowed: 'must not contain a word for a missing value, such as null or undefined' },
    ]);
  for (const word of ['annullment', 'Nonette 5', 'banana', 'nullify', 'Null-Linie', 'none', 'Infinity Pool'])
    expect(read(one, word)).toEqual({ value: word, problems: [] });
});

testEvery(references)('no reference contains invisible characters', (one) => {
  for (const sign of ['\u200b', '\u202e', '\u00ad', '\u0000'])
    expect(read(one, `INV${sign}1`).problems).toMatchObject([{ allowed: 'must not contain invisible characters' }]);
});

const names = everyField.filter((one) => /(?:first|last|firm|payee|plan)_name$/.test(one.field.name) && isText(one));

testEvery(names)('a name can be a word for a missing value', (one) => {
  for (const name of ['Null', 'None']) expect(read(one, name)).toEqual({ value: name, problems: [] });
});

const selected = everyField.filter(({ field }) => field.kind === 'value' && field.property.type === 'resourceLocator');

testEvery(selected)('no selected record can be the row of records that the list does not show', (one) => {
  expect(selected.length).toBeGreaterThan(50);
  const { problems } = read(one, { __rl: true, mode: 'list', value: NOT_SHOWN });
  expect(problems.map(({ label }) => label)).toEqual([one.field.label]);
});
