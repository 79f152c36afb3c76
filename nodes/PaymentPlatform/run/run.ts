import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asText, isObject } from '../shared/objects';
import type { DayLimit } from '../limits/day-limit';
import { NodeDayLimit } from '../limits/node-day-limit';
import { ReportDayLimit } from '../limits/report-day-limit';
import { dayRecordsOf, DayWriteRecorder } from '../limits/day-writes';
import { RecentPayments } from '../limits/recent-payments';
import { RecordMatcher } from '../lookup/match-records';
import { OtherRuns } from '../lookup/record-owners';
import { refusedRun } from '../output/node-error';
import { DuplicateSearch } from '../lookup/find-duplicate';
import { DatabaseKeys } from '../once/database-keys';
import { SubmittedRequests } from '../once/submitted-requests';
import { ToolMemory } from '../once/tool-memory';
import { ExecutionMemory } from '../once/execution-memory';
import { ListCache } from '../lookup/list-cache';
import { LostAnswers } from '../lookup/lost-answers';
import { describePreviews, Preview, previewHint } from '../output/describe-previews';
import { failedHint, hints, outputItems, stoppingError } from '../output/output-items';
import type { ItemOptions, RunOptions } from '../model/option-types';
import type { Remembered } from '../model/write-memory';
import { unusedCodes } from '../messages/earlier-attempts';
import type { Planned, Account, Operation, PlannedRequest, Resource } from '../model/types';
import type { RequestResult } from '../model/results';
import { prepareRun, requestsOf, type Prepared } from './plan-item';
import { refuseWithoutRecord } from './decide-request';
import { correctResults, sendAll } from './send-all';
import { recallFromDatabase, correctByPlaces, withoutSending, withSharedRecord } from './results-without-sending';
import type { SharedRun } from './shared-run';
import { currentRound, endPreviewedRound, endRound, isTool } from '../n8n/lineage';
import { previewOf } from '../n8n/preview';
import type { Rows } from '../messages/name-rows';
import { isExclusive } from '../model/footprint';
import { refusedItem, toolItems } from '../output/tool-answer';
import { ExecutionLimit } from '../limits/execution-limit';

interface Ready {
  shared: SharedRun;
  planned: Planned[];
}

/**
 * Reads and checks all items, sends their requests, and returns the output items.
 * @throws NodeOperationError if the credential or an item is invalid or a user cancels the run, and NodeApiError if an
 * item fails at the service.
 */
export async function run(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[][]> {
  return [await (isTool(context.getNode()) ? runAsTool : runAsNode)(context, resources)];
}

async function runAsNode(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[]> {
  const prepared = await prepareRun(context, resources).catch((error: unknown) => ({ error }));
  if ('error' in prepared) return await refuseRun(context, prepared.error, [...context.getInputData().keys()]);
  const { items } = prepared;
  const sent = items.filter(({ isPreview }) => !isPreview);
  if (sent.length === items.length) return await sendItems(context, prepared);
  const preview = previewOf(context);
  // The previews then include what the other items change.
  const output = sent.length > 0 ? await sendItems(context, { ...prepared, items: sent }) : [];
  const previewed = { ...prepared, items: items.filter(({ isPreview }) => isPreview) };
  return [...output, ...(await previewItems(context, preview, previewed))].sort(
    (one, other) => indexOf(one) - indexOf(other),
  );
}

const indexOf = ({ pairedItem }: INodeExecutionData): number => (isObject(pairedItem) ? Number(pairedItem.item) : 0);

async function sendItems(context: IExecuteFunctions, prepared: Prepared): Promise<INodeExecutionData[]> {
  const { operation, rows } = prepared;
  const goOn = context.continueOnFail();
  const ready = await readyAsNode(context, prepared, goOn).catch((error: unknown) => ({ error }));
  if ('error' in ready) return await refuseRun(context, ready.error, prepared.items.map(inputIndexOf));
  const { shared, planned } = ready;
  const results = await sendAll(shared, planned);
  if (!goOn && results.some(({ kind }) => kind !== 'done'))
    throw stoppingError(context.getNode(), operation, results, rows);
  const items = toItems(context, results, operation);
  quietly(() => {
    const unused = codesWithoutEffect(shared, writesOf(planned));
    if (unused.length > 0) hint(context, [unusedCodes(unused)]);
  });
  quietly(() => shared.memory.end(results.every(({ kind }) => kind === 'done') && !items.some(looksFailed)));
  quietly(() => tell(shared, results, rows, operation));
  quietly(() => endRound(context));
  return items;
}

/** Shows what the node would send. Changes nothing, so that a later run sends the same requests. */
async function previewItems(
  context: IExecuteFunctions,
  ofPreview: IExecuteFunctions,
  prepared: Prepared,
): Promise<INodeExecutionData[]> {
  const preview = new Preview();
  const { shared, planned } = await readyAsNode(ofPreview, prepared, true, preview);
  const results = describePreviews(await sendAll(shared, planned), preview);
  quietly(() => endPreviewedRound(context, ofPreview));
  quietly(() => hint(context, [previewHint(results, context.continueOnFail())]));
  return outputItems(results);
}

/** @throws the error, unless the user chose to continue on errors. */
async function refuseRun(context: IExecuteFunctions, error: unknown, items: number[]): Promise<INodeExecutionData[]> {
  // Counts the loop iteration.
  currentRound(context);
  if (!context.continueOnFail()) throw error;
  const results = await resultsOfRefusedRun(context, error, items);
  quietly(() => hint(context, [failedHint(results, { count: results.length, names: new Map() })], 'warning'));
  quietly(() => endRound(context));
  return toItems(context, results);
}

const toItems = (context: IExecuteFunctions, results: RequestResult[], operation?: Operation) =>
  outputItems(results, context.getNode().onError === 'continueErrorOutput', operation);

async function readyAsNode(
  context: IExecuteFunctions,
  prepared: Prepared,
  goOn: boolean,
  preview?: Preview,
): Promise<Ready> {
  // Counts the loop iteration even if the node later refuses the run.
  currentRound(context);
  const { operation, account, options, rows } = prepared;
  const all = requestsOf(operation, prepared.items);
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
  const allowed = await refuseOrGoOn(executionLimit?.within(all) ?? all);
  const shared = sharedRun(context, prepared, { memory, executionLimit, keys, preview }, goOn, allowed);
  const isComplete = preview !== undefined || operation.completion === undefined;
  const planned = isComplete ? allowed : await refuseOrGoOn(await refuseWithoutRecord(shared, allowed));
  return { shared, planned: await withinDayLimit(shared, planned, refuseOrGoOn) };
}

/** Never throws, because n8n shortens or removes error messages on their way to a model. */
async function runAsTool(context: IExecuteFunctions, resources: Resource[]): Promise<INodeExecutionData[]> {
  let prepared: Prepared;
  let ready: Ready;
  try {
    prepared = await prepareRun(context, resources);
    ready = await readyAsTool(context, prepared);
  } catch (error) {
    return [refusedItem(error)];
  }
  const { operation, rows } = prepared;
  const results = await sendAll(ready.shared, ready.planned);
  quietly(() => tell(ready.shared, results, rows, operation));
  return toolItems(results, operation);
}

async function readyAsTool(context: IExecuteFunctions, prepared: Prepared): Promise<Ready> {
  const { operation, account, options } = prepared;
  const planned = requestsOf(operation, prepared.items);
  for (const plan of planned) if ('request' in plan) delete plan.request.shares;
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
  return { shared, planned: await withinDayLimit(shared, planned) };
}

function sharedRun(
  context: IExecuteFunctions,
  { account, options, gate }: Prepared,
  { keys, preview, ...memory }: Pick<SharedRun, 'memory' | 'executionLimit' | 'keys' | 'preview'>,
  goOn: boolean,
  planned: Planned[],
): SharedRun {
  const writes = writesOf(planned);
  const isPreview = preview !== undefined;
  const dayLimit = openDayLimit({ context, account, options, isPreview }, writes);
  const recentPayments = writes.length > 0 ? new RecentPayments(context, account, isPreview) : undefined;
  const isTracked = !isPreview && writes.some(({ operation }) => operation.eventsBy !== undefined);
  const submitted = isTracked ? new SubmittedRequests(context, account) : undefined;
  const recordMatcher = new RecordMatcher(
    context,
    writes,
    preview ? OtherRuns.of(account).copy() : OtherRuns.of(account),
  );
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
  const limits = { dayLimit, recentPayments };
  const kept = { ...memory, ...limits, keys, preview, submitted, earlier, lostAnswers, duplicates, recordMatcher };
  return { context, account, options, gate, goOn, ...kept };
}

function openDayLimit(
  looking: { context: IExecuteFunctions; account: Account; options: RunOptions; isPreview: boolean },
  writes: PlannedRequest[],
): DayLimit | undefined {
  const { context, account } = looking;
  const recorder = writes.some((request) => dayRecordsOf(request) !== undefined)
    ? new DayWriteRecorder(account, looking.isPreview)
    : undefined;
  if (!someHave(writes, 'limitPerDay')) return recorder;
  const isReported = writes[0]?.operation.dayRecords !== undefined;
  return isReported ? new ReportDayLimit(looking) : new NodeDayLimit(context, account, recorder);
}

const inputIndexOf = (plan: Planned): number => ('request' in plan ? (plan.request.items[0] ?? 0) : plan.item);

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
async function resultsOfRefusedRun(
  context: IExecuteFunctions,
  error: unknown,
  items: number[],
): Promise<RequestResult[]> {
  const failure = refusedRun(error);
  const plans = items.map((item) => ({ failure, item }));
  try {
    const memory = ExecutionMemory.open(context, NO_ACCOUNT);
    const results = plans.flatMap((plan) => withoutSending(plan, memory));
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
