import type { IDataObject } from 'n8n-workflow';

import { instant, REPORT_ZONE } from '../fields/kinds/date';
import { DAYS_PARAMETER, daysFilter, isDays, type Days } from '../fields/kinds/days';
import { asText, textsIn } from '../shared/objects';
import type { PlannedRequest } from '../model/types';
import type { Answer } from '../model/failure';

type Keeps = (record: IDataObject) => boolean;

/**
 * What a record must be to be one that was asked for, where the service can't be relied on for it: of the days that a
 * person named, which the service is asked for with room to spare, and below what a filter says. A record of which nobody
 * can tell is kept.
 * @returns `undefined` where the service's own filters say it all.
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
 * What a list is asked for instead where the service refuses to be asked for the time up to a last day, for LESS is shown by
 * nobody: the same without it. It then gives too much, which `keptRecords` leaves out. A LESS that a person chose stays: of
 * another field nobody can say that its records can be told apart here.
 * @param query as the list was asked for.
 * @returns `undefined` where there is nothing else to ask for.
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

/** The first of these fields that a record has tells when it was. */
const inDays =
  ({ first, last, zone }: Days, fields: readonly string[]): Keeps =>
  (record) => {
    const told = fields.map((name) => record[name]).find((value) => asText(value) !== '');
    const day = dayOf(told, zone);
    return day === undefined || ((first === undefined || day >= first) && (last === undefined || day <= last));
  };

/** A day alone, or as midnight UTC, which is how the service writes a day (service.md#values). */
const DAY = /^(\d{4}-\d\d-\d\d)(?:T00:00:00(?:\.0+)?Z)?$/;

/** The day of a record, in the time zone of the workflow. */
const dayOf = (value: unknown, zone: string): string | undefined =>
  DAY.exec(asText(value))?.[1] ?? instant(value, REPORT_ZONE)?.setZone(zone).toISODate() ?? undefined;

/** Alternatives in one filter, with a bar between them, are the service's to judge. */
const LESS = /^(\w+),LESS,([^|]*)$/;

function below(filter: string): Keeps[] {
  const [, field, bound] = LESS.exec(filter) ?? [];
  return field === undefined || bound === undefined ? [] : [(record) => isBelow(asText(record[field]), bound)];
}

/** Numbers compare as numbers and moments as moments; of anything else the service alone knows the order. */
function isBelow(actual: string, bound: string): boolean {
  for (const read of [asNumber, asMoment]) {
    const [left, right] = [read(actual), read(bound)];
    if (left !== undefined && right !== undefined) return left < right;
  }
  return true;
}

const asNumber = (text: string) => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);
const asMoment = (text: string) => instant(text, REPORT_ZONE)?.toMillis();
