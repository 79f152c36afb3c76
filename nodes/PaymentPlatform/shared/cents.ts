/** Whole cents, so that sums are exact. */
export const toCents = (amount: number) => Math.round(amount * 100);
