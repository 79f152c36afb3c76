/** What a refund does: before batch close it is a void or a smaller capture (docs/service.md#refunds). */
export type RefundKind = 'voided' | 'reduced' | 'refunded';

const REST = 'What is left of the sale stands in Report > Get Many Transactions.';

/** What was done, for a person. */
export function refunded(kind: RefundKind, amount: string): string {
  if (kind === 'voided')
    return `Voided the whole sale of ${amount}, which was not settled yet: the customer is not charged. Nothing of it is left to refund.`;
  if (kind === 'reduced')
    return `Reduced the sale by ${amount} before it was settled: the customer is charged that much less. ${REST}`;
  return `Refunded ${amount} to the customer. ${REST}`;
}

/** Which of the three it was, only the service's words tell. */
export const kindOf = (rmsg: string): RefundKind =>
  /void/i.test(rmsg) ? 'voided' : /reduc/i.test(rmsg) ? 'reduced' : 'refunded';
