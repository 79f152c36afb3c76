import type { Handlers } from '../calls/described';
import { success } from '../core/envelopes';
import { listAnswer } from '../core/lists';
import { without } from '../core/without';
import { platformMerchant } from '../rules/merchants';
import { checkPayee, findPayee, readPayeeAccount } from '../rules/payees';
import { payeeAccountView, payeeView } from '../views/payees';

const FIRST_ID = 9101;

export const payeeHandlers = {
  browsePayees: (call) => {
    const { environment, query } = call;
    const merchantId = platformMerchant(environment, query?.merchant_id);
    const own = [...environment.payees.values()].filter((payee) => payee.merchant_id === merchantId).map(payeeView);
    return listAnswer(own, call, 'payee_id');
  },

  addPayee: ({ environment, body }) => {
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
  },

  deletePayee: ({ environment, path, query }) => {
    environment.payees.delete(findPayee(environment, path.payee_id, query?.merchant_id).payee_id);
    return success({});
  },

  getPayee: ({ environment, path, query }) =>
    success(payeeView(findPayee(environment, path.payee_id, query.merchant_id))),

  /** Updates a payee's submitted fields. A submitted address replaces the stored one. */
  updatePayee: ({ environment, path, body }) => {
    const payee = findPayee(environment, path.payee_id, body.merchant_id);
    checkPayee(body);
    Object.assign(payee, without(body, 'merchant_id'));
    return success(payeeView(payee));
  },

  updatePayeeAccount: ({ environment, path, body }) => {
    const payee = findPayee(environment, path.payee_id, body.merchant_id);
    payee.account = readPayeeAccount(environment, body);
    return payeeAccountView(payee.account, body);
  },
} satisfies Partial<Handlers>;
