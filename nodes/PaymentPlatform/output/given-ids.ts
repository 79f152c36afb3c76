import type { IDataObject } from 'n8n-workflow';

import { only } from '../shared/objects';
import { declaredFields, recordName } from '../model/declared-fields';
import { WHAT_HAPPENED } from '../messages/what-happened';
import type { FieldValues, Operation } from '../model/types';

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
