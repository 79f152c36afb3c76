import type { IDataObject } from 'n8n-workflow';

import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import { readField } from '../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { extraBody } from '../../nodes/PaymentPlatform/limits/check-guards';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { testEvery } from '../every-case';

/** ID of 18 digits that JavaScript rounded when an expression read it as a number. */
const ROUNDED = JSON.parse('426351789012345678') as number;

const every: Array<{ path: string; field: Field }> = resources.flatMap(({ value, operations }) =>
  operations.flatMap((operation) =>
    [...operation.fields, ...(operation.additional ?? []), extraBody].flatMap((field) =>
      withInner(field, `${value}.${operation.value}: `),
    ),
  ),
);

function withInner(field: Field, prefix: string): Array<{ path: string; field: Field }> {
  const path = `${prefix}${field.name}`;
  return [{ path, field }, ...(field.fields ?? []).flatMap((inner) => withInner(inner, `${path}.`))];
}

const read = (field: Field, parameters: Record<string, unknown>) => {
  const problems: Problem[] = [];
  return { value: readField(field, parameters as IDataObject, problems, { timezone: 'utc' }), problems };
};

testEvery(every)('no field accepts a number that has lost digits', ({ field }) => {
  const { problems } = read(field, { [parameterName(field)]: ROUNDED });
  expect(problems.length).toBeGreaterThan(0);
  expect(JSON.stringify(problems)).not.toContain('42635178901234');
});

const kindOf = (field: Field) => editorProperties(field).find(({ name }) => name === parameterName(field))?.type;
const isNumber = (field: Field) =>
  ['1', '900'].some((value) => typeof read(field, { [parameterName(field)]: value }).value === 'number');
const texts = every.filter(
  ({ field }) =>
    ['string', 'resourceLocator'].includes(kindOf(field) ?? '') &&
    !isNumber(field) &&
    !/phone|email|events$/.test(field.name),
);

testEvery(texts)(
  'a field that refuses a rounded number names the spreadsheet as the cause, and says what to do',
  ({ field }) => {
    const name = kindOf(field) === 'resourceLocator' ? { __rl: true, mode: 'id', value: ROUNDED } : ROUNDED;
    const [problem] = read(field, { [parameterName(field)]: name }).problems;
    expect(problem?.allowed).toMatch(
      /must be text, because numbers of this length are rounded\. In a spreadsheet, format the column as text/,
    );
  },
);
