import type { Handler } from '../calls/call';
import { chargeResult, readCharge, useToken } from '../rules/gateway-charges';
import { runSale } from '../rules/sales';

export const sale: Handler<'sale'> = ({ environment, body }) => {
  const request = readCharge(environment, body);
  const transaction = runSale(environment, request);
  useToken(environment, request);
  return chargeResult(environment, transaction, body);
};
