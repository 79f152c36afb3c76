import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { testEvery } from '../every-case';
import { everyField, readFrom } from './every-field';

/** ID of 18 digits that JavaScript rounded when an expression read it as a number. */
const ROUNDED = JSON.parse('426351789012345678') as number;

/** Returns whether a user enters the field. The node takes the values of other settings from other parameters. */
const isEntered = ({ field }: (typeof everyField)[number]) =>
  field.place !== 'node' || editorProperties(field).length > 0;

testEvery(everyField.filter(isEntered))('no field accepts a number that has lost digits', ({ field }) => {
  const { problems } = readFrom(field, { [parameterName(field)]: ROUNDED });
  expect(problems.length).toBeGreaterThan(0);
  expect(JSON.stringify(problems)).not.toContain('42635178901234');
});

const kindOf = (field: Field) => editorProperties(field).find(({ name }) => name === parameterName(field))?.type;
const isNumber = (field: Field) =>
  ['1', '900'].some((value) => typeof readFrom(field, { [parameterName(field)]: value }).value === 'number');
const texts = everyField.filter(
  ({ field }) =>
    ['string', 'resourceLocator'].includes(kindOf(field) ?? '') &&
    !isNumber(field) &&
    !/phone|email|events$/.test(field.name),
);

testEvery(texts)(
  'a field that refuses a rounded number names the spreadsheet as the cause, and says what to do',
  ({ field }) => {
    const name = kindOf(field) === 'resourceLocator' ? { __rl: true, mode: 'id', value: ROUNDED } : ROUNDED;
    const [problem] = readFrom(field, { [parameterName(field)]: name }).problems;
    expect(problem?.allowed).toMatch(
      /must be text, because numbers of this length are rounded\. In a spreadsheet, format the column as text/,
    );
  },
);
