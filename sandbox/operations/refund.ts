import type { Handler } from '../calls/call';
import { toCents } from '../core/money';
import { GatewayRefusal } from '../core/refusals';
import { checkPairs } from '../rules/card-data';
import { gatewayMerchant } from '../rules/merchants';
import { refundSale } from '../rules/refunds';
import { namedTransaction } from '../rules/sales';

export const refund: Handler<'refund'> = ({ environment, body, path }) => {
  const merchantId = gatewayMerchant(environment, body.merchant_id);
  checkPairs('echo_fields', body.echo_fields);
  checkPairs('report_data', body.report_data);
  const sale = namedTransaction(environment, merchantId, path.pgIdOrig);
  const cents = body.amt_tran === undefined ? undefined : toCents(body.amt_tran);
  if (cents === undefined || cents <= 0)
    throw new GatewayRefusal('104', 'Invalid amt_tran: must be above zero with at most two decimals', 400, sale.pg_id);
  const { pg_id, rmsg } = refundSale(environment, sale, cents);
  return { rcode: '000', rmsg, pg_id, echo_fields: body.echo_fields };
};
