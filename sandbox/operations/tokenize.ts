import { isExpirationDate, type PaymentSource } from '../core/cards';
import type { Handler } from '../calls/call';
import { GatewayRefusal } from '../core/refusals';
import type { Body } from '../contract/types';
import { checkPairs, readSource } from '../rules/card-data';
import { gatewayMerchant } from '../rules/merchants';
import type { Environment } from '../state/environment';
import type { StoredToken } from '../state/records';

const SINGLE_USE_MINUTES = 10;

export const tokenize: Handler<'tokenize'> = ({ environment, body }) => {
  const merchantId = gatewayMerchant(environment, body.merchant_id);
  checkFields(body);
  const existing = body.card_id === undefined ? undefined : findToken(environment, merchantId, body.card_id);
  const source = readSource(body) ?? updatedSource(body, existing);
  const token: StoredToken = {
    card_id: existing?.card_id ?? environment.ids.nextText('card_id'),
    merchant_id: merchantId,
    source,
    cardholder_name: body.cardholder_name ?? existing?.cardholder_name,
    expires: body.single_use ? environment.clock.now().plus({ minutes: SINGLE_USE_MINUTES }) : existing?.expires,
  };
  environment.tokens.set(token.card_id, token);
  return {
    rcode: '000',
    rmsg: 'Token request complete',
    pg_id: environment.ids.nextText('pg_id'),
    card_id: token.card_id,
    card_number: source.masked,
    echo_fields: body.echo_fields,
  };
};

function checkFields(body: Body<'tokenize'>): void {
  if (body.exp_date !== undefined && !isExpirationDate(body.exp_date))
    throw new GatewayRefusal('107', 'Invalid exp_date: must be MMYY');
  if (body.avs_address !== undefined && body.avs_zip === undefined)
    throw new GatewayRefusal('106', 'avs_address needs avs_zip');
  if (body.email_address?.some((address) => !/^[^\s@]+@[^\s@]+$/.test(address)))
    throw new GatewayRefusal('116', 'Invalid email_address');
  checkPairs('echo_fields', body.echo_fields);
  checkPairs('report_data', body.report_data);
}

function findToken(environment: Environment, merchantId: string, cardId: string): StoredToken {
  const token = environment.tokens.get(cardId);
  if (!token || token.merchant_id !== merchantId) throw new GatewayRefusal('405', 'Tokenize failed: unknown card_id');
  return token;
}

function updatedSource(body: Body<'tokenize'>, existing: StoredToken | undefined): PaymentSource {
  if (!existing) throw new GatewayRefusal('103', 'No card or account data');
  return { ...existing.source, exp_date: body.exp_date ?? existing.source.exp_date };
}
