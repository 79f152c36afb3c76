import type { Handler } from '../calls/call';
import { chargeResult, readCharge, useToken } from '../rules/gateway-charges';
import { runSale } from '../rules/sales';

export const force: Handler<'force'> = ({ environment, body }) => {
  const request = readCharge(environment, body, { undated: true });
  const accepted = { rmsg: 'Force transaction accepted', auth_code: body.auth_code };
  const transaction = runSale(environment, { ...request, request_type: 'force', accepted });
  useToken(environment, request);
  return chargeResult(environment, transaction, body);
};
