import type { DateTime } from 'luxon';

/** Name of the group of options about requests. */
export const SENDING = 'sending';

/** Options of a run, equal for all items. */
export interface RunOptions {
  /** Maximum number of requests in flight, 1 to 100. */
  maxParallelRequests: number;
  /** Timeout for one response, in milliseconds. */
  timeoutMs: number;
  /** Maximum number of attempts for a request that is safe to repeat, including the first. */
  maxTries: number;
  /** Maximum time from the start of the first attempt to the start of the last, in milliseconds. */
  retryTimeMs: number;
}

/** Options of an item: the guards, and the user's findings about earlier attempts. */
export interface ItemOptions {
  /** Action for a write with an unknown outcome. */
  unknownOutcome: UnknownOutcome;
  /** Limit per item. The node refuses larger amounts before it sends anything. */
  limitPerItem?: number;
  /** Limit for the sum of the node's money writes in an execution. */
  limitPerExecution?: number;
  /** Limit for the sum of the account's money writes on a day, or of the node's if the service doesn't report them. */
  limitPerDay?: number;
  /** Key of Once per Key. The node performs the write once across all executions of the workflow. */
  oncePerKey?: string;
  /** Whether the credential must be for the test environment. */
  testEnvironmentOnly: boolean;
  /** Action if an equal record exists. If missing, the node doesn't search for one. */
  existing?: IfExists;
  /** IDs for which the node accepts an item (see `Operation.target`). If missing, all. */
  onlyFor?: readonly string[];
  /** For tools: whether a person lets the agent use an operation that is off in tools (see `Operation.offInTools`). */
  allowAgent?: boolean;
  /** For tools: whether the model confirms a second write that moves the same money in the same execution. */
  allowEqual?: boolean;
  /** The user's findings about earlier attempts, by the code in the error message. */
  resolved?: ReadonlyMap<string, Resolution>;
}

/** Action if an equal record already exists. */
export interface IfExists {
  then: 'return' | 'fail';
  /** Earliest time of an equal record. Defaults to any time. */
  since?: DateTime;
}

/** Options of an item as set by the user. If a value is `undefined`, the node's own rules apply. */
export type GivenOptions = Omit<ItemOptions, 'testEnvironmentOnly' | 'existing'> & {
  testEnvironmentOnly?: boolean;
  /** Action if an equal record exists, and the start of the period in which a record counts. */
  ifExists?: { then: IfExists['then'] | 'skip'; since?: DateTime };
};

/** Looks the write up, reports it as unknown immediately, or lets a retry send it again if a search finds no record. */
export type UnknownOutcome = 'lookUp' | 'refuse' | 'resend';

/** Result of a write with an unknown outcome, according to the user. */
export type Resolution = 'applied' | 'notApplied';
