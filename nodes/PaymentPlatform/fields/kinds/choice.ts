import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { TextFact } from '../../wire/facts';
import type { Pattern } from '../../wire/patterns';
import { isRounded } from './number';
import type { Convert, FieldOptions, ValueField } from '../types';
import { valueField } from '../value';

/** Returns a value as a single word. Lists and objects return empty text, even if they contain only one word. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value).trim() : '';

const yesOrNo: Convert = (value, problem) => {
  if (typeof value === 'boolean') return value;
  const word = wordOf(value).toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return true;
  if (['false', 'no', '0'].includes(word)) return false;
  return problem('must be true or false');
};

/** Switch with two states. Expressions can also return text and numbers: "true", "no", 1. */
export const boolean = (options: FieldOptions & { type?: 'boolean' }): ValueField =>
  valueField(options, { type: 'boolean', default: options.default ?? false }, yesOrNo);

/** Switch for an update with a third state, so that an untouched switch sends nothing. */
export const change = (options: FieldOptions & { type?: 'boolean' }): ValueField => {
  const states = [
    { name: 'Leave Unchanged', value: '' },
    { name: 'Off', value: false },
    { name: 'On', value: true },
  ];
  return valueField(options, { type: 'options', options: states, default: '' }, yesOrNo);
};

export interface ChoiceOptions<Value extends string | number = string | number> extends FieldOptions {
  type?: 'choice';
  /** Values that the interface accepts. */
  values?: readonly Value[];
  /** Labels of the values, in the order of the editor. */
  options: Array<{ name: string; value: NoInfer<Value>; description?: string }>;
  /** Label of an empty choice, which sends nothing and is the default. */
  unset?: string;
  /** Reasons why certain values are not available, for values that users may try. */
  refused?: Record<string, string>;
}

/** One of a fixed set of values. Expressions can return the value or its name, in any case. */
export function choice<Value extends string | number>(options: ChoiceOptions<Value>): ValueField {
  const { options: offered, unset, default: own = unset === undefined ? (offered[0]?.value ?? '') : '' } = options;
  const shown = unset === undefined ? offered : [{ name: unset, value: '' }, ...offered];
  return valueField(options, { type: 'options', options: shown, default: own }, (value, problem) => {
    const wanted = wordOf(value);
    const exact = offered.find((option) => String(option.value) === wanted);
    if (exact) return exact.value;
    const alike = offered.filter((option) =>
      [String(option.value), option.name].some((word) => word.toLowerCase() === wanted.toLowerCase()),
    );
    if (alike.length === 1 && alike[0]) return alike[0].value;
    const list = offered.map((option) => `${String(option.value)} (${option.name})`).join(', ');
    return problem(options.refused?.[wanted.toUpperCase()] ?? `must be one of: ${list}`);
  });
}

/**
 * One of the known values. Expressions can return other values that match the pattern, because the list may be
 * incomplete.
 */
export const openChoice = (
  options: Omit<ChoiceOptions, 'type' | 'options'> & { type?: 'text'; pattern: Pattern },
  look: Pick<INodeProperties, 'default'> & Pick<Partial<INodeProperties>, 'options' | 'typeOptions'>,
): ValueField =>
  valueField(options, { type: 'options', ...look }, (value, problem) => {
    const wanted = wordOf(value);
    return options.pattern.matches.test(wanted) && !isRounded(value) ? wanted : problem(options.pattern.allowed);
  });

/** Code of a standard: three digits for the interface, letters that users know, and a name. */
interface Code {
  digits: string;
  letters: string;
  name: string;
}

/** Parses a table such as `840 USD US Dollar; 978 EUR Euro`. */
export function codesOf(table: string): Code[] {
  return table.split(/;\s*/).map((entry) => {
    const [digits = '', letters = '', ...name] = entry.trim().split(/\s+/);
    return { digits, letters, name: name.join(' ') };
  });
}

/** Codes of a standard, and the method that loads them for the editor (`panel/load-options.ts`). */
export interface CodeList {
  method: string;
  codes: readonly Code[];
}

/** Returns the options that the editor shows for a list of codes. */
export const optionsOf = ({ codes }: CodeList): INodePropertyOptions[] =>
  codes.map(({ digits, letters, name }) => ({ name: `${name} (${letters}, ${digits})`, value: digits }));

const DIGITS = /^\d{3}$/;

/**
 * Code of three digits, selected by name. Expressions can return digits, letters or the name. Digits outside the list
 * are allowed, because the service decides which codes it accepts. The editor loads the list from the node, because n8n
 * would send lists in the description many times.
 * @param list the first code is the default.
 * @param allowed error message for any other value.
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
      // Missing zeros aren't added: 84 could be 840 without its last digit, and 084 is another currency.
      return known?.digits ?? (DIGITS.test(wanted) ? wanted : problem(allowed));
    },
  );
