import type { IDataObject } from 'n8n-workflow';

import { readField } from '../fields/read-field';
import type { Field, Problem } from '../fields/types';
import { isEmpty, parameterName, rawValue } from '../fields/value';
import { computeOnce, isObject, objectIn } from '../shared/objects';
import { declaredFields } from './operation';
import { jsonObject } from '../fields/kinds/json';
import { ADDITIONAL_FIELDS, technicalLast } from '../fields/editor';
import type { FieldValues, Operation } from './types';

export const EXTRA_BODY = 'extraBodyFields';

/** Body fields that the node doesn't offer as parameters. */
export const extraBody: Field = jsonObject({
  name: EXTRA_BODY,
  label: 'Extra Body Fields (JSON)',
  description:
    'JSON object with fields that the node does not offer as parameters. If a parameter already sets a field, the node refuses the item.',
  place: 'node',
  technical: true,
});

/** Returns whether the body can contain undeclared fields. */
export const takesExtraBody = ({ request, shape }: Operation) =>
  !shape && (request.method === 'POST' || request.method === 'PUT');

/** Technical fields come last. */
export const additionalFields = computeOnce((operation: Operation) =>
  technicalLast([...(operation.additional ?? []), ...(takesExtraBody(operation) ? [extraBody] : [])]),
);

interface Taken {
  parameters: IDataObject;
  taken: ReadonlySet<string>;
}

/** Moves each extra field to its own parameter if the parameter is empty, so that the node checks the value. */
export function takeExtras(operation: Operation, parameters: IDataObject): Taken {
  const inside = objectIn(parameters[ADDITIONAL_FIELDS]);
  const extra = takesExtraBody(operation) && readField(extraBody, inside, [], NO_CONTEXT);
  if (!isObject(extra)) return { parameters, taken: new Set() };
  const names = new Set<string>();
  const open = filled(operation.fields, parameters, extra, names);
  const additional = filled(additionalFields(operation), inside, extra, names);
  return { parameters: names.size === 0 ? parameters : { ...open, [ADDITIONAL_FIELDS]: additional }, taken: names };
}

const NO_CONTEXT = { timezone: 'UTC' };

function filled(fields: readonly Field[], given: IDataObject, extra: IDataObject, names: Set<string>): IDataObject {
  const made = { ...given };
  for (const field of fields) {
    const { name } = field;
    const own = parameterName(field);
    if (field.kind === 'section') made[own] = filled(field.inside, objectIn(given[own]), extra, names);
    else if (field.place === 'body' && name in extra && isNothing(rawValue(given, own))) {
      made[own] = extra[name];
      names.add(name);
    }
  }
  return made;
}

/** If a user opens a group without adding a value, the editor stores an empty object or list. */
const isNothing = (value: unknown) =>
  isEmpty(value) || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/**
 * Refuses an extra field that has its own parameter, because the node would send it unchecked.
 * @param taken names of the fields that `takeExtras` moved.
 */
export function extraFields(
  operation: Operation,
  { node, body }: FieldValues,
  taken: ReadonlySet<string>,
  problems: Problem[],
): IDataObject {
  const extra = { ...objectIn(node[EXTRA_BODY]) };
  const refused = problems.length > 0;
  for (const { name, label, place } of declaredFields(operation)) {
    if (place !== 'body' || !(name in extra)) continue;
    const isRead = taken.has(name) && (body[name] !== undefined || refused);
    if (!isRead)
      problems.push({
        label: extraBody.label,
        found: `the field ${name}`,
        allowed: `can't set this field, because the field has its own parameter. Use "${label}"`,
      });
    delete extra[name];
  }
  return extra;
}
