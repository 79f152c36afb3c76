import { GatewayRefusal } from '../core/refusals';
import { planBatch } from './batch-times';
import { refundableCents } from './refundable';
import type { Environment } from '../state/environment';
import type { RequestType, Transaction } from '../state/records';

/** A captured transaction can be refunded for this long (service.md#refunds). */
const REFUND_PERIOD_DAYS = 365;

function refuse(transaction: Transaction, reason: string): GatewayRefusal {
  return new GatewayRefusal('402', `Refund refused: ${reason}`, 409, transaction.pg_id);
}

/**
 * Refunds a captured sale by the rules of service.md#refunds. Before batch close the full amount is a void and a
 * smaller one reduces the captured amount; between batch close and "Deposit Sent" a refund is refused; afterwards it
 * is a transaction of its own.
 * @returns the transaction that records it; its rmsg says which of the three happened.
 * @throws GatewayRefusal 402 (HTTP 409) when the state or the sum forbids it; nothing has changed then.
 */
export function refundSale(environment: Environment, sale: Transaction, amountCents: number): Transaction {
  if (sale.request_type !== 'sale') throw refuse(sale, 'not a sale');
  if (sale.tran_status === 'D') throw refuse(sale, 'not captured');
  if (sale.tran_status === 'V') throw refuse(sale, 'already voided');
  if (sale.tran_status === 'S') throw refuse(sale, 'batch closed, the deposit has not been sent yet');
  if (sale.time.plus({ days: REFUND_PERIOD_DAYS }) < environment.clock.now()) throw refuse(sale, 'too old');
  if (amountCents > refundableCents(sale)) throw refuse(sale, 'over the captured total');
  const beforeBatchClose = sale.tran_status === 'C';
  sale.refundedCents += amountCents;
  if (!beforeBatchClose) return record(environment, sale, amountCents, 'refund', 'Refund request accepted');
  if (refundableCents(sale) === 0) sale.tran_status = 'V';
  const isVoid = amountCents === sale.capturedCents;
  return isVoid
    ? record(environment, sale, amountCents, 'void', 'Transaction voided')
    : record(environment, sale, amountCents, 'capture', 'Capture Amount Reduced');
}

function record(
  environment: Environment,
  sale: Transaction,
  amountCents: number,
  request_type: RequestType,
  rmsg: string,
): Transaction {
  const transaction: Transaction = {
    ...sale,
    rec_id: environment.ids.nextNumber('transaction', 5001),
    pg_id: environment.ids.nextText('pg_id'),
    pg_id_linked: sale.pg_id,
    request_type,
    // Only money that goes back on its own takes part in the next batch; the other two just change the sale.
    tran_status: request_type === 'refund' ? 'C' : 'V',
    time: environment.clock.now(),
    requestedCents: amountCents,
    capturedCents: amountCents,
    refundedCents: 0,
    rcode: '000',
    rmsg,
    auth_code: undefined,
  };
  environment.transactions.set(transaction.pg_id, transaction);
  planBatch(environment);
  return transaction;
}
