import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { checkPayee, readPayeeAccount } from '../rules/payees';
import { platformMerchant } from '../rules/merchants';
import { payeeView } from '../views/payees';

const FIRST_ID = 9101;

export const addPayee: Handler<'addPayee'> = ({ environment, body }) => {
  const merchant_id = platformMerchant(environment, body.merchant_id);
  checkPayee(body);
  const [address] = body.payee_address ?? [];
  const [account] = body.payee_account ?? [];
  const payee = {
    payee_id: '',
    merchant_id,
    payee_name: body.payee_name,
    payee_phone: body.payee_phone,
    payee_email: body.payee_email,
    payee_address: address,
    account: account && readPayeeAccount(environment, account, 'payee_account.0.'),
  };
  payee.payee_id = String(environment.ids.nextNumber('payee', FIRST_ID));
  environment.payees.set(payee.payee_id, payee);
  return success(payeeView(payee));
};
