import type { IDataObject } from 'n8n-workflow';

import { givenNames, simplified, withGivenIds } from './given-ids';
import { whatHappened, withWords } from './in-words';
import { shownRecord } from './mask';
import { selected } from './tool-output';
import { typedRecord } from './typed';
import type { FieldValues, PlannedRequest } from './types';

/** A record as it is put out: as it came only where the person chose the request. */
export const typed = ({ operation }: PlannedRequest, record: IDataObject): IDataObject =>
  operation.shape ? record : typedRecord(record);

/**
 * A record of an answer as a person gets it: with what happened in words, masked, and simplified where that was chosen.
 * @param came the record as the service gave it.
 * @param values of the item that it is for
 * @param wasFound whether the record is the one that the service's list shows
 */
export function presented(
  request: PlannedRequest,
  came: IDataObject,
  values: FieldValues,
  wasFound = false,
): IDataObject {
  const { operation, values: sent, simplify, fields } = request;
  const record = typed(request, came);
  const { trace } = operation;
  const told = wasFound && trace?.says ? trace : operation;
  const own = operation.present ? operation.present(record, values, sent) : record;
  const whole = shownRecord(withGivenIds(operation, { ...whatHappened(told, record, values), ...own }, values), values);
  const shown = simplify ? simplified(operation, whole, values) : whole;
  const all = withWords(typed(request, fields ? { ...whole, ...shown } : shown), operation.request.operationId);
  return fields ? selected(all, fields, givenNames(operation, values)) : all;
}
