import type { IDataObject } from 'n8n-workflow';

import { readField } from '../fields/read-field';
import type { Field, Problem } from '../fields/types';
import { isEmpty, parameterName, rawValue } from '../fields/value';
import { isObject, objectIn } from '../shared/objects';
import { declaredFields } from '../model/operation';
import { ADDITIONAL_FIELDS, additionalFields, TECHNICAL_FIELDS } from './node-properties';
import { EXTRA_BODY, extraBody, takesExtraBody } from '../limits/check-guards';
import type { FieldValues, Operation } from '../model/types';

/** What of the extra fields has become of a parameter of its own. */
interface Taken {
  parameters: IDataObject;
  /** Names of the fields. */
  taken: ReadonlySet<string>;
}

/**
 * Puts each extra field that has a parameter of its own there, where nothing stands in it, so that it goes through that
 * field's own checks: a workflow that sets a field as an extra outlives the version of the node that offers the field.
 * @param parameters of an item, as n8n gives them.
 */
export function takeExtras(operation: Operation, parameters: IDataObject): Taken {
  const inside = objectIn(parameters[ADDITIONAL_FIELDS]);
  const extra = takesExtraBody(operation) && readField(extraBody, objectIn(inside[TECHNICAL_FIELDS]), [], NO_CONTEXT);
  if (!isObject(extra)) return { parameters, taken: new Set() };
  const names = new Set<string>();
  const open = filled(operation.fields, parameters, extra, names);
  const additional = filled(additionalFields(operation), inside, extra, names);
  return { parameters: names.size === 0 ? parameters : { ...open, [ADDITIONAL_FIELDS]: additional }, taken: names };
}

/** What an extra field reads needs nothing of the workflow. */
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

/** The editor leaves an empty object or list where a group was opened and nothing was added. */
const isNothing = (value: unknown) =>
  isEmpty(value) || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/**
 * The extra fields to send that the node does not know.
 * @param taken names of those that stand in their own parameters now, see `takeExtras`.
 * @param body what the parameters gave. A field that is set in both places, or that its parameter has not taken, is
 * refused, so that none is overridden, unchecked or left out without a word.
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
    // What its own checks have refused is told by them.
    const isRead = taken.has(name) && (body[name] !== undefined || refused);
    if (!isRead)
      problems.push({
        label: extraBody.label,
        found: `the field ${name}`,
        allowed: `can not set a field that has a parameter of its own: use "${label}"`,
      });
    delete extra[name];
  }
  return extra;
}
