import type { DateTime } from 'luxon';

/** The options of one run, the same for all items. */
export interface RunOptions {
  /** Most requests in flight at once, 1 to 100. */
  maxParallelRequests: number;
  /** Longest wait for one answer, in milliseconds. */
  timeoutMs: number;
  /** How often one request is sent at most when repeating it is safe, the first time included. */
  maxTries: number;
  /** Longest time from the first try to the beginning of the last one, in milliseconds. */
  retryTimeMs: number;
  /** Whether a write whose outcome is unknown is looked for at the service before it is told as unknown. */
  lookUpUnknown: boolean;
}

/** Options that are read for each item: what guards money, and what a person says of an earlier try. */
export interface ItemOptions {
  /** Whether a request whose outcome an earlier try of the node left unknown is sent again. */
  resendUnknown: boolean;
  /** Amounts above are refused before anything is sent. */
  maxAmount?: number;
  /** What all money writes of the node in one execution may come to. */
  maxTotal?: number;
  /** What all such writes of an account may come to on a day. */
  maxPerDay?: number;
  /** What the item is about: done once in all executions of the workflow. */
  oncePerKey?: string;
  /** Whether the credential must be for the test environment. */
  requireTest: boolean;
  /** What is done where the service has an equal write already; nothing is looked for where it is not given. */
  existing?: IfExists;
  /** As a tool: whether a second write that moves the same money in the same execution is meant. */
  allowEqual?: boolean;
  /** What a person found out about earlier tries, by the code that an error message gave. */
  resolved?: ReadonlyMap<string, Resolution>;
}

/** What is done where an equal write is there already. */
export interface IfExists {
  then: 'return' | 'fail';
  /** Whether it is Duplicate Check that looks, and nobody chose what is to happen. */
  byCheck?: boolean;
  /** From when on it counts; at any time where it is not given. */
  since?: DateTime;
}

/** Options of an item as they were set: what is not set is `undefined`, and the rules of the node decide. */
export type GivenOptions = Omit<ItemOptions, 'requireTest' | 'existing'> & {
  requireTest?: boolean;
  ifExists?: 'send' | 'return' | 'fail';
  /** Whether a reference is made where the item gives none. */
  makeReference?: boolean;
  /** From when on an equal write counts. */
  duplicatesSince?: DateTime;
  /** Whether Duplicate Check looks at all. */
  duplicateCheck?: boolean;
};

/** What became of a write of unknown outcome, by a person's word. */
export type Resolution = 'applied' | 'notApplied';
