import type { Handler } from '../calls/call';
import { GatewayRefusal } from '../core/refusals';
import { gatewayMerchant } from '../rules/merchants';
import { checkPairs } from '../rules/card-data';

/** Invalidates a card ID from tokenization. Vault cards remain valid. */
export const expireToken: Handler<'expireToken'> = ({ environment, body }) => {
  const merchantId = gatewayMerchant(environment, body.merchant_id);
  checkPairs('echo_fields', body.echo_fields);
  checkPairs('report_data', body.report_data);
  const token = environment.tokens.get(body.card_id);
  const now = environment.clock.now();
  if (token?.merchant_id !== merchantId || (token.expires && token.expires <= now))
    throw new GatewayRefusal('405', 'Expire failed: unknown or expired card_id');
  environment.tokens.delete(body.card_id);
  const pg_id = environment.ids.nextText('pg_id');
  return { rcode: '000', rmsg: 'Token expired', pg_id, echo_fields: body.echo_fields };
};
