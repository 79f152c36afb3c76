import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { calendarDay } from '../fields/kinds/date';
import type { FoundRecord } from '../lookup/found-record';
import { shownRecord } from '../messages/scrubber';
import { WHAT_HAPPENED, whatHappened, withWords } from '../messages/what-happened';
import { declaredFields, recordName, referencesOf } from '../model/operation';
import { approvedAmount } from '../model/read-amounts';
import type { FieldValues, Operation, PlannedRequest } from '../model/types';
import { type DataValue, computeOnceForText, isList, isObject, mapValues, only } from '../shared/objects';
import type { Kind } from '../wire/kinds';
import { FIELDS, WITHIN } from '../wire/kinds-of-fields';
import { selected } from './tool-output';

function givenIds(operation: Operation, values: FieldValues, inPath: boolean): IDataObject {
  if (operation.shape || operation.request.effect === 'reads') return {};
  const entries = declaredFields(operation)
    .filter(({ place, reference }) => reference && (inPath ? place === 'path' : place === 'body'))
    .map((field): [string, IDataObject[string]] => [recordName(field), values[field.place][field.name]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && typeof value !== 'object'));
}

/**
 * Adds the item's IDs and references, so that later nodes can identify the record. Shows no amount for a partial
 * approval if the response doesn't contain the approved amount.
 */
export function withGivenIds(operation: Operation, came: IDataObject, values: FieldValues): IDataObject {
  const all = withAllGiven(operation, came, values);
  const isShown = !operation.approvals || approvedAmount(came, values.body.amt_tran) !== undefined;
  return isShown
    ? all
    : only(
        all,
        Object.keys(all).filter((name) => name !== 'amt_tran'),
      );
}

function withAllGiven(operation: Operation, record: IDataObject, values: FieldValues): IDataObject {
  if (operation.request.effect === 'reads') return record;
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

/** Returns the names of the item's IDs and references. */
export const givenNames = (operation: Operation, values: FieldValues): string[] =>
  [true, false].flatMap((inPath) => Object.keys(givenIds(operation, values, inPath)));

/** Keeps the summary and the item's IDs. */
export function simplified(operation: Operation, record: IDataObject, values: FieldValues): IDataObject {
  if (!operation.simplified) return record;
  const [inPath, inBody] = [true, false].map((place) => only(record, Object.keys(givenIds(operation, values, place))));
  const main = operation.simplified(record, values);
  return { ...only(record, [WHAT_HAPPENED]), ...inPath, ...main, ...inBody, ...main };
}

/** Time zone of times without an offset in the service's records (service.md#values). */
const SERVICE_ZONE = 'America/Los_Angeles';

const SAFE_DIGITS = 15;
const DECIMAL = /^-?(?:\d+\.?\d*|\.\d+)$/;
const YES = /^(?:true|yes|y|1)$/i;
const NO = /^(?:false|no|n|0)$/i;
const DAY = /^\d{4}-?\d\d-?\d\d(?:[t ]00:00(?::00(?:\.0+)?)?\s?(?:z|[+-]\d\d:?\d\d)?)?$/i;
const INSTANT = /^(\d{4})-?(\d\d)-?(\d\d)[t ]?(\d\d):?(\d\d):?(\d\d)(\.\d+)?\s?(?:(z)|([+-]\d\d):?(\d\d))?$/i;

type Reader = (text: string) => DataValue | undefined;

const dayIn = computeOnceForText((text) => calendarDay(text, 'utc'));

const READERS: Record<Kind, Reader> = {
  number: (text) =>
    DECIMAL.test(text) && text.replace(/\D/g, '').replace(/^0+/, '').length <= SAFE_DIGITS
      ? Number(text) + 0
      : undefined,
  text: (text) => (/e/i.test(text) ? undefined : text),
  flag: (text) => (YES.test(text) ? true : NO.test(text) ? false : undefined),
  day: (text) => (DAY.test(text) ? dayIn(text) : undefined),
  instant: (text) => instantIn(text),
  pacificInstant: (text) => instantIn(text, SERVICE_ZONE),
};

const READY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)$/;

/** @param zone time zone for text without an offset. If the zone is missing, such text yields `undefined`. */
function instantIn(text: string, zone?: string): string | undefined {
  if (READY.test(text)) return text;
  const [, year, month, day, hour, minute, second, fraction = '.000', utc, hours, minutes] = INSTANT.exec(text) ?? [];
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const given = utc ? 'Z' : hours && `${hours}:${minutes}`;
  const moment = DateTime.fromISO(written, { zone: given ? 'utc' : zone });
  // Luxon moves a time that daylight saving time skips, so the formatted time differs from the original text.
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
const PLACES = new Set(Object.keys(WITHIN).map((place) => place.split('.')[0]));

/**
 * Makes types consistent at any depth: numbers for money and counts, text for IDs, booleans for flags, yyyy-MM-dd for
 * days, and ISO text with an offset for times.
 */
export const typeRecord = (record: IDataObject): IDataObject => typedFields(record, '');

const typedFields = (fields: IDataObject, parent: string): IDataObject =>
  mapValues(fields, (value, name) => typedValue(value, name, parent));

function typedValue(value: DataValue, name: string, parent: string): DataValue {
  if (isList(value)) return value.map((one) => typedValue(one, name, parent));
  if (isObject(value)) return typedFields(value, name);
  const read = (PLACES.has(parent) && BY_PLACE.get(`${parent}.${name}`)) || BY_NAME.get(name);
  if (!read) return value;
  if (typeof value === 'string') return read === READERS.text ? value : (read(value.trim()) ?? value);
  return read !== READERS.number && (typeof value === 'number' || typeof value === 'bigint')
    ? (read(String(value)) ?? value)
    : value;
}

/** Doesn't change the record of a custom API request. */
export const typeUnlessRaw = ({ operation }: PlannedRequest, record: IDataObject): IDataObject =>
  operation.shape ? record : typeRecord(record);

/**
 * If formatting fails, returns the masked record, because the service applied the write.
 * @param sighting description of the match, if the node found the record in a service list.
 */
export function formatRecord(
  request: PlannedRequest,
  came: IDataObject,
  values: FieldValues,
  sighting?: FoundRecord,
): IDataObject {
  const { operation, values: sent, simplify, fields } = request;
  try {
    const record = typeUnlessRaw(request, came);
    const how = sighting ? 'found' : operation.steps && !request.decided ? 'unchanged' : 'sent';
    const own = operation.present ? operation.present(record, values, sent) : record;
    const told = { ...whatHappened(teller(operation, sighting), record, values, how, sent), ...own };
    const whole = shownRecord(withGivenIds(operation, told, values), values);
    const shown = simplify ? simplified(operation, whole, values) : whole;
    // Only a list's record that has no new fields keeps its types.
    const isTyped = request.effect === 'reads' && own === record && shown === whole;
    const typed = isTyped ? shown : typeUnlessRaw(request, fields ? { ...whole, ...shown } : shown);
    const all = withWords(typed, operation.request.operationId);
    return fields ? selected(all, fields, givenNames(operation, values)) : all;
  } catch {
    return { ...referencesOf(request), ...shownRecord(came, values) };
  }
}

/** A record that existed before the run gets a different summary, because the operation sent nothing. */
function teller(operation: Operation, sighting: FoundRecord | undefined): Pick<Operation, 'summary'> {
  const { footprint } = operation;
  if (sighting?.kind === 'existed' && footprint)
    return {
      summary: () =>
        `Nothing was sent, because the record already exists in ${footprint.where} (${sighting.agreement}).`,
    };
  return sighting && footprint?.summary ? footprint : operation;
}
