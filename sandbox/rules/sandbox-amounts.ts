/** Issuer codes that mean approval (service.md#codes). */
const APPROVALS: ReadonlySet<string> = new Set(['000', '008', '010', '011', '085']);

/** Returns the rcode for a sale's amount. Cents below 1.00 select the rcode, and larger amounts are approved. */
export function sandboxAmountCode(amountCents: number): string {
  return amountCents < 100 ? `0${String(amountCents).padStart(2, '0')}` : '000';
}

export function isApprovedBySandboxAmount(rcode: string): boolean {
  return APPROVALS.has(rcode);
}

/** rcode of the sandbox's decline card. */
export const DECLINED = '005';

/** rcode of an expired card. */
export const EXPIRED_CARD = '054';

/** Declines that no retry can change: card retained, unknown account or issuer, lost, stolen, expired. */
const HARD_DECLINES: ReadonlySet<string> = new Set(['004', '007', '014', '015', '041', '043', EXPIRED_CARD]);

/**
 * Returns whether a declined recurring charge suspends its subscription immediately. Soft declines are retried
 * (service.md#subscriptions).
 */
export function isHardDecline(rcode: string): boolean {
  return HARD_DECLINES.has(rcode);
}
