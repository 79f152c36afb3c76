import type { Handler } from '../calls/call';
import { findPayee, readPayeeAccount } from '../rules/payees';
import { payeeAccountView } from '../views/payees';

export const updatePayeeAccount: Handler<'updatePayeeAccount'> = ({ environment, path, body }) => {
  const payee = findPayee(environment, path.payee_id, body.merchant_id);
  payee.account = readPayeeAccount(environment, body);
  return payeeAccountView(payee.account, body);
};
