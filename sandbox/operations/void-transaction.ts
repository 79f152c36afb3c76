import type { Handler } from '../calls/call';
import { voidCharge } from '../rules/authorizations';
import { gatewayMerchant } from '../rules/merchants';
import { namedTransaction } from '../rules/sales';
import { checkPairs } from '../rules/card-data';

export const voidTransaction: Handler<'voidTransaction'> = ({ environment, body, path }) => {
  const merchantId = gatewayMerchant(environment, body.merchant_id);
  checkPairs('echo_fields', body.echo_fields);
  checkPairs('report_data', body.report_data);
  const { pg_id, rmsg } = voidCharge(environment, namedTransaction(environment, merchantId, path.pgIdOrig));
  return { rcode: '000', rmsg, pg_id, echo_fields: body.echo_fields };
};
