import type { Handler } from '../calls/call';
import { chargeResult, readCharge, useToken } from '../rules/gateway-charges';
import { runSale } from '../rules/sales';

/** Authorizes a payment without capturing it (openapi.yaml#authorize). */
export const authorize: Handler<'authorize'> = ({ environment, body }) => {
  const request = readCharge(environment, body);
  const transaction = runSale(environment, { ...request, request_type: 'auth' });
  useToken(environment, request);
  return chargeResult(environment, transaction, body);
};
