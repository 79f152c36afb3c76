import type { Transaction } from '../state/records';

/** Returns the refundable amount in cents. */
export function refundableCents(transaction: Transaction): number {
  return transaction.capturedCents - transaction.refundedCents;
}
