import type { IDataObject } from 'n8n-workflow';

import { instant, REPORT_ZONE } from '../fields/kinds/date';
import { DAYS_PARAMETER, daysFilter, isDays, type Days } from '../fields/kinds/days';
import { asText, textsIn } from '../shared/objects';
import type { PlannedRequest } from '../model/types';
import type { Answer } from '../model/failure';

type Keeps = (record: IDataObject) => boolean;

/**
 * Returns a condition for the records that the service may return although they were not requested: records outside the
 * chosen days, which the request includes as a margin, and records that don't match a LESS filter. A record without the
 * necessary values is kept.
 * @returns `undefined` if the service's own filters suffice.
 */
export function recordFilter({ list, values }: Pick<PlannedRequest, 'list' | 'values'>): Keeps | undefined {
  const days = values.node[DAYS_PARAMETER];
  const conditions: Keeps[] = [
    ...(isDays(days) && list?.day ? [inDays(days, list.day)] : []),
    ...textsIn(values.query.filter).flatMap(below),
  ];
  return conditions.length === 0 ? undefined : (record) => conditions.every((holds) => holds(record));
}

/** The platform's code for a value that it refuses (service.md#codes). */
const REFUSED_VALUE = 2;

/**
 * Returns another query for a list if the service refuses the filter up to the last day, because the documentation
 * doesn't show the condition LESS. The query then leaves out this filter, and `recordFilter` removes the additional
 * records. A LESS filter of the user stays, because the node may be unable to check it.
 * @param query of the refused request.
 * @returns `undefined` if there is no other query.
 */
export function fallbackQuery(
  answer: Answer | undefined,
  query: IDataObject,
  { list, values }: Pick<PlannedRequest, 'list' | 'values'>,
): IDataObject | undefined {
  if (!answer || answer.ok || answer.failure.code !== REFUSED_VALUE) return undefined;
  const days = values.node[DAYS_PARAMETER];
  const [field] = list?.day?.slice(-1) ?? [];
  const asked = textsIn(query.filter);
  const own = isDays(days) && field !== undefined ? daysFilter(days, field).filter((one) => LESS.test(one)) : [];
  const filter = asked.filter((one) => !own.includes(one));
  return filter.length < asked.length ? { ...query, filter: filter.length > 0 ? filter : undefined } : undefined;
}

/** Returns a condition on the day of a record. The first of the fields with a value determines the day. */
const inDays =
  ({ first, last, zone }: Days, fields: readonly string[]): Keeps =>
  (record) => {
    const told = fields.map((name) => record[name]).find((value) => asText(value) !== '');
    const day = dayOf(told, zone);
    return day === undefined || ((first === undefined || day >= first) && (last === undefined || day <= last));
  };

/** Matches a day alone, or midnight UTC, which is how the service writes a day (service.md#values). */
const DAY = /^(\d{4}-\d\d-\d\d)(?:T00:00:00(?:\.0+)?Z)?$/;

/** Returns the day of a record in the workflow's time zone. */
const dayOf = (value: unknown, zone: string): string | undefined =>
  DAY.exec(asText(value))?.[1] ?? instant(value, REPORT_ZONE)?.setZone(zone).toISODate() ?? undefined;

/** Matches LESS filters. Filters with alternatives contain a vertical bar, and only the service evaluates them. */
const LESS = /^(\w+),LESS,([^|]*)$/;

function below(filter: string): Keeps[] {
  const [, field, bound] = LESS.exec(filter) ?? [];
  return field === undefined || bound === undefined ? [] : [(record) => isBelow(asText(record[field]), bound)];
}

/**
 * Returns whether a value is below a bound, compared as numbers or as times. Returns true for other values, because
 * only the service can compare them.
 */
function isBelow(actual: string, bound: string): boolean {
  for (const read of [asNumber, asMoment]) {
    const [left, right] = [read(actual), read(bound)];
    if (left !== undefined && right !== undefined) return left < right;
  }
  return true;
}

const asNumber = (text: string) => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);
const asMoment = (text: string) => instant(text, REPORT_ZONE)?.toMillis();
