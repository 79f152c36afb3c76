import type { Handler } from '../calls/call';
import { toCents } from '../core/money';
import { GatewayRefusal } from '../core/refusals';
import { captureAuthorization } from '../rules/authorizations';
import { gatewayMerchant } from '../rules/merchants';
import { namedTransaction } from '../rules/sales';
import { checkPairs } from '../rules/card-data';

export const capture: Handler<'capture'> = ({ environment, body, path }) => {
  const merchantId = gatewayMerchant(environment, body.merchant_id);
  checkPairs('echo_fields', body.echo_fields);
  checkPairs('report_data', body.report_data);
  const authorization = namedTransaction(environment, merchantId, path.pgIdOrig);
  const cents = toCents(body.amt_tran);
  if (cents === undefined || cents <= 0)
    throw new GatewayRefusal(
      '104',
      'Invalid amt_tran: must be above zero with at most two decimals',
      400,
      authorization.pg_id,
    );
  const { pg_id, rmsg } = captureAuthorization(environment, authorization, cents);
  return { rcode: '000', rmsg, pg_id, echo_fields: body.echo_fields };
};
