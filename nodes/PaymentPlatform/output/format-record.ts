import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { calendarDay } from '../fields/kinds/date';
import type { FoundRecord } from '../lookup/found-record';
import { referencesOf } from '../messages/name-rows';
import { shownRecord } from '../messages/scrubber';
import { WHAT_HAPPENED, whatHappened, withWords } from '../messages/what-happened';
import { declaredFields, recordName } from '../model/operation';
import type { FieldValues, Operation, PlannedRequest } from '../model/types';
import { type DataValue, isList, isObject, only } from '../shared/objects';
import type { Kind } from '../wire/kinds';
import { FIELDS, WITHIN } from '../wire/kinds-of-fields';
import { selected } from './tool-output';

/** The IDs and references that a write was given, by the names that records have; those of a path apart from the others. */
function givenIds(operation: Operation, values: FieldValues, inPath: boolean): IDataObject {
  if (operation.shape || operation.request.effect === 'reads') return {};
  const entries = declaredFields(operation)
    .filter(({ place, reference }) => reference && (inPath ? place === 'path' : place === 'body'))
    .map((field): [string, IDataObject[string]] => [recordName(field), values[field.place][field.name]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && typeof value !== 'object'));
}

/**
 * A record of a write with the IDs and references that the write was given, where the service does not repeat them, so that
 * the next node knows which record it was: those of the path in front, the others behind.
 * @param record as the operation presents it, what happened first
 */
export function withGivenIds(operation: Operation, record: IDataObject, values: FieldValues): IDataObject {
  const lacking = (given: IDataObject) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => record[name] === undefined));
  const { [WHAT_HAPPENED]: told, ...rest } = record;
  return {
    ...(told !== undefined && { [WHAT_HAPPENED]: told }),
    ...lacking(givenIds(operation, values, true)),
    ...rest,
    ...lacking(givenIds(operation, values, false)),
  };
}

/** The names of the IDs and references that a write was given. */
export const givenNames = (operation: Operation, values: FieldValues): string[] =>
  [true, false].flatMap((inPath) => Object.keys(givenIds(operation, values, inPath)));

/**
 * The record as Simplify shows it, still beginning with what happened and with the IDs that the write was given; as it is
 * where there is no Simplify.
 * @param record as `withGivenIds` made it
 */
export function simplified(operation: Operation, record: IDataObject, values: FieldValues): IDataObject {
  if (!operation.simplified) return record;
  const [inPath, inBody] = [true, false].map((place) => only(record, Object.keys(givenIds(operation, values, place))));
  const main = operation.simplified(record);
  return { ...only(record, [WHAT_HAPPENED]), ...inPath, ...main, ...inBody, ...main };
}

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

/** A record as it is put out: as it came only where the person chose the request. */
export const typeUnlessRaw = ({ operation }: PlannedRequest, record: IDataObject): IDataObject =>
  operation.shape ? record : typeRecord(record);

/**
 * A record of an answer as a person gets it, see `formatted`. What came is shown masked where the node can't format it: a write
 * that was applied is done, whatever its answer looks like.
 */
export function formatRecord(
  request: PlannedRequest,
  came: IDataObject,
  values: FieldValues,
  sighting?: FoundRecord,
): IDataObject {
  try {
    return formatted(request, came, values, sighting);
  } catch {
    return { ...referencesOf(request), ...shownRecord(came, values) };
  }
}

/**
 * A record of an answer as a person gets it: with what happened in words, masked, and simplified where that was chosen.
 * @param came the record as the service gave it.
 * @param values of the item that it is for
 * @param sighting how it was found, where it is the record that the service's list shows, and no answer
 */
function formatted(
  request: PlannedRequest,
  came: IDataObject,
  values: FieldValues,
  sighting?: FoundRecord,
): IDataObject {
  const { operation, values: sent, simplify, fields } = request;
  const record = typeUnlessRaw(request, came);
  const how = sighting ? 'found' : operation.steps && !request.decided ? 'unchanged' : 'sent';
  const own = operation.present ? operation.present(record, values, sent) : record;
  const whole = shownRecord(
    withGivenIds(operation, { ...whatHappened(teller(operation, sighting), record, values, how), ...own }, values),
    values,
  );
  const shown = simplify ? simplified(operation, whole, values) : whole;
  const all = withWords(typeUnlessRaw(request, fields ? { ...whole, ...shown } : shown), operation.request.operationId);
  return fields ? selected(all, fields, givenNames(operation, values)) : all;
}

/** What words what happened. The operation has no words for a record that existed before. */
function teller(operation: Operation, sighting: FoundRecord | undefined): Pick<Operation, 'summary'> {
  const { footprint } = operation;
  if (sighting?.kind === 'existed' && footprint)
    return {
      summary: () =>
        `Nothing was sent, because the record already exists in ${footprint.where} (${sighting.agreement}).`,
    };
  return sighting && footprint?.summary ? footprint : operation;
}
