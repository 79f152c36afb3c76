import type { IDataObject } from 'n8n-workflow';

import { jsonObject } from '../fields/json';
import type { Field, Problem } from '../fields/types';
import { objectIn } from '../shared/objects';
import { declaredFields } from './declared-fields';
import type { Operation } from './types';

/** The parameter, and where its fields are found among the choices for the node. */
export const EXTRA_BODY = 'extraBodyFields';

/** Offered on every operation that sends a body: for fields that the service has and this node does not know yet. */
export const extraBody: Field = jsonObject({
  name: EXTRA_BODY,
  label: 'Extra Body Fields (JSON)',
  description:
    'Fields that the service knows and this node does not offer yet, as a JSON object. A field that has a parameter of its own can not be set here.',
  place: 'node',
  technical: true,
});

/** Whether the operation sends a body that can take more fields than are declared. */
export const takesExtraBody = ({ request, shape }: Operation) =>
  !shape && (request.method === 'POST' || request.method === 'PUT');

/** The extra fields to send. A name that the operation declares is refused, so that none is overridden or unchecked. */
export function extraFields(operation: Operation, node: IDataObject, problems: Problem[]): IDataObject {
  const extra = objectIn(node[EXTRA_BODY]);
  for (const { name, label, place } of declaredFields(operation))
    if (place === 'body' && name in extra)
      problems.push({
        label: extraBody.label,
        found: `the field ${name}`,
        allowed: `can not set a field that has a parameter of its own: use "${label}"`,
      });
  return extra;
}
