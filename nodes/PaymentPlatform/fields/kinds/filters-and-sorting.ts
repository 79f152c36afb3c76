import type { IDataObject } from 'n8n-workflow';

import { asText, textsIn } from '../../shared/objects';
import { choice } from './choice';
import { daysField, daysFilter, isDays, type DayFilter } from './days';
import { filterValue, type KnownField } from './filter-value';
import { group } from './group';
import { composite } from './composite';
import { hasTwoReadings, whatToType } from '../detect-mistyped';
import { openChoice } from './open-choice';
import { section } from './section';
import type { ChoiceFact, TextFact, ValuesFact } from '../../wire/facts';
import type { Field, Problem } from '../types';
import { describe } from '../value';

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
