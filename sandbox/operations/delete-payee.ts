import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findPayee } from '../rules/payees';

export const deletePayee: Handler<'deletePayee'> = ({ environment, path, query }) => {
  environment.payees.delete(findPayee(environment, path.payee_id, query?.merchant_id).payee_id);
  return success({});
};
