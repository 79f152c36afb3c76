/** Issuer codes that the sandbox treats as approvals. */
const APPROVALS: ReadonlySet<string> = new Set(['000', '008', '010', '011', '085']);

/** Returns the rcode for a sale. An amount below 1.00 selects the rcode by its cents. Larger amounts are approved. */
export function sandboxAmountCode(amountCents: number): string {
  return amountCents < 100 ? `0${String(amountCents).padStart(2, '0')}` : '000';
}

export function isApprovedBySandboxAmount(rcode: string): boolean {
  return APPROVALS.has(rcode);
}

export const DECLINED = '005';

export const EXPIRED_CARD = '054';

const HARD_DECLINES: ReadonlySet<string> = new Set(['004', '007', '014', '015', '041', '043', EXPIRED_CARD]);

/** Returns whether a decline suspends a subscription without a retry (service.md#subscriptions). */
export function isHardDecline(rcode: string): boolean {
  return HARD_DECLINES.has(rcode);
}
