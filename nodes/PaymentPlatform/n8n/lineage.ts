import type { IExecuteFunctions, INode } from 'n8n-workflow';
import type { EarlierTry } from '../model/write-memory';

/** Names that all attempts of an execution share, so that an attempt recognizes earlier attempts. */
export interface Lineage {
  isRetry: boolean;
  /** Names under which this attempt records its writes. */
  names: string[];
  /** Names under which an earlier attempt may have recorded writes. */
  asked: ReadonlySet<string>;
  /** Names under which this attempt records its account. */
  accountNames: string[];
  /** Names under which an earlier attempt may have recorded its account. */
  accountsAsked: string[];
  /** Whether to also record writes by content alone, because a kill of n8n can lose every name. */
  recordsContent: boolean;
  /** Whether the run is a retry for which n8n lost all names of the earlier attempt. */
  asksContent: boolean;
}

/**
 * Returns the start of the retried execution in milliseconds since 1970. Returns `undefined` if the run is no retry or
 * n8n lost the time.
 */
export const beganAt = (context: IExecuteFunctions): number | undefined =>
  context.getMode() === 'retry' ? establishedAt(context) : undefined;

/** Returns the start of the execution, which is equal in all attempts, or `undefined` if n8n lost the time. */
export function establishedAt(context: IExecuteFunctions): number | undefined {
  const established = contextOf(context);
  return established?.source === 'retry' ? undefined : established?.establishedAt;
}

const contextOf = (context: IExecuteFunctions) =>
  typeof context.getExecutionContext === 'function' ? context.getExecutionContext() : undefined;

/**
 * Returns the start of the execution in milliseconds since 1970, if n8n stored the time before the nodes run. A retry
 * then has the same time, even after a kill. Only n8n 2 provides `triggerNode`. A sub-workflow has the context of its
 * parent, so the function returns `undefined`.
 */
export function storedStart(context: IExecuteFunctions): number | undefined {
  const { triggerNode, parentExecutionId, establishedAt } = contextOf(context) ?? {};
  return triggerNode !== undefined && parentExecutionId === undefined ? establishedAt : undefined;
}

/** Name for all executions of the node. Used if n8n lost the names of the execution. */
const ANY_EXECUTION = 'any execution';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Search period in milliseconds for a write if the node doesn't know the time of sending. */
const UNKNOWN_MOMENT_MS = DAY_MS;

/**
 * Returns the earliest time at which a write can have been sent, in milliseconds since 1970. Used if only n8n's
 * database contains the write, because the database contains no times. Another execution may have begun a key of Once
 * per Key.
 */
export function earliestSending(context: IExecuteFunctions, witness: EarlierTry): number {
  const aDayAgo = Date.now() - UNKNOWN_MOMENT_MS;
  const began = beganAt(context) ?? aDayAgo;
  return witness === 'keyBegun' ? Math.min(began, aDayAgo) : began;
}

/**
 * Returns the names of an execution's attempts. n8n creates a context when an execution begins and passes the context
 * to every retry (n8n.md#retries). n8n 2 stores the context before the nodes run, but n8n 1 stores the context with the
 * execution's result. In n8n 1, a job that another worker continues has a new context but the same execution ID.
 */
export function lineageOf(context: IExecuteFunctions): Lineage {
  const established = contextOf(context);
  const isRetry = context.getMode() === 'retry';
  const isStored = storedStart(context) !== undefined;
  const byContext = established ? [`context ${established.establishedAt}`] : [];
  const byExecution = isStored ? [] : hasExecution(context) ? [`execution ${context.getExecutionId()}`] : days();
  const names = [...byContext, ...byExecution];
  // Two new executions that begin in the same millisecond are not attempts of the same execution.
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

/** Returns whether the workflow was saved. An unsaved workflow has no ID or a placeholder. */
export const isSaved = (id: string | undefined): boolean => id !== undefined && id !== '' && !id.startsWith('__EMPTY');

/** Returns whether the run belongs to an execution, unlike a call of the MCP Server Trigger (n8n.md#tools). */
export const hasExecution = (context: IExecuteFunctions): boolean => {
  const id: string | undefined = context.getExecutionId();
  return id !== undefined;
};

/** Returns names that runs without an execution share for at least one and at most two days. */
function days(): string[] {
  const today = Math.floor(Date.now() / DAY_MS);
  return [today, today - 1].map((day) => `day ${day}`);
}

/** Returns whether the node runs as a tool of an AI agent. The type of such a node ends in "Tool" (n8n.md#tools). */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');

/** Round of the node in an execution. A loop runs the node once per round. A retry of a round is not a new round. */
export interface Round {
  /** Number of earlier rounds. */
  number: number;
  /** Number of items in all earlier rounds. */
  itemsBefore: number;
  /** Number of occurrences of each item in earlier rounds, by digest. */
  before: Record<string, number>;
  /** Number of occurrences of each item in this round, by digest. */
  own: Record<string, number>;
  /** Number of items in this round. */
  items: number;
  /** n8n's run index of the round. */
  runIndex: number;
  /** Set after n8n received the round's output, so that the next run is the next round. */
  hasEnded?: true;
}

/** Name of the round in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformRounds';

type Kept = { [CONTEXT_KEY]?: Round };

/** Returns n8n's run index of the node. Two runs have different indexes, but the first index isn't always 0. */
export const runIndexOf = (context: IExecuteFunctions): number =>
  Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);

/**
 * Returns the current round of the node. The node counts its rounds, because n8n's run index includes a run that never
 * happened after a crash (n8n.md#retries). After a kill, n8n has lost the count and the finished rounds, and starts
 * with the first round again.
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
  // The run index decreases only if n8n starts again with the first round.
  if (!latest || runIndex < latest.runIndex)
    return { number: 0, itemsBefore: 0, before: {}, own: {}, items: 0, runIndex };
  if (!latest.hasEnded || runIndex === latest.runIndex) {
    delete latest.hasEnded;
    return Object.assign(latest, { runIndex });
  }
  const { number, itemsBefore, before, own, items } = latest;
  for (const [digest, count] of Object.entries(own)) before[digest] = (before[digest] ?? 0) + count;
  return { number: number + 1, itemsBefore: itemsBefore + items, before, own: {}, items: 0, runIndex };
}

/** Records that n8n receives the round's output, so that the next run with another index is the next round. */
export function endRound(context: IExecuteFunctions): void {
  const { [CONTEXT_KEY]: round }: Kept = context.getContext('node');
  if (round) round.hasEnded = true;
}
