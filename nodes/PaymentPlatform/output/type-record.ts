import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { calendarDay } from '../fields/kinds/date';
import { isList, isObject, type DataValue } from '../shared/objects';
import type { Kind } from '../wire/kinds';
import { FIELDS, WITHIN } from '../wire/kinds-of-fields';

/** The zone of times that the service writes without an offset (service.md#values). */
const SERVICE_ZONE = 'America/Los_Angeles';

/** A double keeps this many digits of every number. */
const SAFE_DIGITS = 15;
const DECIMAL = /^-?(?:\d+\.?\d*|\.\d+)$/;
const YES = /^(?:true|yes|y|1)$/i;
const NO = /^(?:false|no|n|0)$/i;
/** A day, also as the timestamp of its first moment, in whatever zone it is the first. */
const DAY = /^\d{4}-?\d\d-?\d\d(?:[t ]00:00(?::00(?:\.0+)?)?\s?(?:z|[+-]\d\d:?\d\d)?)?$/i;
const INSTANT = /^(\d{4})-?(\d\d)-?(\d\d)[t ]?(\d\d):?(\d\d):?(\d\d)(\.\d+)?\s?(?:(z)|([+-]\d\d):?(\d\d))?$/i;

type Reader = (text: string) => DataValue | undefined;

/** Each gives what text means, or `undefined` for text that does not fit. */
const READERS: Record<Kind, Reader> = {
  number: (text) =>
    DECIMAL.test(text) && text.replace(/\D/g, '').replace(/^0+/, '').length <= SAFE_DIGITS
      ? Number(text) + 0
      : undefined,
  text: (text) => (/e/i.test(text) ? undefined : text),
  flag: (text) => (YES.test(text) ? true : NO.test(text) ? false : undefined),
  day: (text) => (DAY.test(text) ? calendarDay(text, 'utc') : undefined),
  instant: (text) => instantIn(text),
  pacificInstant: (text) => instantIn(text, SERVICE_ZONE),
};

/** As it is given out: most of them are. */
const READY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)$/;

/** An ISO instant with the clock that is written and all of its digits; without an offset only where the zone is known. */
function instantIn(text: string, zone?: string): string | undefined {
  if (READY.test(text)) return text;
  const [, year, month, day, hour, minute, second, fraction = '.000', utc, hours, minutes] = INSTANT.exec(text) ?? [];
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const given = utc ? 'Z' : hours && `${hours}:${minutes}`;
  const moment = DateTime.fromISO(written, { zone: given ? 'utc' : zone });
  // An hour that is left out in spring is no time of that zone.
  if (!moment.isValid || !moment.toISO().startsWith(written)) return undefined;
  const offset = given ?? (zone && moment.toFormat('ZZ'));
  return offset && `${written}${fraction}${offset}`;
}

const readersOf = (names: readonly string[], kind: Kind) =>
  names.map((name): [string, Reader] => [name, READERS[kind]]);

const BY_NAME = new Map([
  ...readersOf(FIELDS.number, 'number'),
  ...readersOf(FIELDS.text, 'text'),
  ...readersOf(FIELDS.flag, 'flag'),
  ...readersOf(FIELDS.day, 'day'),
  ...readersOf(FIELDS.instant, 'instant'),
  ...readersOf(FIELDS.pacificInstant, 'pacificInstant'),
]);
const BY_PLACE = new Map(Object.entries(WITHIN).map(([place, kind]): [string, Reader] => [place, READERS[kind]]));
/** Objects in which a field means something else than elsewhere. */
const PLACES = new Set(Object.keys(WITHIN).map((place) => place.split('.')[0]));

/**
 * A copy of a record of the service in which each value has the one type of what it means, at any depth: money and counts
 * are numbers, IDs are text, instants are ISO with an offset, days are yyyy-MM-dd, flags are true or false, whichever way
 * the service gave them here. A value that does not fit stays as it came, and so does a field that nobody described.
 */
export const typeRecord = (record: IDataObject): IDataObject => typedFields(record, '');

const typedFields = (fields: IDataObject, parent: string): IDataObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typedValue(value, name, parent)]));

function typedValue(value: DataValue, name: string, parent: string): DataValue {
  if (isList(value)) return value.map((one) => typedValue(one, name, parent));
  if (isObject(value)) return typedFields(value, name);
  const read = (PLACES.has(parent) && BY_PLACE.get(`${parent}.${name}`)) || BY_NAME.get(name);
  if (!read) return value;
  // Text stays text, with an e in it too.
  if (typeof value === 'string') return read === READERS.text ? value : (read(value.trim()) ?? value);
  return read !== READERS.number && (typeof value === 'number' || typeof value === 'bigint')
    ? (read(String(value)) ?? value)
    : value;
}
