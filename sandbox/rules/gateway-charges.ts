import { hasExpired, isExpirationDate, type PaymentSource } from '../core/cards';
import { GatewayRefusal } from '../core/refusals';
import { toAmount, toCents } from '../core/money';
import { without } from '../core/without';
import type { Body } from '../contract/types';
import type { Environment } from '../state/environment';
import type { Payer, Transaction } from '../state/records';
import { checkPairs, readSource } from './card-data';
import { gatewayMerchant } from './merchants';
import { isApproved, type SaleRequest } from './sales';
import { EXPIRED_CARD } from './sandbox-amounts';
import { payerOf } from '../views/customers';

type ChargeBody = Body<'sale'>;

interface Charged {
  source: PaymentSource;
  card_id?: string;
  payer?: Payer;
}

/** Arbitrary error code of a duplicate charge (service.md#duplicates). */
const DUPLICATE = '113';

/**
 * Validates a charge request and reads its card or account (openapi.yaml#GatewayTransactionRequest).
 * @param options.undated whether a card needs no expiration date.
 */
export function readCharge(environment: Environment, body: ChargeBody, { undated = false } = {}): SaleRequest {
  const merchantId = gatewayMerchant(environment, body.merchant_id);
  checkCharge(body);
  const amountCents = body.amt_tran === undefined ? undefined : toCents(body.amt_tran);
  if (amountCents === undefined || amountCents < 0)
    throw new GatewayRefusal('104', 'Invalid amt_tran: must be a number with at most two decimals');
  const charged = accountOf(environment, merchantId, body, undated);
  const request: SaleRequest = {
    merchantId,
    amountCents,
    ...charged,
    tran_currency: body.tran_currency,
    purchase_id: body.purchase_id,
    merch_ref_num: body.merch_ref_num,
    profile_id: body.profile_id,
    fees: { amt_convenience_fee: body.amt_convenience_fee, amt_tran_fee: body.amt_tran_fee },
    payer: { ...namesIn(body.cardholder_name), ...charged.payer, ...payerIn(body) },
    ...(hasExpired(charged.source, environment.clock.now()) && { declinedWith: EXPIRED_CARD }),
  };
  assertNew(environment, request, body.duplicate_seconds ?? 0);
  return request;
}

function checkCharge(body: ChargeBody): void {
  if (body.exp_date !== undefined && !isExpirationDate(body.exp_date))
    throw new GatewayRefusal('107', 'Invalid exp_date: must be MMYY');
  if (body.avs_address !== undefined && body.avs_zip === undefined)
    throw new GatewayRefusal('106', 'avs_address needs avs_zip');
  checkPairs(body);
}

function accountOf(environment: Environment, merchantId: string, body: ChargeBody, undated: boolean): Charged {
  const typed = readSource(body);
  const { card_id, customer_id } = body;
  const given = [typed, card_id, customer_id].filter((one) => one !== undefined);
  if (given.length !== 1) throw new GatewayRefusal('103', 'Exactly one account is needed');
  if (typed) {
    if (body.card_number !== undefined && body.exp_date === undefined && !undated)
      throw new GatewayRefusal('107', 'exp_date is needed');
    return { source: typed };
  }
  if (card_id !== undefined) return savedAccount(environment, merchantId, card_id);
  const customer = environment.findCustomer(merchantId, customer_id ?? '');
  if (!customer) throw new GatewayRefusal('112', 'Invalid customer_id');
  const card = customer.billing_cards.find(({ primary }) => primary);
  if (!card) throw new GatewayRefusal('103', 'The customer has no payment method');
  return { source: card.source, card_id: card.card_id, payer: payerOf(customer) };
}

function savedAccount(environment: Environment, merchantId: string, card_id: string): Charged {
  const token = environment.tokens.get(card_id);
  if (token?.merchant_id === merchantId && !(token.expires && token.expires < environment.clock.now()))
    return { source: token.source, card_id, payer: namesIn(token.cardholder_name) };
  for (const customer of environment.customers) {
    const card = customer.billing_cards.find((one) => one.card_id === card_id);
    if (card && customer.merchant_id === merchantId) return { source: card.source, card_id, payer: payerOf(customer) };
  }
  throw new GatewayRefusal('103', 'Unknown or expired card_id');
}

/** Removes a single-use token after its use (service.md#card-data). */
export function useToken(environment: Environment, { card_id }: Pick<SaleRequest, 'card_id'>): void {
  if (card_id !== undefined && environment.tokens.get(card_id)?.expires) environment.tokens.delete(card_id);
}

function namesIn(holder = ''): Payer {
  const [first, ...last] = holder.trim().split(/\s+/);
  if (!first) return {};
  return { customer_first_name: first, ...(last.length > 0 && { customer_last_name: last.join(' ') }) };
}

function payerIn({ customer, customer_email }: ChargeBody): Payer {
  const named = without(customer ?? {}, 'shipping_addresses', 'billing_zip4', 'billing_country_code');
  return { ...(customer_email !== undefined && { customer_email }), ...named };
}

/** Refuses a charge that repeats the account, amount and purchase_id of another charge within `seconds`. */
function assertNew(environment: Environment, request: SaleRequest, seconds: number): void {
  if (seconds === 0) return;
  const since = environment.clock.now().minus({ seconds });
  const isRepeated = (one: Transaction) =>
    one.merchant_id === request.merchantId &&
    one.source.fingerprint === request.source.fingerprint &&
    one.requestedCents === request.amountCents &&
    one.purchase_id === request.purchase_id &&
    !['D', 'V'].includes(one.tran_status) &&
    one.time >= since;
  const earlier = [...environment.transactions.values()].find(isRepeated);
  if (earlier) throw new GatewayRefusal(DUPLICATE, 'Duplicate transaction', 409, earlier.pg_id);
}

/**
 * Builds the response to a charge. With `tokenize`, also saves the card or account.
 * @throws GatewayRefusal with the issuer's code after a decline.
 */
export function chargeResult(environment: Environment, transaction: Transaction, body: ChargeBody) {
  const { rcode, rmsg, pg_id, auth_code, source } = transaction;
  if (!isApproved(transaction)) throw new GatewayRefusal(rcode, rmsg, 402, pg_id);
  const isTyped = body.card_id === undefined && body.customer_id === undefined;
  const card_id = body.tokenize && isTyped ? saveToken(environment, transaction, body.cardholder_name) : undefined;
  return {
    rcode,
    rmsg,
    pg_id,
    card_id,
    auth_code,
    ...(source.card_type !== 'AP' && { auth_avs_result: 'Y', auth_cvv2_result: 'M' }),
    amt_tran: toAmount(transaction.capturedCents),
    echo_fields: body.echo_fields,
  };
}

function saveToken(environment: Environment, { merchant_id, source }: Transaction, cardholder_name?: string): string {
  const card_id = environment.ids.nextText('card_id');
  environment.tokens.set(card_id, { card_id, merchant_id, source, cardholder_name });
  return card_id;
}
