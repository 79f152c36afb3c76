import type { IDataObject } from 'n8n-workflow';

import { lookFor } from './look';
import { adapt } from './pace';
import type { SharedRun } from './shared-run';
import type { PlannedRequest } from './types';

/** The body of a write with what its operation adds to it from the service's own record, where that can be read. */
export async function completedBody(
  { context, account, options, gate }: SharedRun,
  { operation: { completion }, values }: PlannedRequest,
): Promise<IDataObject> {
  const look = completion?.look(values);
  if (!completion || !look) return values.body;
  const answered = (answer: Parameters<typeof adapt>[1]) => adapt(gate, answer);
  const seen = await lookFor({ context, account, options, answered }, look);
  const [found] = 'failure' in seen ? [] : seen.records;
  return found ? { ...values.body, ...completion.add(found, values) } : values.body;
}
