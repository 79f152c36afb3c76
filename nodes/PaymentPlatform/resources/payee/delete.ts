import { merchantId } from '../../fields/common';
import type { Operation } from '../../pipeline/types';
import { payeeId } from './fields';

export const deletePayee: Operation = {
  value: 'delete',
  name: 'Delete',
  action: 'Delete a payee',
  description: 'Delete a payee for good. This can not be undone.',
  request: {
    method: 'DELETE',
    path: '/platform/vault/payee/{payee_id}',
    family: 'platform',
    effect: 'writesOnce',
    operationId: 'deletePayee',
  },
  fields: [payeeId()],
  additional: [merchantId('query')],
  present: (_, { path }) => ({ deleted: true, payee_id: path.payee_id }),
  lookUp: 'Look for the payee in API Request: GET /platform/vault/payee/{payee_id}.',
};
