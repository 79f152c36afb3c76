/** What a refund does: before batch close it is a void or a smaller capture (service.md#refunds). */
export type RefundKind = 'voided' | 'reduced' | 'refunded';

const REST = 'Report > Get Many Transactions shows how much of the sale can still be refunded.';

/** What was done, for a person. */
export function refunded(kind: RefundKind, amount: string): string {
  if (kind === 'voided')
    return `Voided the whole sale of ${amount} before it was settled, so the customer is not charged. Nothing is left to refund.`;
  if (kind === 'reduced')
    return `Reduced the sale by ${amount} before it was settled, so the customer is charged less. ${REST}`;
  return `Refunded ${amount} to the customer. ${REST}`;
}

/** Which of the three it was, only the service's words tell. */
export const kindOf = (rmsg: string): RefundKind =>
  /void/i.test(rmsg) ? 'voided' : /reduc/i.test(rmsg) ? 'reduced' : 'refunded';
