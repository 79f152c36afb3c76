import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { CREDENTIAL_NAME, readAccount } from './account';
import { Gate } from './gate';
import { outputItems, stoppingError } from './outputs';
import type { Planned } from './plan';
import { planItem } from './plan';
import type { ItemResult } from './process';
import { processItem } from './process';
import type { Operation, Resource, RunOptions } from './types';

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
  const planned = context.getInputData().map((_, itemIndex) => planItem(context, operation, account, itemIndex));
  const goOn = context.continueOnFail();
  if (!goOn && planned.some((plan) => 'failure' in plan))
    throw stoppingError(node, operation, planned.map(beforeSending));

  const gate = new Gate(options.maxParallelRequests, () => context.getExecutionCancelSignal()?.aborted === true);
  context.onExecutionCancellation(() => gate.close());
  const results = await Promise.all(
    planned.map(async (plan): Promise<ItemResult> => {
      if ('failure' in plan) return { kind: 'failed', failure: plan.failure };
      const result = await processItem(context, account, options, gate, plan.request);
      // In-flight requests are awaited and their results kept; what has not started never starts.
      if (result.kind === 'failed' && !goOn) gate.close();
      return result;
    }),
  );
  if (results.some(({ kind }) => kind === 'notStarted' || (kind === 'failed' && !goOn)))
    throw stoppingError(node, operation, results);
  for (const result of results)
    if (result.kind === 'done' && result.note)
      context.addExecutionHints({ message: result.note, location: 'outputPane' });
  return [outputItems(operation, results)];
}

const beforeSending = (plan: Planned): ItemResult =>
  'failure' in plan ? { kind: 'failed', failure: plan.failure } : { kind: 'notStarted' };

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

function readRunOptions(context: IExecuteFunctions): RunOptions {
  const options = context.getNodeParameter('options', 0, {});
  const whole = (value: unknown, otherwise: number, most: number) =>
    Math.min(most, Math.max(1, Math.floor(Number(value ?? otherwise)) || otherwise));
  return {
    maxParallelRequests: whole(options.maxParallelRequests, 20, 100),
    timeoutMs: whole(options.timeout, 60, 600) * 1000,
  };
}
