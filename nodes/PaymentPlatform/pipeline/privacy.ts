/** A run of digits, possibly grouped by spaces, dots or dashes, as card and account numbers are written. */
const DIGIT_RUN = /\d(?:[ .-]?\d){6,}/g;

/**
 * Hides every digit run of 12 or more but for its last four digits: long enough to be a card number. Used for values
 * that a person typed, where shorter runs (phone numbers, dates) help to find the mistake.
 */
export function maskLongNumbers(text: string): string {
  return text.replace(DIGIT_RUN, (run) => (digitCount(run) >= 12 ? mask(run) : run));
}

/**
 * Hides every digit run of 7 or more, long enough to be an account number, and every `Basic`/`Bearer` token. Used for
 * words that come from outside and end in messages, logs or stored executions. Masked numbers (first digits, x, last
 * four) pass unchanged.
 */
export function scrub(text: string): string {
  return text.replace(/\b(Basic|Bearer)\s+[A-Za-z0-9+/=_-]+/gi, '$1 ***').replace(DIGIT_RUN, (run) => mask(run));
}

/** Hides every digit run that is a card number by length, first digit and check digit, but for its last four digits. */
export function maskCardNumbers(text: string): string {
  return text.replace(DIGIT_RUN, (run) => (isCardNumber(run.replace(/\D/g, '')) ? mask(run) : run));
}

function isCardNumber(digits: string): boolean {
  if (!/^[2-6]\d{11,18}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

const digitCount = (run: string) => run.replace(/\D/g, '').length;
const mask = (run: string) => `x${run.replace(/\D/g, '').slice(-4)}`;
