import type { IDataObject } from 'n8n-workflow';

import { readField } from '../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { extraBody } from '../../nodes/PaymentPlatform/model/extra-fields';
import { resources } from '../../nodes/PaymentPlatform/resources';

/** Every field of every operation, including fields inside objects and lists. */
export const everyField: Array<{ path: string; field: Field }> = resources.flatMap(({ value, operations }) =>
  operations.flatMap((operation) =>
    [...operation.fields, ...(operation.additional ?? []), extraBody].flatMap((field) =>
      withInner(field, `${value}.${operation.value}: `),
    ),
  ),
);

function withInner(field: Field, prefix: string): typeof everyField {
  const path = `${prefix}${field.name}`;
  const inside = field.kind === 'section' ? field.inside : (field.fields ?? []);
  return [{ path, field }, ...inside.flatMap((inner) => withInner(inner, `${path}.`))];
}

/** Leaves the choice empty that decides whether a field applies. The node then reads the field. */
export function undecided(field: Field): IDataObject {
  if (field.kind !== 'conditional') return {};
  const choice = { [parameterName(field.decides)]: '' };
  return field.collection === undefined ? choice : { [field.collection]: choice };
}

/** Reads a field from parameters. Returns its value and the problems. */
export function readFrom(field: Field, parameters: Record<string, unknown>) {
  const problems: Problem[] = [];
  const given = { ...undecided(field), ...(parameters as IDataObject) };
  return { value: readField(field, given, problems, { timezone: 'utc' }), problems };
}
