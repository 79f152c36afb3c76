import type { IExecuteFunctions, INode } from 'n8n-workflow';
import type { EarlierTry } from '../model/write-memory';

/** Names that all attempts of an execution share, so that an attempt recognizes earlier attempts. */
export interface Lineage {
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

/**
 * Returns the start of the retried execution in milliseconds since 1970. Returns `undefined` if the run isn't a retry
 * or n8n lost the time.
 */
export const beganAt = (context: IExecuteFunctions): number | undefined =>
  context.getMode() === 'retry' ? establishedAt(context) : undefined;

/**
 * Returns the execution's start in milliseconds since 1970, the same in all attempts, or `undefined` if n8n lost the
 * time.
 */
export function establishedAt(context: IExecuteFunctions): number | undefined {
  const established = contextOf(context);
  return established?.source === 'retry' ? undefined : established?.establishedAt;
}

const contextOf = (context: IExecuteFunctions) =>
  typeof context.getExecutionContext === 'function' ? context.getExecutionContext() : undefined;

/**
 * Returns the start of the execution in milliseconds since 1970, if n8n 2 stored it before the nodes ran. Returns
 * `undefined` for a sub-workflow.
 */
export function storedStart(context: IExecuteFunctions): number | undefined {
  const { triggerNode, parentExecutionId, establishedAt } = contextOf(context) ?? {};
  return triggerNode !== undefined && parentExecutionId === undefined ? establishedAt : undefined;
}

const ANY_EXECUTION = 'any execution';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Period in milliseconds to search for a write if the node doesn't know when the write was sent. */
const UNKNOWN_MOMENT_MS = DAY_MS;

/** Returns the time from which to search for a write with evidence in n8n's database, in milliseconds since 1970. */
export function earliestSending(context: IExecuteFunctions, witness: EarlierTry): number {
  const aDayAgo = Date.now() - UNKNOWN_MOMENT_MS;
  const began = beganAt(context) ?? aDayAgo;
  return witness === 'keyBegun' ? Math.min(began, aDayAgo) : began;
}

/**
 * Returns the names of an execution's attempts. n8n creates a context when an execution begins and passes it to every
 * retry (n8n.md#retries). n8n 1 can lose the context, so the names may include the execution ID.
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
    names,
    asked: new Set(asked),
    accountNames: [...names, ...(isStored ? [] : [ANY_EXECUTION])],
    accountsAsked: [...asked, ...(asksContent ? [ANY_EXECUTION] : [])],
    recordsContent: !isStored,
    asksContent,
  };
}

/** Returns whether the workflow is saved. Unsaved workflows have a placeholder ID or none. */
export const isSaved = (id: string | undefined): boolean => id !== undefined && id !== '' && !id.startsWith('__EMPTY');

/**
 * Returns whether the run belongs to an execution. A call from the MCP Server Trigger has no execution (n8n.md#tools).
 */
export const hasExecution = (context: IExecuteFunctions): boolean => {
  const id: string | undefined = context.getExecutionId();
  return id !== undefined;
};

/** Runs outside an execution share a name for one to two days. */
function days(): string[] {
  const today = Math.floor(Date.now() / DAY_MS);
  return [today, today - 1].map((day) => `day ${day}`);
}

/** Returns whether the node runs as a tool of an AI agent. The type of such a node ends in "Tool" (n8n.md#tools). */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');

/** Iteration of a loop in which the node runs. A retry of an iteration is not a new iteration. */
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
  /** Set after n8n received the iteration's output. The next run is then a new iteration. */
  hasEnded?: true;
}

const CONTEXT_KEY = 'paymentPlatformRounds';

type Kept = { [CONTEXT_KEY]?: Round };

/** Returns n8n's run index of the node. The first index isn't always 0. */
export const runIndexOf = (context: IExecuteFunctions): number =>
  Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);

/**
 * Returns the node's current loop iteration. The node counts its iterations, because after a crash, n8n's run index
 * includes a run that never happened (n8n.md#retries).
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

/** Records that n8n receives the iteration's output, so that the next run starts a new iteration. */
export function endRound(context: IExecuteFunctions): void {
  const { [CONTEXT_KEY]: round }: Kept = context.getContext('node');
  if (round) round.hasEnded = true;
}
