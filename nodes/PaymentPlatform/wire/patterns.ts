/** Pattern that the whole text must match, and its error message. */
export interface Pattern {
  readonly matches: RegExp;
  readonly allowed: string;
  /** Sentence for the field's description, for texts that users choose. */
  readonly inDescription?: string;
}

/** Pattern for a limited number of digits. A declaration can narrow the limit. */
export interface DigitsPattern extends Pattern {
  readonly longest: number;
}

/** Returns a pattern for digits only, with a length in characters. */
export const digits = (shortest: number, longest: number): DigitsPattern => ({
  longest,
  matches: new RegExp(`^\\d{${shortest},${longest}}$`),
  allowed:
    shortest === longest
      ? `must be exactly ${shortest} digits`
      : `must be ${shortest} to ${longest} digits, without spaces or dashes`,
});

/** ID of a record in a path: a 64-bit whole number. Handled as text, so that every digit stays exact. */
export const recordNumber: Pattern = { matches: /^\d{1,18}$/, allowed: 'must be digits only' };

/** Returns a pattern for letters and digits, with a maximum length in characters. */
export const alphanumeric = (longest: number): Pattern => ({
  matches: new RegExp(`^[A-Za-z0-9]{1,${longest}}$`),
  allowed:
    longest === 1
      ? 'must be one letter or digit'
      : `must be at most ${longest} letters and digits, without spaces or other characters`,
  inDescription: longest === 1 ? 'One letter or digit' : `At most ${longest} letters and digits`,
});

/** Pattern for MMYY with a real month. */
export const monthAndYear: Pattern = {
  matches: /^(0[1-9]|1[0-2])\d\d$/,
  allowed: 'must be four digits MMYY with a month from 01 to 12, e.g. 0929 for September 2029',
};
