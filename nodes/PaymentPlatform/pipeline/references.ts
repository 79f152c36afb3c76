import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { maskCardsInId } from '../shared/privacy';
import { RECORD_IDS, REFERENCES } from '../wire/marks';
import { askedOf } from './parts';
import type { PlannedRequest } from './types';

/** What identifies the object of a request for a person, by the interface's names; nothing secret. */
export function referencesOf(request: PlannedRequest): IDataObject {
  const [asked, sent] = [askedOf(request).values, request.values];
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
