/**
 * The wire format uses JSON numbers for amounts (openapi.yaml#Amount). The sandbox uses integer cents, so that sums are
 * exact.
 */

const LARGEST_AMOUNT = 9_999_999_999.99;

/**
 * Converts a received amount into cents.
 * @returns the cents, or `undefined` if the number has more than two decimals, isn't finite or has more than
 * twelve digits. 0.30000000000000004 is invalid because the sandbox doesn't round amounts for its caller.
 */
export function toCents(amount: number): number | undefined {
  if (!Number.isFinite(amount) || Math.abs(amount) > LARGEST_AMOUNT) return undefined;
  return Number(amount.toFixed(2)) === amount ? Math.round(amount * 100) : undefined;
}

/** Converts cents into the amount to send. */
export function toAmount(cents: number): number {
  return cents / 100;
}

/** Multiplies cents by a quantity or rate and rounds half up to whole cents. */
export function multiplyCents(cents: number, factor: number): number {
  const product = cents * factor;
  // In binary, 1.005 * 100 is 100.49999999999999. The added fraction corrects this and is too small to change any other
  // amount.
  return Math.round(product + Math.sign(product) * 1e-7);
}

/** Formats an amount in cents, such as "12.50". */
export function formatCents(cents: number): string {
  return (cents / 100).toFixed(2);
}
