import type { IExecuteFunctions, INode } from 'n8n-workflow';
import type { EarlierTry } from '../model/write-memory';

/** Names with which attempts of the same execution recognize each other, regardless of how n8n starts them. */
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
  /** Whether writes must also be recorded by content alone, because n8n can lose every name if it is killed. */
  recordsContent: boolean;
  /** Whether this is a retry for which n8n lost every name of the earlier attempt. */
  asksContent: boolean;
}

/**
 * Returns when the retried execution began, in milliseconds since 1970, or `undefined` if this isn't a retry or n8n
 * lost the time.
 */
export const beganAt = (context: IExecuteFunctions): number | undefined =>
  context.getMode() === 'retry' ? establishedAt(context) : undefined;

/** Returns when the execution began, equal in all of its attempts, or `undefined` if n8n lost the time. */
export function establishedAt(context: IExecuteFunctions): number | undefined {
  const established = contextOf(context);
  return established?.source === 'retry' ? undefined : established?.establishedAt;
}

const contextOf = (context: IExecuteFunctions) =>
  typeof context.getExecutionContext === 'function' ? context.getExecutionContext() : undefined;

/**
 * Returns when the execution began, in milliseconds since 1970, if n8n stored the time before the nodes run, so that a
 * retry after n8n was killed has the same time. Only n8n 2 states where an execution began. A sub-workflow gets the
 * context of its parent.
 */
export function storedStart(context: IExecuteFunctions): number | undefined {
  const { triggerNode, parentExecutionId, establishedAt } = contextOf(context) ?? {};
  return triggerNode !== undefined && parentExecutionId === undefined ? establishedAt : undefined;
}

/** Name for all executions of the node, used if n8n lost the execution's own names. */
const ANY_EXECUTION = 'any execution';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Search period in milliseconds for a write whose time of sending is unknown. */
const UNKNOWN_MOMENT_MS = DAY_MS;

/**
 * Returns the earliest time at which a write can have been sent if only n8n's database contains the write, in
 * milliseconds since 1970. The database contains no times, and another execution may have begun the key of Once per
 * Key.
 */
export function earliestSending(context: IExecuteFunctions, witness: EarlierTry): number {
  const aDayAgo = Date.now() - UNKNOWN_MOMENT_MS;
  const began = beganAt(context) ?? aDayAgo;
  return witness === 'keyBegun' ? Math.min(began, aDayAgo) : began;
}

/**
 * Returns the lineage of an execution. n8n creates a context when an execution begins and passes it to every retry
 * (n8n.md#retries). n8n 2 stores the context before the nodes run, and n8n 1 with the execution's result. A job that
 * another worker of n8n 1 takes over has a new context but the same execution ID.
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

/** Returns whether the workflow was saved. n8n gives an unsaved workflow no ID or a placeholder. */
export const isSaved = (id: string | undefined): boolean => id !== undefined && id !== '' && !id.startsWith('__EMPTY');

/** Whether the run belongs to an execution. A call of the MCP Server Trigger belongs to no execution (n8n.md#tools). */
export const hasExecution = (context: IExecuteFunctions): boolean => {
  const id: string | undefined = context.getExecutionId();
  return id !== undefined;
};

/** Returns names that runs without an execution share for at least one day and at most two days. */
function days(): string[] {
  const today = Math.floor(Date.now() / DAY_MS);
  return [today, today - 1].map((day) => `day ${day}`);
}

/** Returns whether the node runs as a tool of an AI agent. n8n gives such a node a type that ends in "Tool". */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');

/**
 * Round of the node in an execution. A loop runs the node once per round. Retries of a round belong to the same round.
 */
export interface Round {
  /** Number of rounds before this one. */
  number: number;
  /** Number of items in all rounds before this one. */
  itemsBefore: number;
  /** Occurrences of each item in earlier rounds, by digest. */
  before: Record<string, number>;
  /** Occurrences of each item in this round, by digest. */
  own: Record<string, number>;
  /** Number of items in this round. */
  items: number;
  /** Run index of n8n. */
  runIndex: number;
  /** Whether n8n received the round's output, so that the next run is the next round. */
  hasEnded?: true;
}

/** Name of the rounds in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformRounds';

type Kept = { [CONTEXT_KEY]?: Round };

/** Returns n8n's run index of the node. It differs between two runs but doesn't always start at 0. */
export const runIndexOf = (context: IExecuteFunctions): number =>
  Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);

/**
 * Returns the current round of the node. The node counts rounds itself, because n8n also counts a run that never
 * happened when it recovers a crashed execution (n8n.md#retries). A killed process loses the count together with the
 * finished rounds, and n8n then starts with the first round again.
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
  // n8n never returns to an earlier round, unless it starts again with the first round.
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

/** Records that n8n receives the output of the round, so that a run with another index is the next round. */
export function endRound(context: IExecuteFunctions): void {
  const { [CONTEXT_KEY]: round }: Kept = context.getContext('node');
  if (round) round.hasEnded = true;
}
