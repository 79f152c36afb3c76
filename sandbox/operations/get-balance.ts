import type { Handler } from '../calls/call';
import { toAmount } from '../core/money';
import { gatewayMerchant } from '../rules/merchants';
import { findPrepaid } from '../rules/prepaid';

export const getBalance: Handler<'getBalance'> = ({ environment, body }) => {
  const account = findPrepaid(environment, gatewayMerchant(environment, body.merchant_id), body.fbo_id);
  const pg_id = environment.ids.nextText('pg_id');
  return { rcode: '000', rmsg: 'Balance found', pg_id, amt_balance: toAmount(account.cents) };
};
