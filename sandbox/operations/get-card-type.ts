import type { Handler } from '../calls/call';
import { readCardNumber, type CardType } from '../core/cards';
import { GatewayRefusal } from '../core/refusals';
import { gatewayMerchant } from '../rules/merchants';

/** Arbitrary funding sources by card brand. */
const FUNDING: Partial<Record<CardType, string>> = { MC: 'D', DS: 'P' };

export const getCardType: Handler<'getCardType'> = ({ environment, body }) => {
  gatewayMerchant(environment, body.merchant_id);
  const card = readCardNumber(body.card_number);
  if (!card) throw new GatewayRefusal('108', 'Invalid card number (failed mod 10)');
  return {
    rcode: '000',
    rmsg: 'Card type found',
    pg_id: environment.ids.nextText('pg_id'),
    funding_source: FUNDING[card.card_type] ?? 'C',
    issuer_country: 'US',
    ind_comm_level2: 'N',
    ind_comm_level3: 'N',
  };
};
