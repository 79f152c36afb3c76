const SHORTEST = 8;
const LONGEST_AT_HOME = 10;

/** Returns whether a phone number starts with + or 00, or has too many digits for a national number. */
export function hasPrefix(phone: string): boolean {
  const bare = phone.replace(/[\s().\-/]/g, '');
  const digits = bare.replace(/^(\+|00)/, '');
  if (!/^\d{8,15}$/.test(digits)) return false;
  return bare !== digits || digits.length > LONGEST_AT_HOME;
}

/** Returns whether a numeric phone number may have a country prefix. Ten digits are ambiguous. */
export const mayHavePrefix = (phone: number): boolean => {
  const { length } = String(phone);
  return length >= SHORTEST && length <= 15;
};
