import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findPayee } from '../rules/payees';
import { payeeView } from '../views/payees';

export const getPayee: Handler<'getPayee'> = ({ environment, path, query }) =>
  success(payeeView(findPayee(environment, path.payee_id, query.merchant_id)));
