/** Maximum absolute amount (openapi.yaml#Amount). */

const LARGEST_AMOUNT = 9_999_999_999.99;

/**
 * Converts an amount to integer cents.
 * @returns `undefined` unless the amount is finite and has at most two decimals and twelve digits.
 */
export function toCents(amount: number): number | undefined {
  if (!Number.isFinite(amount) || Math.abs(amount) > LARGEST_AMOUNT) return undefined;
  return Number(amount.toFixed(2)) === amount ? Math.round(amount * 100) : undefined;
}

/** Converts integer cents to an amount. */
export function toAmount(cents: number): number {
  return cents / 100;
}

/** Multiplies cents by a quantity or rate. Rounds half a cent away from zero. */
export function multiplyCents(cents: number, factor: number): number {
  const product = cents * factor;
  // Adds a tiny fraction, because binary floating point represents 1.005 * 100 as 100.49999999999999.
  return Math.round(product + Math.sign(product) * 1e-7);
}

/** Formats cents as a decimal amount, for example "12.50". */
export function formatCents(cents: number): string {
  return (cents / 100).toFixed(2);
}
