import { textsIn } from '../shared/objects';
import { composite } from './kinds/composite';
import { entries } from './kinds/multiple-values';
import type { Field, JoinedField } from './types';
import { describe, valueField } from './value';

/**
 * Field that selects other fields to be sent empty, which removes their values at the service. An empty parameter alone
 * sends nothing, because an expression can return nothing by mistake.
 * @param options.fields fields that may be emptied. They are declared beside this field, and a field can't be both
 * emptied and filled in.
 */
export function clearing(options: { name: string; label: string; description: string; fields: Field[] }): JoinedField {
  const { fields } = options;
  const names = fields.map(({ name }) => name);
  const list = valueField(
    { ...options, place: 'node' },
    { type: 'multiOptions', options: fields.map(({ name, label }) => ({ name: label, value: name })), default: [] },
    (value, problem) =>
      entries(value).flatMap((entry) => {
        const name = String(entry).trim();
        return names.includes(name)
          ? [name]
          : (problem(`may contain only these names: ${names.join(', ')}`, { found: describe(entry) }) ?? []);
      }),
  );
  return composite(
    list,
    [list],
    ({ read, look, problem }) => {
      const cleared = textsIn(read(list));
      for (const { name, label } of fields.filter((field) => cleared.includes(field.name) && look(field) !== undefined))
        problem({
          label: options.label,
          found: name,
          allowed: `can't clear "${label}", because this field also has a value`,
        });
      return Object.fromEntries(cleared.map((name) => [name, '']));
    },
    { spread: true },
  );
}
