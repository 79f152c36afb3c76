import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { TextFact } from '../../wire/facts';
import type { Pattern } from '../../wire/patterns';
import { isRounded } from './number';
import type { Convert, FieldOptions, ValueField } from '../types';
import { valueField } from '../value';

const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value).trim() : '';

const yesOrNo: Convert = (value, problem) => {
  if (typeof value === 'boolean') return value;
  const word = wordOf(value).toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return true;
  if (['false', 'no', '0'].includes(word)) return false;
  return problem('must be true or false');
};

/** An expression can also return text or a number, such as "yes" or 1. */
export const boolean = (options: FieldOptions & { type?: 'boolean' }): ValueField =>
  valueField(options, { type: 'boolean', default: options.default ?? false }, yesOrNo);

export interface ChoiceOptions<Value extends string | number = string | number> extends FieldOptions {
  type?: 'choice';
  values?: readonly Value[];
  options: Array<{ name: string; value: NoInfer<Value>; description?: string }>;
  unset?: string;
  /** Error messages for unsupported values, which are the keys in uppercase. */
  refused?: Record<string, string>;
}

/** An expression can return a value or a label. */
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

/** The list of values may be incomplete. An expression can return any value that matches the pattern. */
export const openChoice = (
  options: Omit<ChoiceOptions, 'type' | 'options'> & { type?: 'text'; pattern: Pattern },
  look: Pick<INodeProperties, 'default'> & Pick<Partial<INodeProperties>, 'options' | 'typeOptions'>,
): ValueField =>
  valueField(options, { type: 'options', ...look }, (value, problem) => {
    const wanted = wordOf(value);
    return options.pattern.matches.test(wanted) && !isRounded(value) ? wanted : problem(options.pattern.allowed);
  });

interface Code {
  digits: string;
  letters: string;
  name: string;
}

/** Example: `840 USD US Dollar; 978 EUR Euro`. */
export function codesOf(table: string): Code[] {
  return table.split(/;\s*/).map((entry) => {
    const [digits = '', letters = '', ...name] = entry.trim().split(/\s+/);
    return { digits, letters, name: name.join(' ') };
  });
}

/** The editor loads the codes with `method`. */
export interface CodeList {
  method: string;
  codes: readonly Code[];
}

export const optionsOf = ({ codes }: CodeList): INodePropertyOptions[] =>
  codes.map(({ digits, letters, name }) => ({ name: `${name} (${letters}, ${digits})`, value: digits }));

const DIGITS = /^\d{3}$/;

/**
 * Accepts digits, letters or a name. Also accepts unknown numeric codes, because the service decides what is valid.
 * @param list codes in display order. The first code is the default.
 * @param allowed error message for an invalid value.
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
      // Never adds missing zeros: 84 could mean 084, or 840 without its last digit.
      return known?.digits ?? (DIGITS.test(wanted) ? wanted : problem(allowed));
    },
  );
