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
    'JSON object with fields that this node does not offer yet. If the node offers a field as a parameter, the value here is used only while that parameter is empty.',
  place: 'node',
  technical: true,
});

/** Whether the operation sends a body that can take more fields than are declared. */
export const takesExtraBody = ({ request, shape }: Operation) =>
  !shape && (request.method === 'POST' || request.method === 'PUT');
