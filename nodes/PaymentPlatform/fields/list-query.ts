import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { asText } from '../pipeline/objects';
import { choice } from './choice';
import { group } from './group';
import { openChoice } from './open-choice';
import { text } from './text';
import type { Field } from './types';

/** Conditions of the document and the reference (facts.md section 3); the list is not known to be complete. */
const CONDITIONS: INodePropertyOptions[] = [
  { name: 'Contains', value: 'CONTAINS' },
  { name: 'Is', value: 'IS' },
  { name: 'Is Greater Than', value: 'GREATER' },
  { name: 'Is Less Than', value: 'LESS' },
  { name: 'Is Not', value: 'IS_NOT' },
];

const fieldName = { matches: /^\w{1,64}$/, allowed: 'must be the name of a field of the record, e.g. customer_id' };

/** Filters of a list: each a field, a condition and a value; a record must match all of them (section 4). */
export const filters = (known: INodePropertyOptions[]): Field =>
  group({
    name: 'filter',
    label: 'Filters',
    description: 'Return only records that match all of these filters',
    place: 'query',
    list: true,
    itemLabel: 'Filter',
    topLevel: true,
    fields: [
      openChoice({
        name: 'field',
        label: 'Field',
        description: 'Field of the record to compare',
        required: true,
        options: known,
        otherLabel: 'Field Name',
        pattern: fieldName,
      }),
      openChoice({
        name: 'condition',
        label: 'Condition',
        description: 'How the field is compared with the value',
        required: true,
        default: 'IS',
        options: CONDITIONS,
        otherLabel: 'Condition Keyword',
        pattern: { matches: /^[A-Z_]{1,32}$/, allowed: 'must be a keyword in capital letters, e.g. GREATER' },
      }),
      text({
        name: 'value',
        label: 'Value',
        description: 'Value to compare with. A vertical bar (|) is not possible: the service reads it as "or".',
        required: true,
        pattern: { matches: /^[^|]+$/, allowed: 'must not contain a vertical bar (|)' },
      }),
    ],
    encode: (list) =>
      (list as IDataObject[]).map(({ field, condition, value }) =>
        [field, condition, value].map(asText).join(','),
      ) as unknown,
  });

/** The field to sort a list by. */
export const sortField = (known: INodePropertyOptions[]): Field =>
  openChoice({
    name: 'order_on',
    label: 'Sort By',
    description: 'Field to sort by',
    place: 'query',
    options: known,
    otherLabel: 'Sort By (Other Field)',
    pattern: fieldName,
  });

/** The direction in which a list is sorted. */
export const sortDirection = (): Field =>
  choice({
    name: 'order_by',
    label: 'Sort Direction',
    description: 'Whether the smallest or the largest value comes first',
    place: 'query',
    options: [
      { name: 'Ascending', value: 'asc' },
      { name: 'Descending', value: 'desc' },
    ],
  });
