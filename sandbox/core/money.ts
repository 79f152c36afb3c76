/**
 * Maximum absolute amount in the interface. The interface uses JSON numbers (openapi.yaml#Amount), and the sandbox uses
 * integer cents for exact sums.
 */

const LARGEST_AMOUNT = 9_999_999_999.99;

/**
 * Converts a received amount to cents.
 * @returns `undefined` if the amount isn't finite, or has more than two decimals or more than twelve digits. For
 *   example, 0.30000000000000004 is invalid, because the sandbox doesn't round amounts.
 */
export function toCents(amount: number): number | undefined {
  if (!Number.isFinite(amount) || Math.abs(amount) > LARGEST_AMOUNT) return undefined;
  return Number(amount.toFixed(2)) === amount ? Math.round(amount * 100) : undefined;
}

/** Converts cents to an amount in the interface's format. */
export function toAmount(cents: number): number {
  return cents / 100;
}

/** Multiplies cents by a quantity or rate. Rounds half a cent up to a whole cent. */
export function multiplyCents(cents: number, factor: number): number {
  const product = cents * factor;
  // Adds a small fraction, because binary floating point represents 1.005 * 100 as 100.49999999999999. The fraction is
  // too small to change any other amount.
  return Math.round(product + Math.sign(product) * 1e-7);
}

/** Formats cents as a decimal amount, for example "12.50". */
export function formatCents(cents: number): string {
  return (cents / 100).toFixed(2);
}
