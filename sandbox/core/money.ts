/** Amounts are JSON numbers on the wire (openapi.yaml#Amount) and integer cents inside, so that sums are exact. */

const LARGEST_AMOUNT = 9_999_999_999.99;

/**
 * Converts an amount as received into cents.
 * @returns the cents, or `undefined` when the number has more than two decimals, is not finite, or has more than
 * twelve digits. 0.30000000000000004 has more than two decimals: the sandbox does not round for its caller.
 */
export function toCents(amount: number): number | undefined {
  if (!Number.isFinite(amount) || Math.abs(amount) > LARGEST_AMOUNT) return undefined;
  return Number(amount.toFixed(2)) === amount ? Math.round(amount * 100) : undefined;
}

/** Converts cents into the amount that is sent. */
export function toAmount(cents: number): number {
  return cents / 100;
}

/** Multiplies cents by a factor (a quantity, a rate) and rounds half up to whole cents. */
export function multiplyCents(cents: number, factor: number): number {
  const product = cents * factor;
  // 1.005 * 100 is 100.49999999999999 in binary: shift by far less than any amount can mean before rounding.
  return Math.round(product + Math.sign(product) * 1e-7);
}

/** Text of an amount for people, such as "12.50". */
export function formatCents(cents: number): string {
  return (cents / 100).toFixed(2);
}
