import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { CREDENTIAL_NAME, readAccount } from './account';
import { inBatches } from './batch';
import { Gate } from './gate';
import { Memory } from './memory';
import { readRunOptions } from './options';
import { hints, outputItems, stoppingError } from './outputs';
import type { Planned } from './plan';
import { planItem } from './plan';
import type { RequestResult, SharedRun } from './process';
import { processRequest } from './process';
import type { Operation, Resource } from './types';

/**
 * The one way from input items to output items: read and check all of them, send, decode, present.
 * @throws NodeOperationError before anything is sent when the credential or an item is not valid, and NodeApiError
 * when an item fails, unless On Error is set to continue: then the item carries its error.
 */
export async function run(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[][]> {
  const node = context.getNode();
  const operation = chosenOperation(context, resources);
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), node);
  const options = readRunOptions(context);
  const goOn = context.continueOnFail();
  const planned = inBatches(
    operation,
    context.getInputData().map((_, item) => planItem(context, operation, account, item, node)),
  );
  if (!goOn && planned.some((plan) => 'failure' in plan))
    throw stoppingError(node, operation, planned.map(beforeSending));

  const gate = new Gate({
    most: options.maxParallelRequests,
    longestWaitMs: options.retryTimeMs,
    cancelled: () => context.getExecutionCancelSignal()?.aborted === true,
  });
  context.onExecutionCancellation(() => gate.close());
  const memory = Memory.open(context, account);
  const shared: SharedRun = { context, account, options, gate, memory, ownIds: new Set() };
  const results = await Promise.all(
    planned.map(async (plan): Promise<RequestResult> => {
      if ('failure' in plan) return beforeSending(plan);
      const result = await processRequest(shared, plan.request);
      // In-flight requests are awaited and their results kept; what has not started never starts. An item that an
      // earlier try left unknown stops nobody: the others are still to be sent.
      if (result.kind === 'failed' && !result.remembered && !goOn) gate.close();
      return result;
    }),
  );
  if (results.some((result) => stops(result, goOn))) throw stoppingError(node, operation, results);
  if (results.every(({ kind }) => kind === 'done')) memory.forget();
  for (const message of hints(results)) context.addExecutionHints({ message, location: 'outputPane' });
  return [outputItems(results)];
}

/** What was not started because the service could not take it is a failed item like others; a cancelled run ends. */
const stops = (result: RequestResult, goOn: boolean) =>
  (result.kind === 'notStarted' && (!goOn || result.reason === undefined)) || (result.kind === 'failed' && !goOn);

const beforeSending = (plan: Planned): RequestResult =>
  'failure' in plan
    ? { items: [plan.item], kind: 'failed', failure: plan.failure }
    : { items: plan.request.items, kind: 'notStarted' };

function chosenOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
  const resource = context.getNodeParameter('resource', 0);
  const operation = context.getNodeParameter('operation', 0);
  const found = resources.find(({ value }) => value === resource)?.operations.find(({ value }) => value === operation);
  if (found) return found;
  throw new NodeOperationError(
    context.getNode(),
    `The operation "${operation}" of the resource "${resource}" does not exist`,
    {
      description: 'Open the node and choose a resource and an operation.',
    },
  );
}
