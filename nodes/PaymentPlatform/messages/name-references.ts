import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { maskCardsInId } from '../shared/privacy';
import { NAMES, RECORD_IDS, REFERENCES } from '../wire/marks';
import { declaredFields, recordName } from '../model/declared-fields';
import { originalRequest } from '../model/item-steps';
import type { Scrubber } from './scrubber';
import type { FieldValues, PlannedRequest } from '../model/types';

/** A name is to be recognised, not read. */
const LONGEST_NAME = 40;

/** What a person calls the item: its own number or reference, else the record or customer that it is about. */
export function nameItem({ path, body }: FieldValues, scrubber: Scrubber): string | undefined {
  const all: IDataObject = { ...body, ...path };
  const found = NAMES.map((name) => all[name]).find((value) => value !== undefined && typeof value !== 'object');
  return found === undefined ? undefined : scrubber.id(asText(found)).slice(0, LONGEST_NAME);
}

/** What identifies the object of a request for a person, by the names that records have; nothing secret. */
export function referencesOf(request: PlannedRequest): IDataObject {
  const called = new Map(declaredFields(request.operation).map((field) => [field.name, recordName(field)]));
  return Object.fromEntries(
    Object.entries(sentReferences(request)).map(([name, value]) => [called.get(name) ?? name, value]),
  );
}

/** The same by the names on the wire. */
export function sentReferences(request: PlannedRequest): IDataObject {
  const [asked, sent] = [originalRequest(request).values, request.values];
  const all: IDataObject = { ...asked.body, ...asked.path, ...sent.body, ...sent.path };
  return Object.fromEntries(
    REFERENCES.filter((name) => all[name] !== undefined && typeof all[name] !== 'object').map((name) => [
      name,
      maskCardsInId(asText(all[name])),
    ]),
  );
}

/** IDs of a record that was made, by which a person finds it. */
export const idsOf = (record: IDataObject): IDataObject =>
  Object.fromEntries(RECORD_IDS.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
