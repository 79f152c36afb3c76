import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import { batchItems } from './batch-items';
import type { DayLimit } from '../limits/day-limit';
import { NodeDayLimit } from '../limits/node-day-limit';
import { ReportDayLimit } from '../limits/report-day-limit';
import { dayRecordsOf, DayWriteRecorder } from '../limits/day-writes';
import { RecordMatcher } from '../lookup/match-records';
import { OtherRuns } from '../lookup/record-owners';
import { refusedRun, unreadableItem } from '../output/node-error';
import { DuplicateSearch } from '../lookup/find-duplicate';
import { Gate } from '../service/gate';
import { DatabaseKeys } from '../once/database-keys';
import { ToolMemory } from '../once/tool-memory';
import { ExecutionMemory } from '../once/execution-memory';
import { ListCache } from '../lookup/list-cache';
import { LostAnswers } from '../lookup/lost-answers';
import { DEFAULT_RUN_OPTIONS, OPTIONS, readRunOptions } from './read-options';
import { failedHint, hints, outputItems, stoppingError } from '../output/output-items';
import type { ItemOptions, RunOptions } from '../model/option-types';
import type { Remembered } from '../model/write-memory';
import { unusedCodes } from '../messages/earlier-attempts';
import { planItem, planWithFiles } from './plan-item';
import type { Planned, Account, Operation, PlannedRequest, Resource } from '../model/types';
import type { RequestResult } from '../model/results';
import { correctResults, sendAll } from './send-all';
import { recallFromDatabase, correctByPlaces, withoutSending, withSharedRecord } from './results-without-sending';
import type { SharedRun } from './shared-run';
import { currentRound, endRound, isTool } from '../n8n/lineage';
import { isGiven, timeZoneOf } from '../n8n/read-parameter';
import { nameRows, type Rows } from '../messages/name-rows';
import { isExclusive } from '../model/footprint';
import { refusedItem, toolItems } from '../output/tool-answer';
import { ExecutionLimit } from '../limits/execution-limit';
import { resourcesAt, takesMany } from '../model/operation';

interface Prepared extends Pick<SharedRun, 'account' | 'options' | 'gate'> {
  operation: Operation;
  planned: Planned[];
  rows: Rows;
}

interface Ready {
  shared: SharedRun;
  planned: Planned[];
  rows: Rows;
  operation: Operation;
}

/**
 * Reads and checks all items, sends their requests, and returns the output items.
 * @throws NodeOperationError if the credential or an item is invalid or a user cancels the run, and NodeApiError if an
 * item fails at the service.
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
  const toItems = (results: RequestResult[], operation?: Operation) =>
    outputItems(results, node.onError === 'continueErrorOutput', operation);
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
  const items = toItems(results, operation);
  quietly(() => {
    const unused = codesWithoutEffect(shared, writesOf(planned));
    if (unused.length > 0) hint(context, [unusedCodes(unused)]);
  });
  quietly(() => shared.memory.end(results.every(({ kind }) => kind === 'done') && !items.some(looksFailed)));
  quietly(() => tell(shared, results, rows, operation));
  return items;
}

async function readyAsNode(context: IExecuteFunctions, resources: Resource[], goOn: boolean): Promise<Ready> {
  // Counts the loop iteration even if the node later refuses the run.
  currentRound(context);
  const prepared = await prepare(context, resources);
  const { operation, account, options, planned: all, rows } = prepared;
  const memory = ExecutionMemory.open(context, account).withAccount();
  const writes = writesOf(all);
  memory.followItems(writes);
  const keys = DatabaseKeys.open(context, account, writes, options.timeoutMs);
  await keys.giveReferences(writes, memory);
  await keys.recordAccount(writes);
  const refuseOrGoOn = async (planned: Planned[]) => {
    if (goOn || planned.every((plan) => 'request' in plan)) return planned;
    const results = planned.map((plan) => withoutSending(plan, memory));
    const told = await correctResults({ context, keys, memory }, planned, results);
    throw stoppingError(context.getNode(), operation, told, rows);
  };
  const isLimited = someHave(writes, 'limitPerExecution');
  // The limit includes earlier attempts, and their records belong to no other item. If n8n was killed, only its database
  // shows these attempts.
  if (keys.mayBeRetry) await recallFromDatabase({ keys, memory }, isLimited ? writes : withSharedRecord(writes));
  const executionLimit = isLimited ? new ExecutionLimit(memory) : undefined;
  const planned = await refuseOrGoOn(executionLimit?.within(all) ?? all);
  const shared = sharedRun(context, prepared, { memory, executionLimit, keys }, goOn, planned);
  return { shared, planned: await withinDayLimit(shared, planned, refuseOrGoOn), rows, operation };
}

/** Never throws, because n8n shortens or removes error messages on their way to a model. */
async function runAsTool(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[]> {
  let ready: Ready;
  try {
    ready = await readyAsTool(context, resources);
  } catch (error) {
    return [refusedItem(error)];
  }
  const { shared, planned, rows, operation } = ready;
  const results = await sendAll(shared, planned);
  quietly(() => tell(shared, results, rows, operation));
  return toolItems(results, operation);
}

async function readyAsTool(context: IExecuteFunctions, resources: Resource[]): Promise<Ready> {
  const prepared = await prepare(context, resources);
  const { operation, account, options, planned, rows } = prepared;
  const ledger = ToolMemory.open(context, account);
  const writes = writesOf(planned);
  const keys = DatabaseKeys.open(context, account, writes, options.timeoutMs);
  await keys.giveReferences(writes);
  await keys.recordAccount(writes);
  const executionLimit = someHave(writes, 'limitPerExecution') ? new ExecutionLimit(ledger) : undefined;
  const shared = sharedRun(context, prepared, { memory: ledger, executionLimit, keys }, true, planned);
  const { footprint } = operation;
  // If a person allows identical payments, the record of an earlier call isn't a duplicate.
  if (footprint && isExclusive(footprint))
    for (const record of ledger.made()) shared.recordMatcher.take(asText(record[footprint.list.identity]));
  return { shared, planned: await withinDayLimit(shared, planned), rows, operation };
}

async function prepare(context: IExecuteFunctions, resources: Resource[]): Promise<Prepared> {
  // Refuses a time zone that doesn't exist.
  timeZoneOf(context);
  const operation = chosenOperation(context, resources);
  const node = context.getNode();
  const options = isGiven(node, OPTIONS) ? readRunOptions(context) : DEFAULT_RUN_OPTIONS;
  const gate = openGate(context, options);
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), node);
  const plans = operation.request.encoding === 'multipart' ? planWithFiles : planItem;
  const items: Planned[] = [];
  // Plans the items one after the other, so that only one file is in memory at a time.
  for (const item of context.getInputData().keys())
    items.push(await planned(async () => await plans(context, operation, account, item, node), context, item));
  const requests = takesMany(operation) ? batchItems(operation, items) : items;
  if (isTool(node)) for (const plan of requests) if ('request' in plan) delete plan.request.shares;
  let names: Rows['names'] | undefined;
  const rows: Rows = {
    count: items.length,
    get names() {
      return (names ??= nameRows(items));
    },
  };
  return { operation, account, options, gate, planned: requests, rows };
}

/** If planning throws, only this item fails. */
async function planned(plan: () => Promise<Planned>, context: IExecuteFunctions, item: number): Promise<Planned> {
  try {
    const made = await plan();
    // The node serializes these values later. If they can't be serialized, only this item fails.
    const request = 'request' in made ? made.request : made.refused;
    if (request && request.effect !== 'reads') JSON.stringify([request.values, context.getInputData()[item]?.json]);
    return made;
  } catch (error) {
    return { failure: unreadableItem(error), item };
  }
}

function openGate(context: IExecuteFunctions, options: RunOptions): Gate {
  const gate = new Gate({
    most: options.maxParallelRequests,
    longestWaitMs: options.retryTimeMs,
    canceled: () => context.getExecutionCancelSignal()?.aborted === true,
  });
  context.onExecutionCancellation(() => gate.close());
  return gate;
}

function sharedRun(
  context: IExecuteFunctions,
  { account, options, gate }: Prepared,
  { keys, ...memory }: Pick<SharedRun, 'memory' | 'executionLimit' | 'keys'>,
  goOn: boolean,
  planned: Planned[],
): SharedRun {
  const writes = writesOf(planned);
  const dayLimit = openDayLimit({ context, account, options }, writes);
  const recordMatcher = new RecordMatcher(context, writes, OtherRuns.of(account));
  // A record that appears now may belong to an earlier attempt that the node hasn't looked up yet.
  for (const write of writes) if (memory.memory.openAttempts(write) > 0) recordMatcher.leaveOpen(write);
  let cache: ListCache | undefined;
  const rest = async (milliseconds: number) => await gate.rest(milliseconds);
  const looking = {
    context,
    account,
    gate,
    keys,
    recordMatcher,
    writes,
    get lists() {
      return (cache ??= new ListCache({ context, account, options }, rest));
    },
  };
  const lostAnswers = new LostAnswers(looking, goOn);
  const duplicates = someHave(writes, 'existing') ? new DuplicateSearch(looking) : undefined;
  const earlier = new Map<PlannedRequest, Remembered>();
  const kept = { ...memory, keys, dayLimit, earlier, lostAnswers, duplicates, recordMatcher };
  return { context, account, options, gate, goOn, ...kept };
}

function openDayLimit(
  looking: { context: IExecuteFunctions; account: Account; options: RunOptions },
  writes: PlannedRequest[],
): DayLimit | undefined {
  const { context, account } = looking;
  const recorder = writes.some((request) => dayRecordsOf(request) !== undefined)
    ? new DayWriteRecorder(account)
    : undefined;
  if (!someHave(writes, 'limitPerDay')) return recorder;
  const isReported = writes[0]?.operation.dayRecords !== undefined;
  return isReported ? new ReportDayLimit(looking) : new NodeDayLimit(context, account, recorder);
}

const writesOf = (planned: Planned[]): PlannedRequest[] =>
  planned.flatMap((plan) => ('request' in plan && plan.request.effect !== 'reads' ? [plan.request] : []));

const someHave = (writes: PlannedRequest[], option: keyof ItemOptions) =>
  writes.some(({ options }) => options[option] !== undefined);

/** @param checked receives the remaining items, and throws if the run must stop. */
async function withinDayLimit(
  shared: SharedRun,
  planned: Planned[],
  checked = async (left: Planned[]): Promise<Planned[]> => await Promise.resolve(left),
): Promise<Planned[]> {
  let isReady = false;
  try {
    const { dayLimit, memory } = shared;
    const left = await checked(dayLimit ? await dayLimit.within(planned, memory) : planned);
    isReady = true;
    return left;
  } finally {
    if (!isReady) await shared.dayLimit?.end();
  }
}

/** Ignores the task's error, so that the run's results are not lost. */
export function quietly(task: () => void): void {
  try {
    task();
  } catch {
    // The error is ignored, because the results do not depend on the task.
  }
}

const NO_ACCOUNT: Account = { environment: 'production', baseUrl: '', merchantId: '', digestKey: '' };

/** Keeps the results of earlier attempts. */
async function resultsOfRefusedRun(context: IExecuteFunctions, error: unknown): Promise<RequestResult[]> {
  const failure = refusedRun(error);
  const plans = context.getInputData().map((_, item) => ({ failure, item }));
  try {
    const memory = ExecutionMemory.open(context, NO_ACCOUNT);
    const results = plans.flatMap((plan) => withoutSending(plan, memory));
    const items = plans.map(({ item }) => item);
    return await correctByPlaces(context, results, items);
  } catch {
    return plans.map(({ item }): RequestResult => ({ items: [item], kind: 'failed', failure }));
  }
}

/** n8n 1 may run the node again because of any `error` (n8n.md#items-and-errors). */
const looksFailed = ({ json }: INodeExecutionData) => json.error !== undefined;

/** Returns the codes of Resolve Items that resolved no attempt of this execution. */
function codesWithoutEffect({ memory, keys }: SharedRun, writes: PlannedRequest[]): string[] {
  const entered = new Set(writes.flatMap(({ options }) => [...(options.resolved?.keys() ?? [])]));
  return [...entered].filter((code) => !memory.hasResolved?.(code) && !keys.oncePerKey.codes.has(code));
}

function tell({ context, keys }: SharedRun, results: RequestResult[], rows: Rows, operation: Operation): void {
  hint(context, [failedHint(results, rows)], 'warning');
  hint(context, [...hints(results, rows, operation), keys.hint]);
}

function hint(context: IExecuteFunctions, messages: Array<string | undefined>, type?: 'warning'): void {
  for (const message of messages)
    if (message !== undefined) context.addExecutionHints({ message, location: 'outputPane', ...(type && { type }) });
}

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
