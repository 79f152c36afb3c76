import type { IDataObject } from 'n8n-workflow';

import { instant, REPORT_ZONE } from '../fields/kinds/date';
import { DAYS_PARAMETER, daysFilter, isDays, type Days } from '../fields/kinds/days';
import { asText, textsIn } from '../shared/objects';
import type { PlannedRequest } from '../model/types';
import type { Answer } from '../model/failure';

type Keeps = (record: IDataObject) => boolean;

/**
 * The service's response can contain records that the user didn't request. Keeps records without the compared fields.
 * @returns `undefined` if the service's own filters are enough.
 */
export function recordFilter({ list, values }: Pick<PlannedRequest, 'list' | 'values'>): Keeps | undefined {
  const days = values.node[DAYS_PARAMETER];
  const conditions: Keeps[] = [
    ...(isDays(days) && list?.day ? [inDays(days, list.day)] : []),
    ...(list?.only && values.node[list.only.parameter] === true ? [list.only.includes] : []),
    ...textsIn(values.query.filter).flatMap(below),
  ];
  return conditions.length === 0 ? undefined : (record) => conditions.every((holds) => holds(record));
}

const REFUSED_VALUE = 2;

/**
 * Removes the undocumented LESS filter for the last day, which the service may refuse.
 * @returns `undefined` if no other query exists.
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

const inDays =
  ({ first, last, zone }: Days, fields: readonly string[]): Keeps =>
  (record) => {
    const told = fields.map((name) => record[name]).find((value) => asText(value) !== '');
    const day = dayOf(told, zone);
    return day === undefined || ((first === undefined || day >= first) && (last === undefined || day <= last));
  };

/** Matches a date or midnight UTC in the service's date format (service.md#values). */
const DAY = /^(\d{4}-\d\d-\d\d)(?:T00:00:00(?:\.0+)?Z)?$/;

const dayOf = (value: unknown, zone: string): string | undefined =>
  DAY.exec(asText(value))?.[1] ?? instant(value, REPORT_ZONE)?.setZone(zone).toISODate() ?? undefined;

const LESS = /^(\w+),LESS,([^|]*)$/;

function below(filter: string): Keeps[] {
  const [, field, bound] = LESS.exec(filter) ?? [];
  return field === undefined || bound === undefined ? [] : [(record) => isBelow(asText(record[field]), bound)];
}

function isBelow(actual: string, bound: string): boolean {
  for (const read of [asNumber, asMoment]) {
    const [left, right] = [read(actual), read(bound)];
    if (left !== undefined && right !== undefined) return left < right;
  }
  return true;
}

const asNumber = (text: string) => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);
const asMoment = (text: string) => instant(text, REPORT_ZONE)?.toMillis();
