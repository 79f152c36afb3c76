import type { Handler } from '../calls/call';
import { toCents } from '../core/money';
import { GatewayRefusal } from '../core/refusals';
import { planBatch } from '../rules/batch-times';
import { gatewayMerchant } from '../rules/merchants';
import { findPrepaid } from '../rules/prepaid';
import { isApprovedBySandboxAmount, sandboxAmountCode } from '../rules/sandbox-amounts';
import type { Transaction } from '../state/records';
import { DEFAULT_CURRENCY } from '../core/currency';

/** Issuer code for insufficient funds. */
const TOO_LITTLE = '051';

/** Pays an amount to a payee. A prepaid account limits the payout to its balance. */
export const payPayee: Handler<'payPayee'> = ({ environment, body }) => {
  const merchant_id = gatewayMerchant(environment, body.merchant_id);
  const cents = toCents(body.amt_tran);
  if (cents === undefined || cents <= 0)
    throw new GatewayRefusal('104', 'Invalid amt_tran: must be above zero with at most two decimals');
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
};
