import type { Handler } from '../calls/call';
import { hasExpired } from '../core/cards';
import { toCents } from '../core/money';
import { GatewayRefusal } from '../core/refusals';
import { checkPairs } from '../rules/card-data';
import { gatewayMerchant } from '../rules/merchants';
import { isCharge } from '../rules/refundable';
import { isApproved, namedTransaction, runSale } from '../rules/sales';
import { EXPIRED_CARD } from '../rules/sandbox-amounts';

export const recharge: Handler<'recharge'> = ({ environment, body, path }) => {
  const merchantId = gatewayMerchant(environment, body.merchant_id);
  checkPairs('echo_fields', body.echo_fields);
  checkPairs('report_data', body.report_data);
  const earlier = namedTransaction(environment, merchantId, path.pgIdOrig);
  const { pg_id: pg_id_linked, source, card_id, tran_currency, payer } = earlier;
  const amountCents = toCents(body.amt_tran);
  if (amountCents === undefined || amountCents <= 0)
    throw new GatewayRefusal(
      '104',
      'Invalid amt_tran: must be above zero with at most two decimals',
      400,
      pg_id_linked,
    );
  if (!isCharge(earlier) || !isApproved(earlier))
    throw new GatewayRefusal('100', 'Recharge refused: not a successful payment', 409, pg_id_linked);
  const transaction = runSale(environment, {
    ...{ request_type: 'recharge', merchantId, amountCents, source, card_id, tran_currency, payer, pg_id_linked },
    profile_id: body.profile_id ?? earlier.profile_id,
    ...(hasExpired(source, environment.clock.now()) && { declinedWith: EXPIRED_CARD }),
  });
  const { rcode, rmsg, pg_id } = transaction;
  if (!isApproved(transaction)) throw new GatewayRefusal(rcode, rmsg, 402, pg_id);
  return { rcode, rmsg, pg_id, echo_fields: body.echo_fields };
};
