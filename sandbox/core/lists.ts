import { DateTime } from 'luxon';

import { invalidFields } from './refusals';

/** Maximum number of records in one response (service.md#lists). */
export const LARGEST_PAGE = 100;

const CONDITIONS = ['IS', 'IS_NOT', 'CONTAINS', 'GREATER', 'LESS'] as const;
type Condition = (typeof CONDITIONS)[number];

export interface ListQuery {
  order_on?: string;
  order_by?: 'asc' | 'desc';
  filter?: string | string[];
  count?: number;
  page?: number;
}

export interface ListRules {
  fields: readonly string[];
  order_on: string;
  order_by: 'asc' | 'desc';
}

export interface ListPage<Item> {
  totalPages: number;
  totalRecords: number;
  data: Item[];
}

interface Comparison {
  field: string;
  condition: Condition;
  value: string;
}

/**
 * Filters, sorts and paginates records (service.md#lists).
 * @throws PlatformRefusal with code 2 for a malformed filter or an unknown field.
 */
export function listPage<Item extends object>(
  records: readonly Item[],
  query: ListQuery,
  rules: ListRules,
): ListPage<Item> {
  const filters = [query.filter ?? []].flat().map((filter) => readFilter(filter, rules));
  const order_on = query.order_on ?? rules.order_on;
  requireField('order_on', order_on, rules);
  const direction = (query.order_by ?? rules.order_by) === 'asc' ? 1 : -1;
  const matching = records
    .filter((record) => filters.every((alternatives) => alternatives.some((comparison) => matches(record, comparison))))
    .map((record, index) => ({ record, index }))
    .sort((a, b) => direction * compare(read(a.record, order_on), read(b.record, order_on)) || a.index - b.index)
    .map(({ record }) => record);
  const count = query.count ?? LARGEST_PAGE;
  const page = query.page ?? 0;
  return {
    totalPages: Math.ceil(matching.length / count),
    totalRecords: matching.length,
    data: matching.slice(page * count, (page + 1) * count),
  };
}

interface ListCall {
  query: ListQuery | undefined;
  recordFields: readonly string[];
}

/** Builds the response to a list operation (service.md#lists). */
export const listAnswer = <Item extends object>(
  records: readonly Item[],
  { query = {}, recordFields: fields }: ListCall,
  order_on: string,
  order_by: ListRules['order_by'] = 'desc',
) => ({ code: 0, message: 'Success', ...listPage(records, query, { fields, order_on, order_by }) });

/** Builds a report, latest record first. For exactly one record, `data` is an object instead of an array. */
export function reportAnswer<Item extends object>(records: readonly Item[], call: ListCall, order_on: string) {
  const answer = listAnswer(records, call, order_on);
  const [first] = answer.data;
  return { ...answer, data: answer.totalRecords === 1 && first ? first : answer.data };
}

/** Builds a list that the service returns in one page. */
export function wholeList<Item>(data: Item[]) {
  const totalRecords = data.length;
  return { code: 0, message: 'Success', totalPages: Math.min(totalRecords, 1), totalRecords, data };
}

/** Parses a filter `field,CONDITION,value`. `|` separates alternatives. */
function readFilter(filter: string, rules: ListRules): Comparison[] {
  return filter.split(/\|(?=[A-Za-z0-9_]+,[A-Za-z_]+,)/).map((triple) => {
    const [, field, keyword, value] = /^([^,]+),([^,]+),(.*)$/s.exec(triple) ?? [];
    if (field === undefined || keyword === undefined || value === undefined)
      throw invalidFields({ filter: 'must be field,CONDITION,value' });
    const condition = CONDITIONS.find((known) => known === keyword);
    if (!condition) throw invalidFields({ filter: `condition must be one of ${CONDITIONS.join(', ')}` });
    requireField('filter', field, rules);
    return { field, condition, value };
  });
}

function requireField(parameter: string, field: string, rules: ListRules): void {
  if (!rules.fields.includes(field)) throw invalidFields({ [parameter]: 'names a field that the records do not have' });
}

function read(record: object, field: string): unknown {
  return (record as Record<string, unknown>)[field];
}

function matches(record: object, { field, condition, value }: Comparison): boolean {
  const actual = read(record, field);
  if (condition === 'IS') return sameAs(actual, value);
  if (condition === 'IS_NOT') return !sameAs(actual, value);
  if (actual === undefined || actual === null) return false;
  if (condition === 'CONTAINS') return textOf(actual).toLowerCase().includes(value.toLowerCase());
  const order = compareWithText(actual, value);
  return condition === 'GREATER' ? order > 0 : order < 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function sameAs(actual: unknown, value: string): boolean {
  if (actual === undefined || actual === null) return value === '';
  return typeof actual === 'number' ? actual === Number(value) : compareWithText(actual, value) === 0;
}

/** Compares numbers and times by value, others as text. Returns NaN for a number and non-numeric text. */
function compareWithText(actual: unknown, value: string): number {
  if (typeof actual === 'number') return actual - Number(value);
  const text = textOf(actual);
  const [left, right] = [momentOf(text), momentOf(value)];
  return left !== undefined && right !== undefined ? left - right : compare(text, value);
}

function momentOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const moment = DateTime.fromISO(text, { zone: 'utc' });
  return moment.isValid ? moment.toMillis() : undefined;
}

/** A missing value is greater than any other value. */
function compare(left: unknown, right: unknown): number {
  const [leftMissing, rightMissing] = [left === undefined || left === null, right === undefined || right === null];
  if (leftMissing || rightMissing) return Number(leftMissing) - Number(rightMissing);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [a, b] = [textOf(left), textOf(right)];
  return a < b ? -1 : Number(a > b);
}
