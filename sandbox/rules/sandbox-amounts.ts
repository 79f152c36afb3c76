/** Codes of the issuer table that stand for an approval (service.md#codes). */
const APPROVALS: ReadonlySet<string> = new Set(['000', '008', '010', '011', '085']);

/** The rcode of a sale of this amount: amounts below 1.00 name it by their cents, all others are approved. */
export function sandboxAmountCode(amountCents: number): string {
  return amountCents < 100 ? `0${String(amountCents).padStart(2, '0')}` : '000';
}

export function isApprovedBySandboxAmount(rcode: string): boolean {
  return APPROVALS.has(rcode);
}

/** What the sandbox's decline card is declined with. */
export const DECLINED = '005';

/** What a card past its expiration date is declined with. */
export const EXPIRED_CARD = '054';

/** Declines that no further try can change: card to be kept, no such account or issuer, lost, stolen, expired. */
const HARD_DECLINES: ReadonlySet<string> = new Set(['004', '007', '014', '015', '041', '043', EXPIRED_CARD]);

/**
 * Whether a declined recurring charge suspends its subscription at once; a soft one is tried again
 * (service.md#subscriptions).
 */
export function isHardDecline(rcode: string): boolean {
  return HARD_DECLINES.has(rcode);
}
