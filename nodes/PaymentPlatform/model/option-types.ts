import type { DateTime } from 'luxon';

/** Name of the option group for request settings. */
export const SENDING = 'sending';

/** Options that apply to all items of a run. */
export interface RunOptions {
  /** Maximum number of concurrent requests, from 1 to 100. */
  maxParallelRequests: number;
  /** Timeout for each response, in milliseconds. */
  timeoutMs: number;
  /** Maximum number of attempts for a request that is safe to repeat, including the first attempt. */
  maxTries: number;
  /** Maximum time between the start of the first attempt and the start of the last attempt, in milliseconds. */
  retryTimeMs: number;
}

/** Options of an item: the guards, and the outcomes of earlier attempts that the user reported. */
export interface ItemOptions {
  /** Action for a write with an unknown outcome. */
  unknownOutcome: UnknownOutcome;
  /** Maximum amount per item. The node refuses a larger amount before it sends anything. */
  limitPerItem?: number;
  /** Maximum sum of the amounts that the node moves in an execution. */
  limitPerExecution?: number;
  /**
   * Maximum sum of the amounts that the account moves on a day. If the service doesn't report the amounts, the node
   * counts only its own writes.
   */
  limitPerDay?: number;
  /** Value of the option Once per Key. The node performs the write only once across all executions of the workflow. */
  oncePerKey?: string;
  /** Whether the node accepts only a credential for the test environment. */
  testEnvironmentOnly: boolean;
  /** Action if a matching record exists. If missing, the node doesn't search for a matching record. */
  existing?: IfExists;
  /** IDs that the node accepts (see `Operation.target`). If missing, the node accepts all IDs. */
  onlyFor?: readonly string[];
  /**
   * For tools: whether a person allows the agent to use an operation that tools refuse by default (see
   * `Operation.offInTools`).
   */
  allowAgent?: boolean;
  /** For tools: whether the model confirmed a second, equal write in the same execution. */
  allowEqual?: boolean;
  /** Outcomes of earlier attempts that the user reported, by the code in the error message. */
  resolved?: ReadonlyMap<string, Resolution>;
}

/** Action if a matching record already exists. */
export interface IfExists {
  then: 'return' | 'fail';
  /** Earliest time of a matching record. Defaults to any time. */
  since?: DateTime;
}

/** Options that the user set for an item. If an option is `undefined`, the node applies its own rules. */
export type GivenOptions = Omit<ItemOptions, 'testEnvironmentOnly' | 'existing'> & {
  testEnvironmentOnly?: boolean;
  /** Action if a matching record exists, and the earliest time of a matching record. */
  ifExists?: { then: IfExists['then'] | 'skip'; since?: DateTime };
};

/**
 * Action for a write with an unknown outcome. `lookUp` searches for the write. `refuse` reports the unknown outcome
 * immediately. `resend` lets a retry send the write again if a search finds no record.
 */
export type UnknownOutcome = 'lookUp' | 'refuse' | 'resend';

/** Outcome of a write that the user reported. */
export type Resolution = 'applied' | 'notApplied';
