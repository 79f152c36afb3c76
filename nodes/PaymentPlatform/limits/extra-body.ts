import { jsonObject } from '../fields/kinds/json';
import type { Field } from '../fields/types';
import type { Operation } from '../model/types';

/** The parameter, and where its fields are found among the choices for the node. */
export const EXTRA_BODY = 'extraBodyFields';

/** Offered on every operation that sends a body: for fields that the service has and this node does not know yet. */
export const extraBody: Field = jsonObject({
  name: EXTRA_BODY,
  label: 'Extra Body Fields (JSON)',
  description:
    'Fields that the service knows and this node does not offer yet, as a JSON object. A field that has a parameter of its own is taken from here only while that parameter is empty.',
  place: 'node',
  technical: true,
});

/** Whether the operation sends a body that can take more fields than are declared. */
export const takesExtraBody = ({ request, shape }: Operation) =>
  !shape && (request.method === 'POST' || request.method === 'PUT');
