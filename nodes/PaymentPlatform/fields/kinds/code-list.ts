import type { TextFact } from '../../wire/facts';
import type { FieldOptions, ValueField } from '../types';
import { valueField } from '../value';

/** One code of a standard: three digits as the interface takes them, letters as people know them, and a name. */
interface Code {
  digits: string;
  letters: string;
  name: string;
}

/** The codes of a table such as `840 USD US Dollar; 978 EUR Euro`. */
export function codesOf(table: string): Code[] {
  return table.split(/;\s*/).map((entry) => {
    const [digits = '', letters = '', ...name] = entry.trim().split(/\s+/);
    return { digits, letters, name: name.join(' ') };
  });
}

/** How the editor offers each code. Made once for each table: many operations offer the same. */
const offered = new WeakMap<readonly Code[], Array<{ name: string; value: string }>>();

function optionsOf(codes: readonly Code[]) {
  const made =
    offered.get(codes) ??
    codes.map(({ digits, letters, name }) => ({ name: `${name} (${letters}, ${digits})`, value: digits }));
  offered.set(codes, made);
  return made;
}

const DIGITS = /^\d{3}$/;

/**
 * A code of three digits, picked by name. An expression may give its digits, its letters or its name, and digits that the
 * list does not have: the service decides which it takes.
 * @param codes see `codesOf`; the first is the default.
 * @param allowed what is said of anything else.
 */
export const codeField = (
  options: FieldOptions & Pick<TextFact, 'type' | 'pattern'>,
  codes: readonly Code[],
  allowed: string,
): ValueField =>
  valueField(
    options,
    { type: 'options', options: optionsOf(codes), default: options.default ?? codes[0]?.digits ?? '' },
    (value, problem) => {
      const wanted = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
      const word = wanted.toLowerCase();
      const known = codes.find(({ letters, name }) => letters.toLowerCase() === word || name.toLowerCase() === word);
      // No zeros are put in front: 84 may be 840 of which a digit is missing, and 084 is another currency.
      return known?.digits ?? (DIGITS.test(wanted) ? wanted : problem(allowed));
    },
  );
