import { deepCopy, type IDataObject, type IExecuteFunctions, type INode } from 'n8n-workflow';

/** All attempts of an execution share these names. */
export interface Lineage {
  isRetry: boolean;
  names: string[];
  /** Names under which an earlier attempt may have recorded writes. Empty if no earlier attempt can exist. */
  asked: ReadonlySet<string>;
  accountNames: string[];
  /** Names under which an earlier attempt may have recorded its account. */
  accountsAsked: string[];
  /** Whether to also record writes by content, because n8n can lose the execution's names when killed. */
  recordsContent: boolean;
  /** Whether the run is a retry for which n8n lost the names that identify the earlier attempt. */
  asksContent: boolean;
}

/** Returns milliseconds since 1970, or `undefined` if the run isn't a retry or n8n lost the time. */
export const beganAt = (context: IExecuteFunctions): number | undefined =>
  context.getMode() === 'retry' ? establishedAt(context) : undefined;

/** Returns milliseconds since 1970, the same in all attempts, or `undefined` if n8n lost the time. */
export function establishedAt(context: IExecuteFunctions): number | undefined {
  const established = contextOf(context);
  return established?.source === 'retry' ? undefined : established?.establishedAt;
}

const contextOf = (context: IExecuteFunctions) =>
  typeof context.getExecutionContext === 'function' ? context.getExecutionContext() : undefined;

/** Returns the execution's start if n8n 2 stored it before the nodes ran. Returns `undefined` for a sub-workflow. */
export function storedStart(context: IExecuteFunctions): number | undefined {
  const { triggerNode, parentExecutionId, establishedAt } = contextOf(context) ?? {};
  return triggerNode !== undefined && parentExecutionId === undefined ? establishedAt : undefined;
}

const ANY_EXECUTION = 'any execution';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Search period if the node doesn't know when the write was sent. */
const UNKNOWN_MOMENT_MS = DAY_MS;

/** Returns the start of the search for a write with evidence in n8n's database. */
export const earliestSending = (context: IExecuteFunctions): number =>
  beganAt(context) ?? Date.now() - UNKNOWN_MOMENT_MS;

/**
 * n8n creates a context when an execution begins and passes it to every retry (n8n.md#retries). n8n 1 can lose the
 * context, so the names may include the execution ID.
 */
export function lineageOf(context: IExecuteFunctions): Lineage {
  const established = contextOf(context);
  const isRetry = context.getMode() === 'retry';
  const isStored = storedStart(context) !== undefined;
  const byContext = established ? [`context ${established.establishedAt}`] : [];
  const byExecution = isStored ? [] : hasExecution(context) ? [`execution ${context.getExecutionId()}`] : days();
  const names = [...byContext, ...byExecution];
  // New executions that begin in the same millisecond have the same context names, but they aren't attempts of one
  // execution.
  const asked = isRetry ? names : byExecution;
  const asksContent = isRetry && established?.source === 'retry';
  return {
    isRetry,
    names,
    asked: new Set(asked),
    accountNames: [...names, ...(isStored ? [] : [ANY_EXECUTION])],
    accountsAsked: [...asked, ...(asksContent ? [ANY_EXECUTION] : [])],
    recordsContent: !isStored,
    asksContent,
  };
}

/** Unsaved workflows have a placeholder ID or none. */
export const isSaved = (id: string | undefined): boolean => id !== undefined && id !== '' && !id.startsWith('__EMPTY');

/** A call from the MCP Server Trigger has no execution (n8n.md#tools). */
export const hasExecution = (context: IExecuteFunctions): boolean => {
  const id: string | undefined = context.getExecutionId();
  return id !== undefined;
};

/**
 * Returns names for a person's decision, the current name first. If n8n lost the start of the execution, a name is
 * valid for one to two days.
 */
export function decisionNames(context: IExecuteFunctions): string[] {
  const start = establishedAt(context);
  return start === undefined ? days() : [`context ${start}`];
}

/** These runs share a name for one to two days. */
function days(): string[] {
  const today = Math.floor(Date.now() / DAY_MS);
  return [today, today - 1].map((day) => `day ${day}`);
}

/** The type of a node that runs as a tool ends in "Tool" (n8n.md#tools). */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');

/** The node's output leads back to it, so n8n can run it again. */
export function isInLoop(context: IExecuteFunctions): boolean {
  const { name } = context.getNode();
  const after = new Set(context.getChildNodes(name).map((node) => node.name));
  return context.getParentNodes(name).some((node) => after.has(node.name));
}

/** A retry of an iteration is not a new iteration. */
export interface Round {
  number: number;
  itemsBefore: number;
  before: Record<string, number>;
  own: Record<string, number>;
  items: number;
  runIndex: number;
  /** Number of earlier attempts' items that are missing in this and earlier iterations, if n8n lost the context. */
  missing?: number;
  missingBefore?: number;
  /** Set after n8n received the iteration's output. */
  hasEnded?: true;
}

const CONTEXT_KEY = 'paymentPlatformRounds';

type Kept = { [CONTEXT_KEY]?: Round };

const runIndexes = new WeakMap<IExecuteFunctions, number>();

/** The first index isn't always 0. n8n creates a context for each run and takes long to evaluate an expression. */
export function runIndexOf(context: IExecuteFunctions): number {
  const index = runIndexes.get(context) ?? Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
  runIndexes.set(context, index);
  return index;
}

/**
 * The node counts its iterations, because after a crash, n8n's run index includes a run that never happened
 * (n8n.md#retries).
 */
export function currentRound(context: IExecuteFunctions): Round {
  const kept: Kept = context.getContext('node');
  const runIndex = runIndexOf(context);
  const latest = kept[CONTEXT_KEY];
  const round = (kept[CONTEXT_KEY] = roundAt(runIndex, latest));
  round.items = context.getInputData().length;
  return round;
}

function roundAt(runIndex: number, latest: Round | undefined): Round {
  // The run index decreases only if n8n starts again with the first iteration.
  if (!latest || runIndex < latest.runIndex)
    return { number: 0, itemsBefore: 0, before: {}, own: {}, items: 0, runIndex };
  if (!latest.hasEnded || runIndex === latest.runIndex) {
    delete latest.hasEnded;
    return Object.assign(latest, { runIndex });
  }
  const { number, itemsBefore, before, own, items, missing: missingBefore } = latest;
  for (const [digest, count] of Object.entries(own)) before[digest] = (before[digest] ?? 0) + count;
  return { number: number + 1, itemsBefore: itemsBefore + items, before, own: {}, items: 0, runIndex, missingBefore };
}

/** Records that n8n receives the output, so that the next run starts a new iteration. */
export function endRound(context: IExecuteFunctions): void {
  const { [CONTEXT_KEY]: round }: Kept = context.getContext('node');
  if (round) round.hasEnded = true;
}

/** Latest loop iterations of previews, by the node's context, which a preview leaves unchanged. */
const previewed = new WeakMap<object, Round>();

/** Copies the node's context, with the latest iteration of its previews. */
export function copyForPreview(context: IExecuteFunctions): IDataObject {
  const own: Kept = context.getContext('node');
  const copy = deepCopy(own);
  const latest = previewed.get(own);
  if (latest && latest.runIndex > (own[CONTEXT_KEY]?.runIndex ?? -1)) copy[CONTEXT_KEY] = latest;
  return copy as IDataObject;
}

export function endPreviewedRound(context: IExecuteFunctions, preview: IExecuteFunctions): void {
  endRound(preview);
  const { [CONTEXT_KEY]: round }: Kept = preview.getContext('node');
  if (round) previewed.set(context.getContext('node'), round);
}
