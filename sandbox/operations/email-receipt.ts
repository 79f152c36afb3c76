import type { Handler } from '../calls/call';
import { GatewayRefusal } from '../core/refusals';
import { gatewayMerchant } from '../rules/merchants';
import { isApproved, namedTransaction } from '../rules/sales';

const URL_PATTERN = /^https?:\/\/[^\s/]+/i;

export const emailReceipt: Handler<'emailReceipt'> = ({ environment, body, path }) => {
  const transaction = namedTransaction(environment, gatewayMerchant(environment, body.merchant_id), path.pgId);
  const { pg_id } = transaction;
  if (body.email_address.length === 0 || body.email_address.some((address) => !/^[^\s@]+@[^\s@]+$/.test(address)))
    throw new GatewayRefusal('116', 'Invalid email_address', 400, pg_id);
  if (body.logo_url !== undefined && !URL_PATTERN.test(body.logo_url))
    throw new GatewayRefusal('118', 'Invalid logo_url', 400, pg_id);
  if (!isApproved(transaction))
    throw new GatewayRefusal('100', 'Receipt refused: transaction was declined', 409, pg_id);
  environment.notices.push({
    pg_id,
    sent: environment.clock.now(),
    email_address: body.email_address,
    phone_number: [],
  });
  return { rcode: '000', rmsg: 'Email receipt sent', pg_id };
};
