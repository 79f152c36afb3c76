import type { Handlers } from '../calls/described';
import type { Body } from '../contract/types';
import { type CardType, isExpirationDate, type PaymentSource, readCardNumber } from '../core/cards';
import { toAmount } from '../core/money';
import { GatewayRefusal } from '../core/refusals';
import { checkPairs, readSource } from '../rules/card-data';
import { readCharge, useToken } from '../rules/gateway-charges';
import { gatewayMerchant } from '../rules/merchants';
import { findPrepaid } from '../rules/prepaid';
import { approvalCode } from '../rules/sales';
import { DECLINED } from '../rules/sandbox-amounts';
import type { Environment } from '../state/environment';
import type { StoredToken } from '../state/records';

const SINGLE_USE_MINUTES = 10;
/** Issuer code for "no reason to decline" (service.md#codes). */
const VERIFIED = '085';
/** ZIP code and security code that the sandbox reports as mismatches. */
const OTHER_ZIP = '99999';
const OTHER_CODE = '000';
/** Arbitrary funding sources by card brand. */
const FUNDING: Partial<Record<CardType, string>> = { MC: 'D', DS: 'P' };

export const cardHandlers = {
  tokenize: ({ environment, body }) => {
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
  },

  /** Verifies a card or bank account without charging it. */
  verifyCard: ({ environment, body }) => {
    const request = readCharge(environment, { ...body, amt_tran: 0 });
    const { source } = request;
    const pg_id = environment.ids.nextText('pg_id');
    const rcode = source.declines ? DECLINED : request.declinedWith;
    if (rcode !== undefined) throw new GatewayRefusal(rcode, 'Decline', 402, pg_id);
    const auth_code = approvalCode(environment, environment.ids.nextNumber('authorization', 10_001));
    useToken(environment, request);
    const card_id = body.tokenize && body.card_id === undefined ? environment.ids.nextText('card_id') : undefined;
    if (card_id !== undefined)
      environment.tokens.set(card_id, {
        card_id,
        merchant_id: request.merchantId,
        source,
        cardholder_name: body.cardholder_name,
      });
    return {
      rcode: VERIFIED,
      rmsg: `No reason to decline ${auth_code}`,
      pg_id,
      card_number: source.masked,
      card_id,
      auth_code,
      ...(source.card_type !== 'AP' && { auth_avs_result: avsOf(body), auth_cvv2_result: cvvOf(body) }),
      echo_fields: body.echo_fields,
    };
  },

  /** Invalidates a card ID from tokenization. Vault cards remain valid. */
  expireToken: ({ environment, body }) => {
    const merchantId = gatewayMerchant(environment, body.merchant_id);
    checkPairs(body);
    const token = environment.tokens.get(body.card_id);
    const now = environment.clock.now();
    if (token?.merchant_id !== merchantId || (token.expires && token.expires <= now))
      throw new GatewayRefusal('405', 'Expire failed: unknown or expired card_id');
    environment.tokens.delete(body.card_id);
    const pg_id = environment.ids.nextText('pg_id');
    return { rcode: '000', rmsg: 'Token expired', pg_id, echo_fields: body.echo_fields };
  },

  getCardType: ({ environment, body }) => {
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
  },

  getBalance: ({ environment, body }) => {
    const account = findPrepaid(environment, gatewayMerchant(environment, body.merchant_id), body.fbo_id);
    const pg_id = environment.ids.nextText('pg_id');
    return { rcode: '000', rmsg: 'Balance found', pg_id, amt_balance: toAmount(account.cents) };
  },
} satisfies Partial<Handlers>;

function checkFields(body: Body<'tokenize'>): void {
  if (body.exp_date !== undefined && !isExpirationDate(body.exp_date))
    throw new GatewayRefusal('107', 'Invalid exp_date: must be MMYY');
  if (body.avs_address !== undefined && body.avs_zip === undefined)
    throw new GatewayRefusal('106', 'avs_address needs avs_zip');
  if (body.email_address?.some((address) => !/^[^\s@]+@[^\s@]+$/.test(address)))
    throw new GatewayRefusal('116', 'Invalid email_address');
  checkPairs(body);
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

function avsOf({ avs_address: street, avs_zip: zip }: Body<'verifyCard'>): string {
  if (zip === undefined) return 'U';
  if (zip === OTHER_ZIP) return street === undefined ? 'N' : 'A';
  return street === undefined ? 'Z' : 'Y';
}

const cvvOf = ({ cvv2 }: Body<'verifyCard'>): string => (cvv2 === undefined ? 'P' : cvv2 === OTHER_CODE ? 'N' : 'M');
