import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { without } from '../core/without';
import { checkPayee, findPayee } from '../rules/payees';
import { payeeView } from '../views/payees';

/** Updates a payee's submitted fields. A submitted address replaces the stored one. */
export const updatePayee: Handler<'updatePayee'> = ({ environment, path, body }) => {
  const payee = findPayee(environment, path.payee_id, body.merchant_id);
  checkPayee(body);
  Object.assign(payee, without(body, 'merchant_id'));
  return success(payeeView(payee));
};
