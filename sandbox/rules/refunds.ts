import { GatewayRefusal } from '../core/refusals';
import { planBatch } from './batch-times';
import { isCharge, refundableCents } from './refundable';
import type { Environment } from '../state/environment';
import type { Transaction } from '../state/records';

/** Maximum age of a refundable transaction in days (service.md#refunds). */
const REFUND_PERIOD_DAYS = 365;

export const VOIDED = { request_type: 'void', tran_status: 'V', rmsg: 'Transaction voided' } as const;

function refuse(transaction: Transaction, reason: string): GatewayRefusal {
  return new GatewayRefusal('402', `Refund refused: ${reason}`, 409, transaction.pg_id);
}

/**
 * Refunds a captured sale (service.md#refunds). Before the batch closes, reduces or voids the sale.
 * @returns the refund.
 * @throws GatewayRefusal with rcode 402 before any change.
 */
export function refundSale(environment: Environment, sale: Transaction, amountCents: number): Transaction {
  if (!isCharge(sale)) throw refuse(sale, 'not a sale');
  if (sale.tran_status === 'D' || sale.tran_status === 'A') throw refuse(sale, 'not captured');
  if (sale.tran_status === 'V' || sale.tran_status === 'v') throw refuse(sale, 'already voided');
  if (sale.isDisputed) throw refuse(sale, 'disputed');
  if (sale.tran_status === 'S') throw refuse(sale, 'batch closed, the deposit has not been sent yet');
  if (sale.time.plus({ days: REFUND_PERIOD_DAYS }) < environment.clock.now()) throw refuse(sale, 'too old');
  if (amountCents > refundableCents(sale)) throw refuse(sale, 'over the captured total');
  const beforeBatchClose = sale.tran_status === 'C';
  sale.refundedCents += amountCents;
  if (!beforeBatchClose)
    return recordChange(environment, sale, amountCents, {
      request_type: 'refund',
      tran_status: 'C',
      rmsg: 'Refund request accepted',
    });
  if (refundableCents(sale) === 0) sale.tran_status = 'V';
  const isVoid = amountCents === sale.capturedCents;
  return isVoid
    ? recordChange(environment, sale, amountCents, VOIDED)
    : recordChange(environment, sale, amountCents, {
        request_type: 'capture',
        tran_status: 'V',
        rmsg: 'Capture Amount Reduced',
      });
}

/** Stores a transaction that records a change to a charge, such as a refund or a capture. */
export function recordChange(
  environment: Environment,
  sale: Transaction,
  amountCents: number,
  { request_type, tran_status, rmsg }: Pick<Transaction, 'request_type' | 'tran_status' | 'rmsg'>,
): Transaction {
  const transaction: Transaction = {
    ...sale,
    isDisputed: false,
    rec_id: environment.ids.nextNumber('transaction', 5001),
    pg_id: environment.ids.nextText('pg_id'),
    pg_id_linked: sale.pg_id,
    request_type,
    tran_status,
    time: environment.clock.now(),
    requestedCents: amountCents,
    capturedCents: amountCents,
    refundedCents: 0,
    rcode: '000',
    rmsg,
    auth_code: undefined,
    batch: undefined,
  };
  environment.transactions.set(transaction.pg_id, transaction);
  planBatch(environment);
  return transaction;
}
