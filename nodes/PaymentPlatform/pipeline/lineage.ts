import type { IExecuteFunctions } from 'n8n-workflow';

import type { Witness } from './remembered';

/** By what the tries of one execution are known to belong together, however n8n comes to make them. */
export interface Lineage {
  isRetry: boolean;
  /** Names under which this try records what it sends. */
  names: string[];
  /** Those under which an earlier try may have recorded something. */
  asked: ReadonlySet<string>;
  /** Whether it has to be recorded by content alone as well: n8n may lose every name if it is killed. */
  recordsContent: boolean;
  /** Whether this is a retry of which n8n lost every name of the earlier try. */
  asksContent: boolean;
}

/**
 * When the execution began of which this is a retry, in milliseconds since 1970; `undefined` where it is none, or n8n has
 * lost it.
 */
export function beganAt(context: IExecuteFunctions): number | undefined {
  const established = typeof context.getExecutionContext === 'function' ? context.getExecutionContext() : undefined;
  return context.getMode() === 'retry' && established?.source !== 'retry' ? established?.establishedAt : undefined;
}

/** How far back a write is looked for when nothing says when it was sent, in milliseconds. */
const UNKNOWN_MOMENT_MS = 24 * 60 * 60 * 1000;

/**
 * When a write was sent at the earliest, of which only n8n's database knows, in milliseconds since 1970. Another execution may
 * have begun its key (option Once per Key), and the database contains no times.
 */
export function earliestSending(context: IExecuteFunctions, witness: Witness): number {
  const aDayAgo = Date.now() - UNKNOWN_MOMENT_MS;
  const began = beganAt(context) ?? aDayAgo;
  return witness === 'keyBegun' ? Math.min(began, aDayAgo) : began;
}

/**
 * The lineage of an execution. n8n establishes a context when an execution begins, and hands it to every retry
 * (docs/n8n.md#retries-and-what-tells-them-apart). n8n 2 stores it before the work, n8n 1 with the execution's result; a
 * job that a worker of n8n 1 takes over has another context and the same execution ID.
 */
export function lineageOf(context: IExecuteFunctions): Lineage {
  const established = typeof context.getExecutionContext === 'function' ? context.getExecutionContext() : undefined;
  const isRetry = context.getMode() === 'retry';
  // Only n8n 2 says where an execution began; what it hands to a sub-workflow says nothing of that one.
  const isStored = established?.triggerNode !== undefined && established.parentExecutionId === undefined;
  const byContext = established ? [`context ${established.establishedAt}`] : [];
  const byExecution = isStored ? [] : [`execution ${context.getExecutionId()}`];
  return {
    isRetry,
    names: [...byContext, ...byExecution],
    // Of two new executions of the same millisecond none is a try of the other.
    asked: new Set(isRetry ? [...byContext, ...byExecution] : byExecution),
    recordsContent: !isStored,
    asksContent: isRetry && established?.source === 'retry',
  };
}
