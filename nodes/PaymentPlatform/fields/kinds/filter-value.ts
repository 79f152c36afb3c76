import { asText } from '../../shared/objects';
import type { Pattern } from '../../wire/patterns';
import { composite } from './composite';
import { text, checkText } from './text';
import type { ConditionalField, Field, FieldOptions, ValueField } from '../types';
import { valueField } from '../value';
import { when } from './when';

/** A value that a field of a record can have, in words. */
interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** A field of a record that is offered, with what a person reads. */
export interface KnownField<Name extends string = string> extends NamedValue {
  readonly value: Name;
  /** Its values, where they are a few that nobody knows by heart. */
  values?: readonly NamedValue[];
  /** A value for the example of a filter, where the field has no list of values. */
  example?: string;
}

const LIKE = { name: 'value', label: 'Value', required: true };

/** Not text of any length or sign: the service reads a bar as "or" (service.md#lists). */
const pattern: Pattern = { matches: /^[^|]+$/, allowed: 'must not contain a vertical bar (|)' };

/**
 * The value that a filter compares a field with: picked in words where the field has a few values, typed otherwise.
 * @param field the choice of the field, beside it.
 */
export function filterValue(field: Field, known: readonly KnownField[]): Field {
  const typed = text({
    ...LIKE,
    description:
      'Value to compare with, e.g. 12.50 for an amount or 2026-03-31 for a date. The value can\'t contain a vertical bar (|), which means "or" in the service.',
    pattern,
  });
  const picked = known.flatMap(({ value, values }) => (values ? [{ of: value, field: picking(values) }] : []));
  if (picked.length === 0) return typed;
  const inWords = picked.map(({ of }) => of);
  const all = [when(field, inWords, typed, { except: true }), ...picked.map((one) => when(field, [one.of], one.field))];
  const [{ value: first } = { value: '' }] = known;
  const isForNewRow = ({ values, except }: ConditionalField) => values.includes(first) !== except;
  // A new row gets the last default of a name (n8n.md#parameters), so the last is that of the field it starts with.
  const parts = [...all.filter((part) => !isForNewRow(part)), ...all.filter(isForNewRow)];
  return composite(typed, parts, ({ read, look }) => {
    const name = look(field);
    return read(picked.find(({ of }) => of === name)?.field ?? typed);
  });
}

/** A value by its name. An expression may give one that is not offered: there may be more than are known. */
function picking(values: readonly NamedValue[]): ValueField {
  const options: FieldOptions = {
    ...LIKE,
    description: 'Value to compare with. Expressions can return the name or the API value.',
  };
  const typed = checkText({ ...options, pattern });
  const look = { type: 'options' as const, options: [...values], default: values[0]?.value ?? '' };
  return valueField(options, look, (value, problem, context) => {
    const wanted = asText(value).trim();
    // The value itself as it is written: of one letter, the small and the capital one can differ in meaning.
    const named = values.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    return named?.value ?? typed(value, problem, context);
  });
}
