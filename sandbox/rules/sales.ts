import { planExpiry } from './authorizations';
import { planBatch } from './batch-times';
import { DECLINED, isApprovedBySandboxAmount, sandboxAmountCode } from './sandbox-amounts';
import { DEFAULT_CURRENCY } from '../core/currency';
import { maskText } from '../core/redact';
import { GatewayRefusal } from '../core/refusals';
import type { PaymentSource } from '../core/cards';
import type { Environment } from '../state/environment';
import type { Payer, Transaction } from '../state/records';

export interface SaleRequest {
  /** Defaults to `sale`. */
  request_type?: 'sale' | 'auth' | 'force' | 'recharge' | 'credit';
  pg_id_linked?: string;
  merchantId: string;
  amountCents: number;
  source: PaymentSource;
  card_id?: string;
  tran_currency?: string;
  purchase_id?: string;
  merch_ref_num?: string;
  profile_id?: string;
  payer?: Payer;
  recurring?: boolean;
  subscription_id?: number;
  /** rcode of a decline that doesn't depend on the amount. */
  declinedWith?: string;
  fees?: Transaction['fees'];
  accepted?: { rmsg: string; auth_code?: string };
}

/**
 * Runs a sale, or an authorization without capture. Amounts below 1.00 select the result (service.md#test-environment).
 */
export function runSale(environment: Environment, request: SaleRequest): Transaction {
  const { accepted } = request;
  const rcode = accepted ? '000' : issuerCode(environment, request);
  const approved = isApprovedBySandboxAmount(rcode);
  const { request_type = 'sale' } = request;
  const number = environment.ids.nextNumber('authorization', 10_001);
  const auth_code = accepted ? accepted.auth_code : approved ? approvalCode(environment, number) : undefined;
  const transaction: Transaction = {
    rec_id: environment.ids.nextNumber('transaction', 5001),
    pg_id: environment.ids.nextText('pg_id'),
    merchant_id: request.merchantId,
    pg_id_linked: request.pg_id_linked,
    request_type,
    tran_status: approved ? (request_type === 'auth' ? 'A' : 'C') : 'D',
    time: environment.clock.now(),
    requestedCents: request.amountCents,
    capturedCents: approved ? approvedCents(request.amountCents, rcode) : 0,
    refundedCents: 0,
    tran_currency: request.tran_currency ?? DEFAULT_CURRENCY,
    rcode,
    rmsg: accepted?.rmsg ?? (auth_code ? `Approved ${auth_code}` : 'Decline'),
    auth_code,
    source: request.source,
    card_id: request.card_id,
    purchase_id: request.purchase_id,
    merch_ref_num: request.merch_ref_num,
    profile_id: request.profile_id,
    payer: request.payer ?? {},
    recurring: request.recurring ?? false,
    subscription_id: request.subscription_id,
    fees: request.fees,
  };
  environment.transactions.set(transaction.pg_id, transaction);
  if (transaction.tran_status === 'A') planExpiry(environment, transaction);
  else if (approved) planBatch(environment);
  return transaction;
}

/**
 * Returns a merchant's transaction.
 * @throws GatewayRefusal with rcode 102 for an unknown transaction.
 */
export function namedTransaction(environment: Environment, merchantId: string, pgId: string): Transaction {
  const transaction = environment.transactions.get(pgId);
  if (!transaction || transaction.merchant_id !== merchantId)
    throw new GatewayRefusal('102', 'Invalid PG Identifier', 400, maskText(pgId));
  return transaction;
}

function issuerCode(environment: Environment, { declinedWith, source, amountCents }: SaleRequest): string {
  const declines = environment.declinesNext || source.declines;
  environment.declinesNext = false;
  return declinedWith ?? (declines ? DECLINED : sandboxAmountCode(amountCents));
}

/** In the test environment, approval codes begin with T (service.md#test-environment). */
export function approvalCode({ name }: Environment, number: number): string {
  return name === 'test'
    ? `T${String(number % 100_000).padStart(5, '0')}`
    : String(number % 1_000_000).padStart(6, '0');
}

function approvedCents(amountCents: number, rcode: string): number {
  return rcode === '010' ? Math.floor(amountCents / 2) : amountCents;
}

export function isApproved(transaction: Transaction): boolean {
  return transaction.tran_status !== 'D';
}
