import type { IDataObject } from 'n8n-workflow';
import { asText, textsIn } from '../../shared/objects';
import type { ChoiceFact, TextFact, ValuesFact } from '../../wire/facts';
import type { Pattern } from '../../wire/patterns';
import { hasTwoReadings, whatToType } from '../detect-mistyped';
import type { ConditionalField, Field, FieldOptions, Problem, ValueField } from '../types';
import { describe, valueField } from '../value';
import { choice, openChoice } from './choice';
import { composite } from './composite';
import { type DayFilter, daysField, daysFilter, isDays } from './days';
import { group, section } from './group';
import { checkText, text } from './text';
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

/** Conditions that are known (service.md#lists); there may be more. */
const CONDITIONS: KnownField[] = [
  { name: 'Contains', value: 'CONTAINS' },
  { name: 'Is', value: 'IS' },
  { name: 'Is Greater Than', value: 'GREATER' },
  { name: 'Is Less Than', value: 'LESS' },
  { name: 'Is Not', value: 'IS_NOT' },
];

const fieldName = { matches: /^\w{1,64}$/, allowed: 'must be the name of a field of the record, e.g. customer_id' };

/** With any number of decimals: a bound is no amount that moves. */
const PLAIN = /^[+-]?\d+(\.\d+)?$/;
/** Conditions that compare amounts as numbers; what others do with a value is not known. */
const COMPARING: unknown[] = ['IS', 'IS_NOT', 'GREATER', 'LESS'];

/** An amount that the service would read as another one, or as two values: the parts of a filter stand between commas. */
function amountProblems({ field, condition, value }: IDataObject, amounts: readonly string[]): Problem[] {
  const isAmount = amounts.some((name) => name === field) && COMPARING.includes(condition);
  if (!isAmount || typeof value !== 'string') return [];
  if (PLAIN.test(value) && !hasTwoReadings(value, 2)) return [];
  const meant = whatToType(value, { fits: (plain) => PLAIN.test(plain), decimals: 2, money: true });
  const usual = 'must be a number, e.g. 12.50, without currency sign or thousands separator';
  return [{ label: 'Value', found: describe(value), allowed: meant ?? usual }];
}

/** Only what a person reads: the values of a field are offered elsewhere. */
const namesOf = (known: KnownField[]) => known.map(({ name, value }) => ({ name, value }));

/** A filter that finds something, for the example of the JSON. */
function exampleFor(known: KnownField[]) {
  const [shown] = known.flatMap(({ value: field, values: [{ value } = { value: undefined }] = [], example = value }) =>
    example === undefined ? [] : [{ field, condition: 'IS', value: example }],
  );
  return shown && { example: shown };
}

function filterGroup(fact: ValuesFact, known: KnownField[]): Field {
  const field = openChoice({
    name: 'field',
    label: 'Field',
    description: 'Field to compare',
    required: true,
    options: namesOf(known),
    otherLabel: 'Field Name',
    pattern: fieldName,
  });
  return group({
    ...fact,
    type: 'list',
    label: 'Filters',
    description: 'Return only records that match all of these filters',
    itemLabel: 'Filter',
    topLevel: true,
    fields: [
      field,
      openChoice({
        name: 'condition',
        label: 'Condition',
        description: 'Comparison between the field and the value',
        required: true,
        default: 'IS',
        options: CONDITIONS,
        otherLabel: 'Condition Keyword',
        pattern: { matches: /^[A-Z_]{1,32}$/, allowed: 'must be a keyword in capital letters, e.g. GREATER' },
      }),
      filterValue(field, known),
    ],
    ...exampleFor(known),
    rule: (filter) => amountProblems(filter, fact.amounts ?? []),
    encode: (list) =>
      [list].flat().map(({ field, condition, value }) => [field, condition, value].map(asText).join(',')),
  });
}

/**
 * Filters of a list: each a field, a condition and a value; a record must match all of them (service.md#lists).
 * @param dates the days that a person names beside them (`daysField`) are asked for as well.
 */
export function filters(fact: ValuesFact, known: KnownField[], dates?: DayFilter): Field {
  const all = filterGroup(fact, known);
  if (!dates) return all;
  const named = daysField(dates);
  return composite(all, [all], ({ read, look }) => {
    const days = look(named);
    const list = [...(isDays(days) ? daysFilter(days, dates.field) : []), ...textsIn(read(all))];
    return list.length > 0 ? list : undefined;
  });
}

/** What the interface takes to sort a list. */
interface SortFacts {
  order_on: TextFact;
  order_by: ChoiceFact<'asc' | 'desc'>;
}

/** How a list is sorted, in a collection of its own: by which field, and in which direction. */
export const sorting = (query: SortFacts, known: KnownField[]): Field =>
  section({
    name: 'sorting',
    label: 'Sorting',
    add: 'Add Sorting',
    place: 'query',
    fields: [
      openChoice({
        ...query.order_on,
        label: 'Sort By',
        description: 'Field to sort by',
        options: namesOf(known),
        otherLabel: 'Sort By (Other Field)',
        pattern: fieldName,
      }),
      choice({
        ...query.order_by,
        label: 'Sort Direction',
        description: 'Order of the results',
        options: [
          { name: 'Ascending', value: 'asc' },
          { name: 'Descending', value: 'desc' },
        ],
      }),
    ],
  });
