import type { IExecuteFunctions, INode } from 'n8n-workflow';
import type { EarlierTry } from '../model/write-memory';

/** By what the tries of one execution are known to belong together, however n8n comes to make them. */
export interface Lineage {
  isRetry: boolean;
  /** Names under which this try records what it sends. */
  names: string[];
  /** Those under which an earlier try may have recorded something. */
  asked: ReadonlySet<string>;
  /** Names under which this try records its account. */
  accountNames: string[];
  /** Those under which an earlier try may have recorded its account. */
  accountsAsked: string[];
  /** Whether it has to be recorded by content alone as well: n8n may lose every name if it is killed. */
  recordsContent: boolean;
  /** Whether this is a retry of which n8n lost every name of the earlier try. */
  asksContent: boolean;
}

/**
 * When the execution began of which this is a retry, in milliseconds since 1970; `undefined` where it is none, or n8n has
 * lost it.
 */
export const beganAt = (context: IExecuteFunctions): number | undefined =>
  context.getMode() === 'retry' ? establishedAt(context) : undefined;

/** When the execution began, the same in all of its tries; `undefined` where n8n has lost it. */
export function establishedAt(context: IExecuteFunctions): number | undefined {
  const established = contextOf(context);
  return established?.source === 'retry' ? undefined : established?.establishedAt;
}

const contextOf = (context: IExecuteFunctions) =>
  typeof context.getExecutionContext === 'function' ? context.getExecutionContext() : undefined;

/** Stands for the execution where n8n has lost it: all executions of the node. */
const ANY_EXECUTION = 'any execution';

/** How far back a write is looked for when nothing says when it was sent, in milliseconds. */
const UNKNOWN_MOMENT_MS = 24 * 60 * 60 * 1000;

/**
 * When a write was sent at the earliest, of which only n8n's database knows, in milliseconds since 1970. Another execution may
 * have begun its key (option Once per Key), and the database contains no times.
 */
export function earliestSending(context: IExecuteFunctions, witness: EarlierTry): number {
  const aDayAgo = Date.now() - UNKNOWN_MOMENT_MS;
  const began = beganAt(context) ?? aDayAgo;
  return witness === 'keyBegun' ? Math.min(began, aDayAgo) : began;
}

/**
 * The lineage of an execution. n8n establishes a context when an execution begins, and hands it to every retry
 * (n8n.md#retries). n8n 2 stores it before the work, n8n 1 with the execution's result; a
 * job that a worker of n8n 1 takes over has another context and the same execution ID.
 */
export function lineageOf(context: IExecuteFunctions): Lineage {
  const established = contextOf(context);
  const isRetry = context.getMode() === 'retry';
  // Only n8n 2 says where an execution began; what it hands to a sub-workflow says nothing of that one.
  const isStored = established?.triggerNode !== undefined && established.parentExecutionId === undefined;
  const byContext = established ? [`context ${established.establishedAt}`] : [];
  const byExecution = isStored ? [] : [`execution ${context.getExecutionId()}`];
  const names = [...byContext, ...byExecution];
  // Of two new executions of the same millisecond none is a try of the other.
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

/** Whether the node runs as a tool of an AI agent: n8n gives such a node a type of its own, which ends in "Tool". */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');
