import type { DateTime } from 'luxon';

export const SENDING = 'sending';

export interface RunOptions {
  /** From 1 to 100. */
  maxParallelRequests: number;
  /** Applies to each response. */
  timeoutMs: number;
  /** Maximum number of attempts for a request that is safe to repeat, including the first. */
  maxTries: number;
  /** Maximum time between the first response and the last attempt. */
  retryTimeMs: number;
}

/** Safety options, and the outcomes of earlier attempts that the user reported. */
export interface ItemOptions {
  unknownOutcome: UnknownOutcome;
  /** In the currency's main unit. */
  limitPerItem?: number;
  /** Maximum sum of the amounts in an execution. */
  limitPerExecution?: number;
  /**
   * Maximum per day of all the account's writes of this kind, such as refunds. If the service doesn't report the
   * amounts, only the node's own writes count.
   */
  limitPerDay?: number;
  /**
   * Deduplication key. The node performs the write once per key across all executions of the workflow, as long as n8n
   * keeps the key.
   */
  oncePerKey?: string;
  /** Whether the node accepts only a credential for the test environment. */
  testEnvironmentOnly: boolean;
  /** If missing, the node doesn't search for a matching record. */
  existing?: IfExists;
  /** Accepted IDs of customers, payees or transactions. If missing, the node accepts all IDs. */
  onlyFor?: readonly string[];
  /** Allows an agent an operation that tools refuse by default. */
  allowAgent?: boolean;
  /** Allows an agent a second, identical payment in one execution. */
  allowEqual?: boolean;
  /** Whether the node shows what it would send, and sends nothing. */
  previewOnly?: boolean;
  /** Keyed by the code in the error message. */
  resolved?: ReadonlyMap<string, Resolution>;
}

export interface IfExists {
  then: 'return' | 'fail';
  /** Earliest time of a matching record. Defaults to any time. */
  since?: DateTime;
}

export type GivenOptions = Omit<ItemOptions, 'testEnvironmentOnly' | 'existing'> & {
  testEnvironmentOnly?: boolean;
  ifExists?: { then: IfExists['then'] | 'skip'; since?: DateTime };
};

/**
 * For an unknown outcome: search for the write (`lookUp`), report (`refuse`), or send again if a search finds no record
 * (`resend`).
 */
export type UnknownOutcome = 'lookUp' | 'refuse' | 'resend';

export type Resolution = 'applied' | 'notApplied';
