import type { RequestType, Transaction } from '../state/records';

const CHARGES: ReadonlySet<RequestType> = new Set(['sale', 'auth', 'force', 'recharge']);

/** Returns whether a transaction charges an account. Captures, voids and refunds only change existing charges. */
export const isCharge = ({ request_type }: Pick<Transaction, 'request_type'>): boolean => CHARGES.has(request_type);

/** Returns a transaction's refundable amount in cents. */
export function refundableCents(transaction: Transaction): number {
  return transaction.capturedCents - transaction.refundedCents;
}
