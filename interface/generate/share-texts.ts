const SHORTEST = 20;

interface Shared {
  constants: Array<[string, string]>;
  write: (code: string) => string;
}

/**
 * Replaces repeated values in a generated file with constants.
 * @param values pairs of a suggested constant name and the value's code.
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

export const constantsText = (constants: Shared['constants']): string =>
  constants.map(([name, code]) => `const ${name} = ${code};\n`).join('');
