import type { INodePropertyOptions } from 'n8n-workflow';

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

/** The codes of one standard, and the method by which the editor asks for them (`panel/load-options.ts`). */
export interface CodeList {
  method: string;
  codes: readonly Code[];
}

/** Returns the options that the editor shows for a list of codes. */
export const optionsOf = ({ codes }: CodeList): INodePropertyOptions[] =>
  codes.map(({ digits, letters, name }) => ({ name: `${name} (${letters}, ${digits})`, value: digits }));

const DIGITS = /^\d{3}$/;

/**
 * A code of three digits, picked by name. An expression may give its digits, its letters or its name, and digits that the
 * list does not have, because the service decides which codes it takes. The editor asks the node for the list: with the
 * lists in the description, n8n would send each of them to the editor many times.
 * @param list its first code is the default.
 * @param allowed what the error message says of any other value.
 */
export const codeField = (
  options: FieldOptions & Pick<TextFact, 'type' | 'pattern'>,
  { method, codes }: CodeList,
  allowed: string,
): ValueField =>
  valueField(
    options,
    { type: 'options', typeOptions: { loadOptionsMethod: method }, default: options.default ?? codes[0]?.digits ?? '' },
    (value, problem) => {
      const wanted = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
      const word = wanted.toLowerCase();
      const known = codes.find(({ letters, name }) => letters.toLowerCase() === word || name.toLowerCase() === word);
      // No zeros are put in front: 84 may be 840 of which a digit is missing, and 084 is another currency.
      return known?.digits ?? (DIGITS.test(wanted) ? wanted : problem(allowed));
    },
  );
