// Written by hand, unlike the generated files of this folder.
/** The whole text must match. */
export interface Pattern {
  readonly matches: RegExp;
  readonly allowed: string;
  readonly inDescription?: string;
}

/** A field declaration can lower the maximum length. */
export interface DigitsPattern extends Pattern {
  readonly longest: number;
}

/** The arguments are numbers of digits. */
export const digits = (shortest: number, longest: number): DigitsPattern => ({
  longest,
  matches: new RegExp(`^\\d{${shortest},${longest}}$`),
  allowed:
    shortest === longest
      ? `must be exactly ${shortest} digits`
      : `must be ${shortest} to ${longest} digits, without spaces or dashes`,
});

/** Kept as text because a JavaScript number can't hold 18 digits exactly. */
export const recordNumber: Pattern = { matches: /^\d{1,18}$/, allowed: 'must contain only digits' };

export const alphanumeric = (longest: number): Pattern => ({
  matches: new RegExp(`^[A-Za-z0-9]{1,${longest}}$`),
  allowed:
    longest === 1
      ? 'must be one letter or digit'
      : `must be at most ${longest} letters and digits, without spaces or other characters`,
  inDescription: longest === 1 ? 'One letter or digit' : `At most ${longest} letters and digits`,
});

/** Expiration date as MMYY. */
export const monthAndYear: Pattern = {
  matches: /^(0[1-9]|1[0-2])\d\d$/,
  allowed: 'must be four digits MMYY with a month from 01 to 12, e.g. 0929 for September 2029',
};
