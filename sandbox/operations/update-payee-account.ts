import type { Handler } from '../calls/call';
import { readAccount } from '../core/cards';
import { invalidFields } from '../core/refusals';
import { findPayee } from '../rules/payees';
import { DEFAULT_ACCOUNT_TYPE, payeeAccountView } from '../views/payees';

/** Replaces the ACH account of a payee. The response has no envelope (openapi.yaml#updatePayeeAccount). */
export const updatePayeeAccount: Handler<'updatePayeeAccount'> = ({ environment, path, body }) => {
  const payee = findPayee(environment, path.payee_id, body.merchant_id);
  const source = readAccount(body.tr_number, body.dda_number);
  if (!source) throw invalidFields({ dda_number: 'must be an account number, with a tr_number of nine digits' });
  payee.account = {
    source,
    type_id: body.type_id ?? DEFAULT_ACCOUNT_TYPE,
    accountholder_name: body.accountholder_name,
    verified: environment.clock.now(),
  };
  return payeeAccountView(payee.account, body);
};
