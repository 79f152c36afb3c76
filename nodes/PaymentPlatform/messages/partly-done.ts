import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { itemStepsOf } from '../model/item-steps';
import { idsOf, referencesOf } from './name-references';
import type { Finished } from '../model/write-memory';
import type { PlannedRequest } from '../model/types';
import type { Failure } from '../model/failure';

/** The failure of an item of which some steps are done: it says so, with what finds them. */
export function partlyDone(
  failure: Failure,
  done: ReadonlyArray<Pick<Finished, 'records'>>,
  request: PlannedRequest,
): Failure {
  if (done.length === 0) return failure;
  const ids = done.reduce<IDataObject>((all, { records: [record = {}] }) => ({ ...all, ...idsOf(record) }), {});
  const named = Object.entries(ids).map(([name, id]) => `${name} ${asText(id)}`);
  const which = named.length > 0 ? ` (${named.join(', ')})` : '';
  return {
    ...failure,
    message: `${done.length} of ${itemStepsOf(request).length} steps were done${which}, the next was not: ${failure.message}`,
    references: { ...referencesOf(request), ...ids, ...failure.references },
    ...(failure.outcome !== 'unknown' && { applied: true }),
  };
}

/** The rest of an item whose run ended between two of its steps. */
export const stoppedBetweenSteps = (reason = 'the run stopped before'): Failure => ({
  outcome: 'notSent',
  message: `It was not started: ${reason}`,
  advice: 'Run this item again.',
});
