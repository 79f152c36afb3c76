import type { DateTime } from 'luxon';

export const SENDING = 'sending';

/** Options that apply to all items of a run. */
export interface RunOptions {
  /** Maximum number of concurrent requests, from 1 to 100. */
  maxParallelRequests: number;
  /** Timeout for each response, in milliseconds. */
  timeoutMs: number;
  /** Maximum number of attempts for a request that is safe to repeat, including the first attempt. */
  maxTries: number;
  /** Maximum time between the first response and the start of the last attempt, in milliseconds. */
  retryTimeMs: number;
}

/** Safety options of an item, and the outcomes of earlier attempts that the user reported. */
export interface ItemOptions {
  unknownOutcome: UnknownOutcome;
  /** Maximum amount per item, in the currency's main unit. */
  limitPerItem?: number;
  /** Maximum sum of the amounts that the node moves in an execution. */
  limitPerExecution?: number;
  /**
   * Maximum total per day of all the account's writes of this kind, such as refunds. If the service doesn't report the
   * amounts, only the node's own writes count.
   */
  limitPerDay?: number;
  /**
   * Deduplication key. The node performs the write only once per key across all executions of the workflow, as long as
   * n8n keeps the key.
   */
  oncePerKey?: string;
  /** Whether the node accepts only a credential for the test environment. */
  testEnvironmentOnly: boolean;
  /** Action for a matching record. If missing, the node doesn't search for a matching record. */
  existing?: IfExists;
  /** IDs of customers, payees or transactions that the node accepts. If missing, the node accepts all IDs. */
  onlyFor?: readonly string[];
  /** Whether a person allows an agent to use an operation that tools refuse by default. */
  allowAgent?: boolean;
  /** Whether a person lets an agent make a second, identical payment in one execution. */
  allowEqual?: boolean;
  /** User-reported outcomes, keyed by the code in the error message. */
  resolved?: ReadonlyMap<string, Resolution>;
}

/** Action if a matching record already exists. */
export interface IfExists {
  then: 'return' | 'fail';
  /** Earliest time of a matching record. Defaults to any time. */
  since?: DateTime;
}

/** Options that the user set for an item. */
export type GivenOptions = Omit<ItemOptions, 'testEnvironmentOnly' | 'existing'> & {
  testEnvironmentOnly?: boolean;
  ifExists?: { then: IfExists['then'] | 'skip'; since?: DateTime };
};

/**
 * Action for a write with an unknown outcome: search for it (`lookUp`), report the unknown outcome (`refuse`), or send
 * it again if a search finds no record (`resend`).
 */
export type UnknownOutcome = 'lookUp' | 'refuse' | 'resend';

/** User-reported outcome of a write. */
export type Resolution = 'applied' | 'notApplied';
