import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import { batchItems } from './batch-items';
import { Budget } from '../limits/budget';
import { RecordMatcher } from '../lookup/match-records';
import { refusedRun, unreadableItem } from '../output/node-error';
import { DuplicateSearch } from '../lookup/find-duplicate';
import { Gate } from '../service/gate';
import { DatabaseKeys } from '../once/database-keys';
import { ToolMemory } from '../once/tool-memory';
import { ExecutionMemory } from '../once/execution-memory';
import { refuseRepeatedKeys } from '../once/once-per-key';
import { ListCache } from '../lookup/list-cache';
import { LostAnswers } from '../lookup/lost-answers';
import { readRunOptions } from './read-options';
import { failedHint, hints } from '../output/hints';
import { outputItems, stoppingError } from '../output/output-items';
import type { Remembered } from '../model/write-memory';
import { planItem } from './plan-item';
import type { Planned, Account, Operation, PlannedRequest, Resource } from '../model/types';
import { planWithFiles } from './plan-with-files';
import type { RequestResult } from '../model/results';
import { quietly, sendAll } from './send-all';
import { recallFromJournal, toldByJournal, toldOfPlaces, withoutSending } from './results-without-sending';
import type { SharedRun } from './shared-run';
import { currentRound, endRound } from '../n8n/count-rounds';
import { nameRows, type Rows } from '../messages/name-rows';
import { isTool } from '../n8n/lineage';
import { isExclusive } from '../model/footprint';
import { refusedItem, toolItems } from '../output/tool-answer';
import { withinTotal } from '../limits/total';
import { resourcesAt } from '../model/operation';

/** What a run works with, once its items are resolved and checked. */
interface Prepared {
  operation: Operation;
  account: Account;
  planned: Planned[];
  rows: Rows;
}

/** A run from which nothing was sent yet. */
interface Ready {
  shared: SharedRun;
  planned: Planned[];
  rows: Rows;
  operation: Operation;
}

/**
 * The one way from input items to output items: read and check all of them, send, decode, present.
 * @throws NodeOperationError before anything is sent when the credential or an item is not valid, and NodeApiError
 * when an item fails. With On Error set to continue, and as an AI agent's tool, nothing is thrown: the item carries its
 * error instead.
 */
export async function run(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[][]> {
  if (isTool(context.getNode())) return [await runAsTool(context, resources)];
  const items = await runAsNode(context, resources);
  quietly(() => endRound(context));
  return [items];
}

async function runAsNode(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[]> {
  const node = context.getNode();
  const goOn = context.continueOnFail();
  const toItems = (results: RequestResult[]) => outputItems(results, node.onError === 'continueErrorOutput');
  const begins = readyAsNode(context, resources, goOn);
  const ready = goOn
    ? await begins.catch(async (error: unknown) => await resultsOfRefusedRun(context, error))
    : await begins;
  if (Array.isArray(ready)) {
    quietly(() => hint(context, [failedHint(ready, { count: ready.length, names: new Map() })], 'warning'));
    return toItems(ready);
  }
  const { shared, planned, rows, operation } = ready;
  const results = await sendAll(shared, planned);
  if (!goOn && results.some(({ kind }) => kind !== 'done')) throw stoppingError(node, operation, results, rows);
  const items = toItems(results);
  quietly(() => shared.memory.end(results.every(({ kind }) => kind === 'done') && !items.some(looksFailed)));
  quietly(() => tell(shared, results, rows));
  return items;
}

/** Reads and checks all items. With On Error set to Stop, an item that can't be sent stops the run. */
async function readyAsNode(context: IExecuteFunctions, resources: Resource[], goOn: boolean): Promise<Ready> {
  // Each run counts, also one that is refused as a whole.
  currentRound(context);
  const { operation, account, planned: all, rows } = await prepare(context, resources);
  const memory = ExecutionMemory.open(context, account).withAccount();
  const keyed = refuseRepeatedKeys(all, context);
  const writes = writesOf(keyed);
  const keys = DatabaseKeys.open(context, account, writes);
  const refuseOrGoOn = async (planned: Planned[]) => {
    if (goOn || planned.every((plan) => 'request' in plan)) return planned;
    const results = planned.map((plan) => withoutSending(plan, memory));
    const told = await toldByJournal({ context, keys, memory }, planned, results).catch(() => results.flat());
    throw stoppingError(context.getNode(), operation, told, rows);
  };
  // What an earlier try moved counts, also where n8n was killed and only the journal knows of it.
  if (writes.some(({ options }) => options.limitPerExecution !== undefined))
    await recallFromJournal({ keys, memory }, writes);
  const planned = await refuseOrGoOn(withinTotal(keyed, memory));
  const shared = sharedRun(context, account, { memory, keys }, goOn, planned);
  return { shared, planned: await withinBudget(shared, planned, refuseOrGoOn), rows, operation };
}

/** Everything that a model could not read, or could be misled by, if it was thrown: see output/tool-answer.ts. */
async function runAsTool(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[]> {
  let ready: Ready;
  try {
    ready = await readyAsTool(context, resources);
  } catch (error) {
    return [refusedItem(error)];
  }
  const { shared, planned, rows } = ready;
  const results = await sendAll(shared, planned);
  quietly(() => tell(shared, results, rows));
  return toolItems(results);
}

async function readyAsTool(context: IExecuteFunctions, resources: Resource[]): Promise<Ready> {
  const { operation, account, planned, rows } = await prepare(context, resources);
  const ledger = ToolMemory.open(context, account);
  const keys = DatabaseKeys.open(context, account, writesOf(planned));
  const shared = sharedRun(context, account, { memory: ledger, keys }, true, planned);
  const { footprint } = operation;
  // A second equal payment that a person allowed is no duplicate of the first.
  if (footprint && isExclusive(footprint))
    for (const record of ledger.made()) shared.recordMatcher.take(asText(record[footprint.list.identity]));
  return { shared, planned: await withinBudget(shared, planned), rows, operation };
}

async function prepare(context: IExecuteFunctions, resources: Resource[]): Promise<Prepared> {
  const operation = chosenOperation(context, resources);
  const node = context.getNode();
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), node);
  const plans = operation.request.encoding === 'multipart' ? planWithFiles : planItem;
  const items: Planned[] = [];
  // One after the other, so that the content of one file at a time is held.
  for (const item of context.getInputData().keys())
    items.push(await planned(async () => await plans(context, operation, account, item, node), context, item));
  const requests = batchItems(operation, items);
  // The call of a tool is known as a whole.
  if (isTool(node)) for (const plan of requests) if ('request' in plan) delete plan.request.shares;
  return { operation, account, planned: requests, rows: nameRows(items) };
}

/** Plans an item. An item for which planning throws fails alone. */
async function planned(plan: () => Promise<Planned>, context: IExecuteFunctions, item: number): Promise<Planned> {
  try {
    const made = await plan();
    // Memory and journal make digests of both: they throw here, for this item alone, or never.
    if ('request' in made && made.request.effect !== 'reads')
      JSON.stringify([made.request.values, context.getInputData()[item]?.json]);
    return made;
  } catch (error) {
    return { failure: unreadableItem(error), item };
  }
}

function sharedRun(
  context: IExecuteFunctions,
  account: Account,
  { memory, keys }: Pick<SharedRun, 'memory' | 'keys'>,
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
  const writes = writesOf(planned);
  const recordMatcher = new RecordMatcher(context, writes);
  const lists = new ListCache({ context, account, options }, async (milliseconds) => await gate.rest(milliseconds));
  const looking = { context, lists, gate, recordMatcher, writes };
  const lostAnswers = new LostAnswers({ ...looking, goOn, isOn: options.lookUpUnknown });
  const duplicates = new DuplicateSearch(looking);
  const budget = new Budget({ context, account, options });
  const earlier = new Map<PlannedRequest, Remembered>();
  const kept = { memory, keys, budget, earlier, lostAnswers, duplicates, recordMatcher };
  return { context, account, options, gate, goOn, ...kept };
}

const writesOf = (planned: Planned[]): PlannedRequest[] =>
  planned.flatMap((plan) => ('request' in plan && plan.request.effect !== 'reads' ? [plan.request] : []));

/** @param checked takes what the budget of the day leaves, and throws where the run is to stop because of the rest. */
async function withinBudget(
  shared: SharedRun,
  planned: Planned[],
  checked = async (left: Planned[]): Promise<Planned[]> => await Promise.resolve(left),
): Promise<Planned[]> {
  let isReady = false;
  try {
    const left = await checked(await shared.budget.within(planned, shared.memory));
    isReady = true;
    return left;
  } finally {
    if (!isReady) shared.budget.end();
  }
}

/** Nothing of an account is needed to know what an earlier try did at the place of an item. */
const NO_ACCOUNT: Account = { environment: 'production', baseUrl: '', merchantId: '', digestKey: '' };

/** The results of a run that could not begin. What an earlier try did stays true. */
async function resultsOfRefusedRun(context: IExecuteFunctions, error: unknown): Promise<RequestResult[]> {
  const failure = refusedRun(error);
  const plans = context.getInputData().map((_, item) => ({ failure, item }));
  try {
    const memory = ExecutionMemory.open(context, NO_ACCOUNT);
    const results = plans.flatMap((plan) => withoutSending(plan, memory));
    const items = plans.map(({ item }) => item);
    return await toldOfPlaces(context, results, items).catch(() => results);
  } catch {
    return plans.map(({ item }): RequestResult => ({ items: [item], kind: 'failed', failure }));
  }
}

/**
 * n8n takes an item with a field of this name for a failed one and runs the node again: its memory must be there then
 * (n8n.md#items-and-errors).
 */
const looksFailed = ({ json }: INodeExecutionData) =>
  json.error !== undefined && json.error !== null && json.error !== false;

function tell({ context, keys }: SharedRun, results: RequestResult[], rows: Rows): void {
  hint(context, [failedHint(results, rows)], 'warning');
  hint(context, [...hints(results, rows), keys.hint]);
}

function hint(context: IExecuteFunctions, messages: Array<string | undefined>, type?: 'warning'): void {
  for (const message of messages)
    if (message !== undefined) context.addExecutionHints({ message, location: 'outputPane', ...(type && { type }) });
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
