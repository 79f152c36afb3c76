/** Codes of the issuer table that stand for an approval (facts.md section 2, reference codes). */
const APPROVALS: ReadonlySet<string> = new Set(['000', '008', '010', '011', '085']);

/** The rcode of a sale of this amount: amounts below 1.00 name it by their cents, all others are approved. */
export function sandboxAmountCode(amountCents: number): string {
  return amountCents < 100 ? `0${String(amountCents).padStart(2, '0')}` : '000';
}

export function isApprovedBySandboxAmount(rcode: string): boolean {
  return APPROVALS.has(rcode);
}
