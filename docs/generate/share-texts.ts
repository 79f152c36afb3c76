/** Minimum length of a value that becomes a constant. Shorter values are repeated. */
const SHORTEST = 20;

interface Shared {
  /** Names and code of the constants. */
  constants: Array<[string, string]>;
  /** Returns a constant's name, or the code of a value without a constant. */
  write: (code: string) => string;
}

/**
 * Hoists values that occur more than once in a generated file into constants.
 * @param values pairs of a name for a constant and the code of a value. A constant gets the first name of its value,
 * with a number if another value has the same name.
 */
export function shareTexts(values: Array<[string, string]>): Shared {
  const first = new Map<string, string>();
  const repeated = new Map<string, string>();
  const named = new Map<string, number>();
  for (const [name, code] of values) {
    const earlier = first.get(code);
    if (earlier === undefined) first.set(code, name);
    else if (code.length >= SHORTEST && !repeated.has(code)) {
      const count = (named.get(earlier) ?? 0) + 1;
      named.set(earlier, count);
      repeated.set(code, count === 1 ? earlier : `${earlier}_${count}`);
    }
  }
  return { constants: [...repeated].map(([code, name]) => [name, code]), write: (code) => repeated.get(code) ?? code };
}

/** Returns the code of constants. */
export const constantsText = (constants: Shared['constants']): string =>
  constants.map(([name, code]) => `const ${name} = ${code};\n`).join('');
