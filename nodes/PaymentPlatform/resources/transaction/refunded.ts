/** What a refund does: before batch close it is a void or a smaller capture (service.md#refunds). */
export type RefundKind = 'voided' | 'reduced' | 'refunded';

/** Says in one sentence what a refund did. */
export function refunded(kind: RefundKind, amount: string): string {
  if (kind === 'voided') return `Voided the entire sale of ${amount} before settlement.`;
  if (kind === 'reduced') return `Reduced the sale by ${amount} before settlement.`;
  return `Refunded ${amount} to the customer.`;
}

/** Which of the three it was, only the service's words tell. */
export const kindOf = (rmsg: string): RefundKind =>
  /void/i.test(rmsg) ? 'voided' : /reduc/i.test(rmsg) ? 'reduced' : 'refunded';
