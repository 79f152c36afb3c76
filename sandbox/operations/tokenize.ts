import { isExpirationDate, readAccount, readCardNumber, type PaymentSource } from '../core/cards';
import type { Handler } from '../calls/call';
import { GatewayRefusal } from '../core/refusals';
import type { Body } from '../contract/types';
import { gatewayMerchant } from '../rules/merchants';
import type { Environment } from '../state/environment';
import type { StoredToken } from '../state/records';
import { createHash } from 'node:crypto';

const SINGLE_USE_MINUTES = 10;

/** Saves payment details under a new card ID, or updates the details of an existing one (openapi.yaml#tokenize). */
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

/** Checks echo_fields or report_data, which are JSON arrays of name/value objects. */
export function checkPairs(name: string, text: string | undefined): void {
  if (text === undefined) return;
  let pairs: unknown;
  try {
    pairs = JSON.parse(text);
  } catch {
    pairs = undefined;
  }
  if (!Array.isArray(pairs) || !pairs.every(isPair))
    throw new GatewayRefusal('100', `Invalid request: ${name} must be a JSON-encoded array of name/value objects`);
}

const isPair = (pair: unknown): boolean =>
  typeof pair === 'object' &&
  pair !== null &&
  'name' in pair &&
  typeof pair.name === 'string' &&
  'value' in pair &&
  typeof pair.value === 'string';

function findToken(environment: Environment, merchantId: string, cardId: string): StoredToken {
  const token = environment.tokens.get(cardId);
  if (!token || token.merchant_id !== merchantId) throw new GatewayRefusal('405', 'Tokenize failed: unknown card_id');
  return token;
}

function readSource(body: Body<'tokenize'>): PaymentSource | undefined {
  const given = [
    body.card_number,
    body.card_swipe,
    body.tr_number ?? body.dda_number,
    body.payload_walletA_pay,
    body.payload_walletB_pay,
  ].filter((value) => value !== undefined);
  if (given.length > 1) throw new GatewayRefusal('103', 'More than one payment source');
  if (body.card_number !== undefined) return cardSource(body.card_number, body.exp_date);
  if (body.card_swipe !== undefined) return swipeSource(body.card_swipe);
  if (body.tr_number !== undefined || body.dda_number !== undefined) {
    const source = readAccount(body.tr_number ?? '', body.dda_number ?? '');
    if (!source)
      throw new GatewayRefusal('119', 'Invalid ACH account: tr_number with nine digits and dda_number are needed');
    return source;
  }
  const payload = body.payload_walletA_pay ?? body.payload_walletB_pay;
  return payload === undefined ? undefined : walletSource(payload, body.exp_date);
}

function cardSource(cardNumber: string, expirationDate?: string): PaymentSource {
  const source = readCardNumber(cardNumber, expirationDate);
  if (!source) throw new GatewayRefusal('108', 'Invalid card number (failed mod 10)');
  return source;
}

/**
 * Reads the card number from track data. The number ends at the first separator and follows a start sentinel and, on
 * track 1, a letter.
 */
function swipeSource(track: string): PaymentSource {
  const [, cardNumber] = /^[%;]?[A-Z]?(\d{13,19})[=^]/.exec(track) ?? [];
  if (cardNumber === undefined) throw new GatewayRefusal('103', 'Unreadable card_swipe');
  return cardSource(cardNumber);
}

/**
 * Returns a test card for a wallet payload. The real payload is encrypted for the service, so the sandbox assigns a
 * card to each payload.
 */
function walletSource(payload: string, expirationDate?: string): PaymentSource {
  const fingerprint = createHash('sha256').update(payload).digest('hex');
  return { masked: '411111xxxxxx1111', card_type: 'VS', exp_date: expirationDate, fingerprint };
}

function updatedSource(body: Body<'tokenize'>, existing: StoredToken | undefined): PaymentSource {
  if (!existing) throw new GatewayRefusal('103', 'No card or account data');
  return { ...existing.source, exp_date: body.exp_date ?? existing.source.exp_date };
}
