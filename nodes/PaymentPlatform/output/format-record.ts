import type { IDataObject } from 'n8n-workflow';

import { givenNames, simplified, withGivenIds } from './given-ids';
import { whatHappened, withWords } from '../messages/what-happened';
import { shownRecord } from '../messages/mask-records';
import { referencesOf } from '../messages/name-references';
import { selected } from './tool-output';
import { typeRecord } from './type-record';
import type { FoundRecord } from '../lookup/found-record';
import type { FieldValues, Operation, PlannedRequest } from '../model/types';

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
