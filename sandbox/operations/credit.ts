import type { Handler } from '../calls/call';
import { chargeResult, readCharge, useToken } from '../rules/gateway-charges';
import { runSale } from '../rules/sales';

export const credit: Handler<'credit'> = ({ environment, body }) => {
  const request = readCharge(environment, body, { undated: true });
  const accepted = { rmsg: 'Credit transaction accepted' };
  const transaction = runSale(environment, { ...request, request_type: 'credit', accepted });
  useToken(environment, request);
  return chargeResult(environment, transaction, body);
};
