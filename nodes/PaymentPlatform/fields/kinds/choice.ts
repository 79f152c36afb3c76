import type { Convert, FieldOptions, ValueField } from '../types';
import { valueField } from '../value';

/** A value as one word; a list or an object is none, even if only one word stands in it. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value).trim() : '';

const yesOrNo: Convert = (value, problem) => {
  if (typeof value === 'boolean') return value;
  const word = wordOf(value).toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return true;
  if (['false', 'no', '0'].includes(word)) return false;
  return problem('must be true or false');
};

/** Yes or no. Text and numbers from expressions are understood: "true", "no", 1. */
export const boolean = (options: FieldOptions & { type?: 'boolean' }): ValueField =>
  valueField(options, { type: 'boolean', default: options.default ?? false }, yesOrNo);

/** Yes, no, or neither: for a change of a record, where a switch that nobody touched must send nothing. */
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
  /** The values that the interface takes. */
  values?: readonly Value[];
  /** What a person reads of each value, in the order of the editor. */
  options: Array<{ name: string; value: NoInfer<Value>; description?: string }>;
  /** What the editor calls it when nothing is chosen, which sends nothing; it is the default then. */
  unset?: string;
  /** Says why a value that a person might try is not among the options. */
  refused?: Record<string, string>;
}

/** One of a fixed set. An expression may give the value or its name; neither depends on upper or lower case. */
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
