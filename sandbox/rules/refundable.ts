import type { Transaction } from '../state/records';

/** What is left to refund, in cents. */
export function refundableCents(transaction: Transaction): number {
  return transaction.capturedCents - transaction.refundedCents;
}
