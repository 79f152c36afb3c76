/** The shortest number with a country prefix, and the longest one within a country. */
const SHORTEST = 8;
const LONGEST_AT_HOME = 10;

/** Whether a phone number as text has its country prefix: it says so by a plus sign or 00, or is too long to be without. */
export function hasPrefix(phone: string): boolean {
  const bare = phone.replace(/[\s().\-/]/g, '');
  const digits = bare.replace(/^(\+|00)/, '');
  if (!/^\d{8,15}$/.test(digits)) return false;
  return bare !== digits || digits.length > LONGEST_AT_HOME;
}

/** Whether a phone number as an integer can have one. Of ten digits nobody can tell, so they are taken. */
export const mayHavePrefix = (phone: number): boolean => {
  const { length } = String(phone);
  return length >= SHORTEST && length <= 15;
};
