/** What a whole text must look like, and how a person is told. */
export interface Pattern {
  readonly matches: RegExp;
  readonly allowed: string;
  /** What the description of a field says of it, where a person makes such a text up. */
  readonly inDescription?: string;
}

/** Digits of a bounded number, which a declaration may narrow. */
export interface DigitsPattern extends Pattern {
  readonly longest: number;
}

/** Pattern: only digits, with a length in characters. */
export const digits = (shortest: number, longest: number): DigitsPattern => ({
  longest,
  matches: new RegExp(`^\\d{${shortest},${longest}}$`),
  allowed:
    shortest === longest
      ? `must be exactly ${shortest} digits`
      : `must be ${shortest} to ${longest} digits, without spaces or dashes`,
});

/** The ID of a record in a path: a whole number of 64 bits, all digits of which stay exact as text. */
export const recordNumber: Pattern = { matches: /^\d{1,18}$/, allowed: 'must be digits only' };

/** Pattern: letters and digits, with a greatest length in characters. */
export const alphanumeric = (longest: number): Pattern => ({
  matches: new RegExp(`^[A-Za-z0-9]{1,${longest}}$`),
  allowed: `must be at most ${longest} letters and digits, without spaces or other characters`,
  inDescription: `At most ${longest} letters and digits`,
});

/** Pattern: MMYY with a real month. */
export const monthAndYear: Pattern = {
  matches: /^(0[1-9]|1[0-2])\d\d$/,
  allowed: 'must be four digits MMYY with a month from 01 to 12, e.g. 0929 for September 2029',
};
