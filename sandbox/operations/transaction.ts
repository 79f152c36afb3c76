import type { Call } from '../calls/call';
import type { Handlers } from '../calls/described';
import type { Body } from '../contract/types';
import { hasExpired } from '../core/cards';
import { DEFAULT_CURRENCY } from '../core/currency';
import { toCents } from '../core/money';
import { GatewayRefusal } from '../core/refusals';
import { captureAuthorization, voidCharge } from '../rules/authorizations';
import { planBatch } from '../rules/batch-times';
import { checkPairs } from '../rules/card-data';
import { chargeResult, readCharge, useToken } from '../rules/gateway-charges';
import { gatewayMerchant } from '../rules/merchants';
import { findPrepaid } from '../rules/prepaid';
import { isCharge } from '../rules/refundable';
import { refundSale } from '../rules/refunds';
import { isApproved, namedTransaction, runSale, type SaleRequest } from '../rules/sales';
import { EXPIRED_CARD, isApprovedBySandboxAmount, sandboxAmountCode } from '../rules/sandbox-amounts';
import type { Transaction } from '../state/records';

/** Issuer code for insufficient funds. */
const TOO_LITTLE = '051';
const URL_PATTERN = /^https?:\/\/[^\s/]+/i;

export const transactionHandlers = {
  /** Pays an amount to a payee. A prepaid account limits the payout to its balance. */
  payPayee: ({ environment, body }) => {
    const merchant_id = gatewayMerchant(environment, body.merchant_id);
    const cents = centsOf(body);
    const payee = environment.payees.get(body.payee_id ?? '');
    if (payee?.merchant_id !== merchant_id) throw new GatewayRefusal('100', 'Invalid payee_id: no such payee');
    if (!payee.account) throw new GatewayRefusal('119', 'The payee has no bank account');
    const prepaid = body.fbo_id === undefined ? undefined : findPrepaid(environment, merchant_id, body.fbo_id);
    const rcode = prepaid && prepaid.cents < cents ? TOO_LITTLE : sandboxAmountCode(cents);
    const isApproved = isApprovedBySandboxAmount(rcode);
    const payout: Transaction = {
      rec_id: environment.ids.nextNumber('transaction', 5001),
      pg_id: environment.ids.nextText('pg_id'),
      merchant_id,
      request_type: 'payment',
      tran_status: isApproved ? 'C' : 'D',
      time: environment.clock.now(),
      requestedCents: cents,
      capturedCents: isApproved ? cents : 0,
      refundedCents: 0,
      tran_currency: DEFAULT_CURRENCY,
      rcode: isApproved ? '000' : rcode,
      rmsg: isApproved ? 'Payment request accepted' : rcode === TOO_LITTLE ? 'Insufficient balance' : 'Decline',
      source: payee.account.source,
      merch_ref_num: body.merch_ref_num,
      payer: { customer_last_name: payee.payee_name },
      recurring: false,
    };
    environment.transactions.set(payout.pg_id, payout);
    if (!isApproved) throw new GatewayRefusal(rcode, payout.rmsg, 402, payout.pg_id);
    if (prepaid) prepaid.cents -= cents;
    planBatch(environment);
    return { rcode: payout.rcode, rmsg: payout.rmsg, pg_id: payout.pg_id };
  },

  refund: (call) => {
    const { environment, body } = call;
    const sale = originalOf(call);
    const { pg_id, rmsg } = refundSale(environment, sale, centsOf(body, sale));
    return { rcode: '000', rmsg, pg_id, echo_fields: body.echo_fields };
  },

  recharge: (call) => {
    const { environment, body } = call;
    const earlier = originalOf(call);
    const { pg_id: pg_id_linked, merchant_id: merchantId, source, card_id, tran_currency, payer } = earlier;
    const amountCents = centsOf(body, earlier);
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
  },

  capture: (call) => {
    const { environment, body } = call;
    const authorization = originalOf(call);
    const { pg_id, rmsg } = captureAuthorization(environment, authorization, centsOf(body, authorization));
    return { rcode: '000', rmsg, pg_id, echo_fields: body.echo_fields };
  },

  voidTransaction: (call) => {
    const { environment, body } = call;
    const { pg_id, rmsg } = voidCharge(environment, originalOf(call));
    return { rcode: '000', rmsg, pg_id, echo_fields: body.echo_fields };
  },

  emailReceipt: ({ environment, body, path }) => {
    const transaction = namedTransaction(environment, gatewayMerchant(environment, body.merchant_id), path.pgId);
    const { pg_id } = transaction;
    if (body.email_address.length === 0 || body.email_address.some((address) => !/^[^\s@]+@[^\s@]+$/.test(address)))
      throw new GatewayRefusal('116', 'Invalid email_address', 400, pg_id);
    if (body.logo_url !== undefined && !URL_PATTERN.test(body.logo_url))
      throw new GatewayRefusal('118', 'Invalid logo_url', 400, pg_id);
    if (!isApproved(transaction))
      throw new GatewayRefusal('100', 'Receipt refused: transaction was declined', 409, pg_id);
    environment.notices.push({
      pg_id,
      sent: environment.clock.now(),
      email_address: body.email_address,
      phone_number: [],
    });
    return { rcode: '000', rmsg: 'Email receipt sent', pg_id };
  },

  sale: (call) => charge(call),

  /** Authorizes a payment without capturing it (openapi.yaml#authorize). */
  authorize: (call) => charge(call, { request_type: 'auth' }),

  credit: (call) => charge(call, { request_type: 'credit', accepted: { rmsg: 'Credit transaction accepted' } }),

  force: (call) => {
    const { auth_code } = call.body;
    return charge(call, { request_type: 'force', accepted: { rmsg: 'Force transaction accepted', auth_code } });
  },
} satisfies Partial<Handlers>;

type ChangeRequest = Pick<Body<'refund'>, 'merchant_id' | 'echo_fields' | 'report_data'>;

/** Returns the transaction that a request changes or repeats. */
function originalOf({ environment, path, body }: Call<{ pgIdOrig: string }, unknown, ChangeRequest>): Transaction {
  const merchantId = gatewayMerchant(environment, body.merchant_id);
  checkPairs(body);
  return namedTransaction(environment, merchantId, path.pgIdOrig);
}

/**
 * Returns the amount of a request.
 * @param original transaction that the refusal names.
 */
function centsOf({ amt_tran }: { amt_tran?: number }, original?: Transaction): number {
  const cents = amt_tran === undefined ? undefined : toCents(amt_tran);
  if (cents !== undefined && cents > 0) return cents;
  const reason = 'Invalid amt_tran: must be above zero with at most two decimals';
  throw new GatewayRefusal('104', reason, 400, original?.pg_id);
}

/** @param kind an accepted charge needs no issuer, and its card no expiration date. */
function charge({ environment, body }: Call<unknown, unknown, Body<'sale'>>, kind: Partial<SaleRequest> = {}) {
  const request = readCharge(environment, body, { undated: kind.accepted !== undefined });
  const transaction = runSale(environment, { ...request, ...kind });
  useToken(environment, request);
  return chargeResult(environment, transaction, body);
}
