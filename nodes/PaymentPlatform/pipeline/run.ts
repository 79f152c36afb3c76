import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { CREDENTIAL_NAME, readAccount } from './account';
import { inBatches } from './batch';
import { Budget } from './budget';
import { refusedLater, rememberedFailure } from './earlier-tries';
import { Claims } from './claims';
import { Existing } from './existing';
import { Gate } from './gate';
import { inPart, notGoneOn } from './in-part';
import { Journal } from './journal';
import { Ledger } from './ledger';
import { Memory } from './memory';
import { eachKeyOnce, OnceKeys } from './once-keys';
import { LookUps } from './look-ups';
import { readRunOptions } from './options';
import { failedHint, hints } from './hints';
import { outputItems, stoppingError } from './outputs';
import { recallParts } from './parts';
import type { Remembered } from './remembered';
import { planItem, type Planned } from './plan';
import { planWithFiles } from './plan-with-files';
import { notStarted, processRequest } from './process';
import type { RequestResult } from './results';
import type { SharedRun } from './shared-run';
import { currentRound, endRound } from './rounds';
import { rowsOf, type Rows } from './rows';
import { processSteps } from './steps';
import { isTool } from './tool';
import { isOnesOwn } from './trace';
import { refusedItem, toolItems } from './tool-words';
import { withinTotal } from './total';
import type { Account, Failure, Operation, PlannedRequest, Resource } from './types';
import { resourcesAt } from './versions';

/** What a run works with, once its items are resolved and checked. */
interface Prepared {
  operation: Operation;
  account: Account;
  planned: Planned[];
  rows: Rows;
}

/**
 * The one way from input items to output items: read and check all of them, send, decode, present.
 * @throws NodeOperationError before anything is sent when the credential or an item is not valid, and NodeApiError
 * when an item fails, unless On Error is set to continue: then the item carries its error. As an AI agent's tool it
 * throws neither: what the model is to read is an item.
 */
export async function run(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[][]> {
  if (isTool(context.getNode())) return [await runAsTool(context, resources)];
  const items = await runAsNode(context, resources);
  endRound(context);
  return [items];
}

async function runAsNode(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[]> {
  const node = context.getNode();
  // Each run counts, also one that is refused as a whole.
  currentRound(context);
  const goOn = context.continueOnFail();
  const { operation, account, planned: all, rows } = await prepare(context, resources);
  const memory = Memory.open(context, account);
  const refuseOrGoOn = (planned: Planned[]) => {
    if (goOn || planned.every((plan) => 'request' in plan)) return planned;
    throw stoppingError(
      node,
      operation,
      planned.map((plan) => withoutSending(plan, memory)),
      rows,
    );
  };
  const planned = refuseOrGoOn(withinTotal(eachKeyOnce(all, context), memory));
  const shared = sharedRun(context, account, memory, goOn, planned);
  const results = await sendWithin(shared, planned, refuseOrGoOn);
  const wasCanceled = results.some((result) => result.kind === 'notStarted' && result.reason === undefined);
  if (wasCanceled || (!goOn && results.some(({ kind }) => kind !== 'done')))
    throw stoppingError(node, operation, results, rows);
  const items = outputItems(results, node.onError === 'continueErrorOutput');
  memory.end(results.every(({ kind }) => kind === 'done') && !items.some(looksFailed));
  tell(shared, results, rows);
  return items;
}

/** Everything that a model could not read, or could be misled by, if it was thrown: see tool-words.ts. */
async function runAsTool(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[]> {
  let prepared: Prepared;
  try {
    prepared = await prepare(context, resources);
  } catch (error) {
    return [refusedItem(error)];
  }
  const { operation, account, planned, rows } = prepared;
  const ledger = Ledger.open(context, account);
  const shared = sharedRun(context, account, ledger, true, planned);
  const { trace } = operation;
  // A second equal payment that a person allowed is no duplicate of the first.
  if (trace && isOnesOwn(trace))
    for (const record of ledger.made()) shared.ownIds.add(asText(record[trace.list.identity]));
  const results = await sendWithin(shared, planned);
  tell(shared, results, rows);
  return toolItems(results);
}

async function prepare(context: IExecuteFunctions, resources: Resource[]): Promise<Prepared> {
  const operation = chosenOperation(context, resources);
  const node = context.getNode();
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), node);
  const plans = operation.request.encoding === 'multipart' ? planWithFiles : planItem;
  const items: Planned[] = [];
  // One after the other, so that the content of one file at a time is held.
  for (const item of context.getInputData().keys()) items.push(await plans(context, operation, account, item, node));
  return { operation, account, planned: inBatches(operation, items), rows: rowsOf(items) };
}

function sharedRun(
  context: IExecuteFunctions,
  account: Account,
  memory: SharedRun['memory'],
  goOn: boolean,
  planned: Planned[],
): SharedRun {
  const options = readRunOptions(context);
  const gate = new Gate({
    most: options.maxParallelRequests,
    longestWaitMs: options.retryTimeMs,
    canceled: () => context.getExecutionCancelSignal()?.aborted === true,
  });
  context.onExecutionCancellation(() => gate.close());
  const writes = planned.flatMap((plan) =>
    'request' in plan && plan.request.effect !== 'reads' ? [plan.request] : [],
  );
  const journal = Journal.open(context, account, writes);
  const ownIds = new Set<string>();
  const claims = new Claims(context, ownIds, writes);
  const lookUps = new LookUps({ context, account, options, gate, goOn, claims, writes, isOn: options.lookUpUnknown });
  const existing = new Existing({ context, account, options, claims, writes });
  const budget = new Budget({ context, account, options });
  const earlier = new Map<PlannedRequest, Remembered>();
  const keys = new OnceKeys(context, account);
  const kept = { memory, journal, keys, budget, earlier, ownIds, lookUps, existing, claims };
  return { context, account, options, gate, goOn, ...kept };
}

/** @param checked takes what the budget of the day leaves, and throws where the run is to stop because of the rest. */
async function sendWithin(
  shared: SharedRun,
  planned: Planned[],
  checked = (left: Planned[]): Planned[] => left,
): Promise<RequestResult[]> {
  try {
    return await sendAll(shared, checked(await shared.budget.within(planned, shared.memory)));
  } finally {
    shared.budget.end();
  }
}

/** In-flight requests are awaited and their results kept, whatever becomes of the others. */
async function sendAll(shared: SharedRun, planned: Planned[]): Promise<RequestResult[]> {
  const results = await Promise.all(
    planned.map(async (plan) =>
      'failure' in plan ? withoutSending(plan, shared.memory) : await processPlanned(shared, plan.request),
    ),
  );
  await Promise.all([shared.journal.end(), shared.keys.end()]);
  return results;
}

const processPlanned = async (shared: SharedRun, request: PlannedRequest): Promise<RequestResult> =>
  request.operation.steps ? await processSteps(shared, request) : await processRequest(shared, request);

/** What is told of an item that is not sent: an earlier try may have done it, or left it unknown. */
function withoutSending(plan: Planned, memory: SharedRun['memory']): RequestResult {
  if ('failure' in plan) {
    const known = memory.standing?.(plan.item);
    return { items: [plan.item], kind: 'failed', failure: known ? refusedLater(plan.failure, known) : plan.failure };
  }
  const { items, effect } = plan.request;
  if (effect === 'reads') return notStarted(memory, plan.request);
  const { done, next, stop } = recallParts(memory, plan.request);
  const told = (failure: Failure) => inPart(failure, done, plan.request);
  if (!next) return { items, kind: 'done', records: done.at(-1)?.records ?? [], remembered: true };
  if (stop) return { items, kind: 'failed', failure: told(rememberedFailure(stop, next)), remembered: true };
  const result = notStarted(memory, next);
  if (done.length === 0 || result.kind === 'done') return result;
  return { items, kind: 'failed', failure: told(result.kind === 'failed' ? result.failure : notGoneOn()) };
}

/**
 * n8n takes an item with a field of this name for a failed one and runs the node again: its memory must be there then
 * (docs/n8n.md#items-and-errors).
 */
const looksFailed = ({ json }: INodeExecutionData) =>
  json.error !== undefined && json.error !== null && json.error !== false;

function tell({ context, journal }: SharedRun, results: RequestResult[], rows: Rows): void {
  const failed = failedHint(results, rows);
  if (failed !== undefined) context.addExecutionHints({ message: failed, type: 'warning', location: 'outputPane' });
  const all = [...hints(results, rows), ...(journal.gap === undefined ? [] : [journal.gap])];
  for (const message of all) context.addExecutionHints({ message, location: 'outputPane' });
}

/** The operation as the node's version has it: a saved workflow stays as it was. */
function chosenOperation(context: IExecuteFunctions, declared: Resource[]): Operation {
  const resources = resourcesAt(declared, context.getNode().typeVersion);
  const resource = context.getNodeParameter('resource', 0);
  const operation = context.getNodeParameter('operation', 0, '');
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
