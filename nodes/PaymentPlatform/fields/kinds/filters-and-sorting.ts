import type { IDataObject } from 'n8n-workflow';
import { asText, textsIn } from '../../shared/objects';
import type { ChoiceFact, TextFact, ValuesFact } from '../../wire/facts';
import { FIELDS } from '../../wire/kinds-of-fields';
import type { Pattern } from '../../wire/patterns';
import { hasTwoReadings } from './number';
import { whatToType } from '../detect-mistyped';
import type { ConditionalField, Field, FieldOptions, Problem, ValueField } from '../types';
import { describe, valueField } from '../value';
import { choice, openChoice } from './choice';
import { composite } from './composite';
import { instant, now, suggestDay } from './date';
import { type DayFilter, daysField, daysFilter, isDays } from './days';
import { group, section } from './group';
import { checkText, text } from './text';
import { when } from './when';

interface NamedValue {
  readonly name: string;
  readonly value: string;
  /** Some options, such as Overdue, also require a past date. */
  readonly whenPast?: string;
}

/** Record field that users can select. */
export interface KnownField<Name extends string = string> extends NamedValue {
  readonly value: Name;
  values?: readonly NamedValue[];
  example?: string;
}

const LIKE = { name: 'value', label: 'Value', required: true };

/** The service interprets a vertical bar as "or" (service.md#lists). */
const pattern: Pattern = { matches: /^[^|]+$/, allowed: 'must not contain a vertical bar (|)' };

/** Without known values, users enter text. */
function filterValue(field: Field, known: readonly KnownField[]): Field {
  const typed = text({
    ...LIKE,
    description: 'Value to compare with, e.g. 12.50 or 2026-03-31',
    pattern,
  });
  const picked = known.flatMap(({ value, values }) => (values ? [{ of: value, field: picking(values) }] : []));
  if (picked.length === 0) return typed;
  const inWords = picked.map(({ of }) => of);
  const all = [when(field, inWords, typed, { except: true }), ...picked.map((one) => when(field, [one.of], one.field))];
  const first = fieldOfNewFilter(known)?.value ?? '';
  const isForNewRow = ({ values, except }: ConditionalField) => values.includes(first) !== except;
  // If parameters share a name, n8n fills a new filter with the last one's default (n8n.md#parameters).
  const parts = [...all.filter((part) => !isForNewRow(part)), ...all.filter(isForNewRow)];
  return composite(typed, parts, ({ read, look }) => {
    const name = look(field);
    return read(picked.find(({ of }) => of === name)?.field ?? typed);
  });
}

const fieldOfNewFilter = (known: readonly KnownField[]): KnownField | undefined =>
  known.find(({ values }) => values !== undefined) ?? known[0];

/** Allows other values from expressions, because the list may be incomplete. */
function picking(values: readonly NamedValue[]): ValueField {
  const options: FieldOptions = {
    ...LIKE,
    description: 'Value to compare with, as a name or code',
  };
  const typed = checkText({ ...options, pattern });
  const look = {
    type: 'options' as const,
    options: values.map(({ name, value }) => ({ name, value })),
    default: values[0]?.value ?? '',
  };
  return valueField(options, look, (value, problem, context) => {
    const wanted = asText(value).trim();
    // The service may distinguish uppercase from lowercase.
    const named = values.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    return named?.value ?? typed(value, problem, context);
  });
}

/** Known filter conditions (service.md#lists). The service may support more. */
const CONDITIONS: KnownField[] = [
  { name: 'Contains', value: 'CONTAINS' },
  { name: 'Is', value: 'IS' },
  { name: 'Is Greater Than', value: 'GREATER' },
  { name: 'Is Less Than', value: 'LESS' },
  { name: 'Is Not', value: 'IS_NOT' },
];

const fieldName = { matches: /^\w{1,64}$/, allowed: 'must be the name of a field of the record, e.g. customer_id' };

/** Accepts any number of decimals, because a filter moves no money. */
const PLAIN = /^[+-]?\d+(\.\d+)?$/;
/** Conditions that compare a whole value. */
const COMPARING: unknown[] = ['IS', 'IS_NOT', 'GREATER', 'LESS'];

/** The service would read an amount with a comma as two values. */
function amountProblems({ field, condition, value }: IDataObject, amounts: readonly string[]): Problem[] {
  const isAmount = amounts.some((name) => name === field) && COMPARING.includes(condition);
  if (!isAmount || typeof value !== 'string') return [];
  if (PLAIN.test(value) && !hasTwoReadings(value, 2)) return [];
  const meant = whatToType(value, { fits: (plain) => PLAIN.test(plain), decimals: 2, money: true });
  const usual = 'must be a number, e.g. 12.50, without a currency symbol or thousands separator';
  return [{ label: 'Value', found: describe(value), allowed: meant ?? usual }];
}

const DATES: ReadonlySet<string> = new Set([...FIELDS.day, ...FIELDS.instant, ...FIELDS.pacificInstant]);
/** Matches a time as in `verified_date` (service.md#values). */
const COMPACT = /^(\d{8})(\d{6})$/;

/** The service would compare other text as text, so the list could be empty or lack records. */
function dateProblems({ field, condition, value }: IDataObject): Problem[] {
  const isDate = DATES.has(asText(field)) && COMPARING.includes(condition);
  if (!isDate || typeof value !== 'string' || instant(value.replace(COMPACT, '$1T$2'), 'utc')) return [];
  return [{ label: 'Value', found: describe(value), allowed: suggestDay(value) ?? 'must be a date, e.g. 2026-03-31' }];
}

/** The node loads the record fields, so that its description doesn't repeat them for each list. */
const recordFields = { typeOptions: { loadOptionsMethod: 'getRecordFields' } };

function exampleFor(known: KnownField[]) {
  const [shown] = known.flatMap(({ value: field, values: [{ value } = { value: undefined }] = [], example = value }) =>
    example === undefined ? [] : [{ field, condition: 'IS', value: example }],
  );
  return shown && { example: shown };
}

function filterGroup(fact: ValuesFact, known: KnownField[]): Field {
  const field = openChoice(
    { name: 'field', label: 'Field', description: 'Field to compare', required: true, pattern: fieldName },
    { ...recordFields, default: fieldOfNewFilter(known)?.value ?? '' },
  );
  return group({
    ...fact,
    type: 'list',
    label: 'Filters',
    description: 'Return only records that match all filters',
    itemLabel: 'Filter',
    topLevel: true,
    fields: [
      field,
      openChoice(
        {
          name: 'condition',
          label: 'Condition',
          description: 'Type of comparison',
          required: true,
          pattern: { matches: /^[A-Z_]{1,32}$/, allowed: 'must be a keyword in capital letters, e.g. GREATER' },
        },
        { options: CONDITIONS, default: 'IS' },
      ),
      filterValue(field, known),
    ],
    ...exampleFor(known),
    rule: (filter) => [
      ...amountProblems(filter, fact.amounts ?? []),
      ...dateProblems(filter),
      ...pastProblems(filter, pastFilters(known)),
    ],
    encode: (list) =>
      [list].flat().map(({ field, condition, value }) => [field, condition, value].map(asText).join(',')),
  });
}

/** Maps filters such as Overdue to the filters that the node sends. */
const pastFilters = (known: readonly KnownField[]): Map<string, string> =>
  new Map(
    known.flatMap(({ value: field, values = [] }) =>
      values.flatMap(({ value, whenPast }): Array<[string, string]> =>
        whenPast === undefined ? [] : [[`${field},IS,${value}`, `${field},IS,${whenPast}`]],
      ),
    ),
  );

function pastProblems({ field, condition, value }: IDataObject, past: Map<string, string>): Problem[] {
  if (condition === 'IS' || !past.has(`${asText(field)},IS,${asText(value)}`)) return [];
  return [{ label: 'Condition', found: describe(condition), allowed: `must be "Is" for the value ${asText(value)}` }];
}

/** A record must match all filters (service.md#lists). */
export const filters = (fact: ValuesFact, known: KnownField[], dates?: DayFilter): Field =>
  dates ? daysAndFilters(fact, known, dates)[1] : filterGroup(fact, known);

/** Returns the period and the filters of a list. Options such as Overdue also limit the period to past days. */
export function daysAndFilters(fact: ValuesFact, known: KnownField[], dates: DayFilter): [Field, Field] {
  const all = filterGroup(fact, known);
  const past = pastFilters(known);
  const entered = daysField(dates);
  const days = composite(entered, [entered], ({ read, look, timezone: zone }) => {
    const given = read(entered);
    if (!textsIn(look(all)).some((filter) => past.has(filter))) return given;
    const { first, last } = isDays(given) ? given : {};
    const yesterday = now(zone).minus({ days: 1 }).toFormat('yyyy-MM-dd');
    return {
      ...(first !== undefined && { first }),
      last: last !== undefined && last < yesterday ? last : yesterday,
      zone,
    };
  });
  const sent = composite(all, [all], ({ read, look }) => {
    const chosen = look(days);
    const given = textsIn(read(all)).map((filter) => past.get(filter) ?? filter);
    const list = [...(isDays(chosen) ? daysFilter(chosen, dates.field) : []), ...given];
    return list.length > 0 ? list : undefined;
  });
  return [past.size > 0 ? days : entered, sent];
}

export interface SortFacts {
  order_on: TextFact;
  order_by: ChoiceFact<'asc' | 'desc'>;
}

export const sorting = (query: SortFacts): Field =>
  section({
    name: 'sorting',
    label: 'Sorting',
    add: 'Add Sorting',
    place: 'query',
    fields: [
      openChoice(
        { ...query.order_on, label: 'Sort By', description: 'Field to sort by', pattern: fieldName },
        { ...recordFields, default: '' },
      ),
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
