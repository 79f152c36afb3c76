import type { IDataObject } from 'n8n-workflow';

import { couldNotLook, lookUp } from '../service/look-up';
import { adjustPace } from '../service/adjust-pace';
import type { SharedRun } from './shared-run';
import type { PlannedRequest } from '../model/types';
import type { Failure } from '../model/failure';

/** The records that a run has read, by their paths: a customer of many rows is read once. */
const read = new WeakMap<SharedRun, Map<string, IDataObject>>();

/**
 * The body of a write with what its operation adds to it from the service's own record. A record that the service refuses
 * to give adds nothing.
 * @returns the failure of a read that may succeed later: nothing is sent then.
 */
export async function completeBody(
  shared: SharedRun,
  { operation: { completion }, values }: PlannedRequest,
): Promise<{ body: IDataObject } | { failure: Failure }> {
  const look = completion?.look(values);
  if (!completion || !look) return { body: values.body };
  const records = read.get(shared) ?? new Map<string, IDataObject>();
  read.set(shared, records);
  let found = records.get(look.path);
  if (!found) {
    const { context, account, options, gate } = shared;
    const answered = (answer: Parameters<typeof adjustPace>[1]) => adjustPace(gate, answer);
    const seen = await lookUp({ context, account, options, answered }, look);
    if ('failure' in seen) {
      const failure = couldNotLook('The record of the customer could not be read, so nothing was sent', seen.failure);
      return failure.outcome === 'notSent' ? { failure } : { body: values.body };
    }
    [found] = seen.records;
  }
  if (!found) return { body: values.body };
  records.set(look.path, found);
  return { body: { ...values.body, ...completion.add(found, values) } };
}
