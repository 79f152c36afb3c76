import type { Handlers } from '../calls/described';
import { DEFAULT_CURRENCY } from '../core/currency';
import { GatewayRefusal } from '../core/refusals';
import { planDeposits } from '../rules/batch-times';
import { closeBatch as close } from '../rules/batches';
import { checkPairs } from '../rules/card-data';
import { gatewayMerchant } from '../rules/merchants';
import { batchInfo } from '../views/settlements';

export const batchHandlers = {
  /**
   * Closes a merchant's open batch in one currency.
   * @throws GatewayRefusal with rcode 404 for an empty batch.
   */
  closeBatch: ({ environment, body }) => {
    const merchantId = gatewayMerchant(environment, body.merchant_id);
    checkPairs(body);
    const currency = body.tran_currency ?? DEFAULT_CURRENCY;
    const closed = close(environment, (one) => one.merchant_id === merchantId && one.tran_currency === currency);
    const settlement = environment.settlements.at(-1);
    if (closed.length === 0 || !settlement) throw new GatewayRefusal('404', 'No open batch', 409);
    planDeposits(environment);
    return {
      rcode: '000',
      rmsg: 'Batch closed',
      pg_id: environment.ids.nextText('pg_id'),
      echo_fields: body.echo_fields,
      batch_info: JSON.stringify([batchInfo(settlement)]),
    };
  },
} satisfies Partial<Handlers>;
