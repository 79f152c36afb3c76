/** Issuer codes that mean approval (service.md#codes). */
const APPROVALS: ReadonlySet<string> = new Set(['000', '008', '010', '011', '085']);

/**
 * Returns the rcode for the amount of a sale. An amount below 1.00 selects the rcode by its cents. Larger amounts are
 * approved.
 */
export function sandboxAmountCode(amountCents: number): string {
  return amountCents < 100 ? `0${String(amountCents).padStart(2, '0')}` : '000';
}

export function isApprovedBySandboxAmount(rcode: string): boolean {
  return APPROVALS.has(rcode);
}

/** rcode of a charge with the sandbox's decline card. */
export const DECLINED = '005';

/** rcode of a charge with an expired card. */
export const EXPIRED_CARD = '054';

/**
 * Codes of declines that a retry can't resolve: retained, lost, stolen or expired card, or unknown account or issuer.
 */
const HARD_DECLINES: ReadonlySet<string> = new Set(['004', '007', '014', '015', '041', '043', EXPIRED_CARD]);

/**
 * Returns whether a decline immediately suspends a subscription. The service retries the charge after any other decline
 * (service.md#subscriptions).
 */
export function isHardDecline(rcode: string): boolean {
  return HARD_DECLINES.has(rcode);
}
