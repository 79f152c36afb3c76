import type { MoneyName } from './money';

/**
 * All choices that a seed determines, in a form that can be printed, stored and reduced. The simulator derives minor
 * values, such as the latency of a normal response, from `seed`.
 */
export interface Schedule {
  seed: number;
  operation: OperationName;
  /**
   * Operation of a second node or tool. The second node sends another write for each item after the first node has
   * finished.
   */
  second?: OperationName;
  /** Caller of the node: n8n with items, or an agent with one of n8n's two mechanisms for tool calls. */
  caller: 'items' | 'supplyData' | 'engine';
  items: Item[];
  /** Indexes of the first execution's items, in input order. Defaults to all items. */
  order?: number[];
  /** Number of runs of the node in the execution. Each run has the same number of items. */
  runs: number;
  /** Whether the runs are rounds of a loop. Otherwise, each run has its own input node. */
  loop?: boolean;
  /** Whether all runs use the same objects, so that the writes of the runs are equal. */
  equalRuns?: boolean;
  /** Whether each row contains a unique number. Otherwise, equal items have equal rows. */
  numbered?: boolean;
  node: NodeSettings;
  options: Options;
  service: ServiceSettings;
  /** Retries of the execution. A user may change the workflow before each retry. */
  retries: Retry[];
  /** Properties of n8n in a schedule with kills. The version of n8n has no effect in other schedules. */
  host?: Host;
  /** Time of the kill during the first execution. */
  kill?: Kill;
  /** Time in milliseconds after which a user stops the first execution. */
  stopAtMs?: number;
  /** Settings of the agent, for example whether the agent fails after its calls. */
  agent: AgentSettings;
}

/**
 * Simulated operations. `split` has two steps per item (split.ts). `updater` sends the cards of several items in one
 * request (updater.ts).
 */
export type OperationName = MoneyName | 'invoice' | 'payment' | 'subscription' | 'api' | 'split' | 'updater';

/** Returns the operations of the workflow's nodes in workflow order. */
export const operationsOf = ({ operation, second }: Pick<Schedule, 'operation' | 'second'>): OperationName[] =>
  second === undefined ? [operation] : [operation, second];

/** An input item or a tool call of the model. */
export interface Item {
  /** Index of the service object. Items with the same object and amount are equal. */
  object: number;
  /** Amount in cents. For a card, the amount determines the expiration date. */
  cents: number;
  /** Value of the option "Limit per Item" if an expression reads the option from the item. */
  limit?: unknown;
  /** Value of the option "Test Environment Only" if an expression reads the option from the item. */
  test?: unknown;
}

export interface NodeSettings {
  onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  /** Number of attempts with n8n's setting Retry On Fail. 1 turns the setting off. */
  tries: number;
  waitMs: number;
}

export interface Options {
  parallel: number;
  maxTries: number;
  retryTime: number;
  timeout: number;
  /** Whether the request body contains a field that changes with each evaluation, such as the current time. */
  changing: boolean;
  resend: boolean;
  duplicateCheck: boolean;
  /** Option "Limit per Item" in cents. With 'item', an expression reads the limit from each item. */
  limitPerItem?: number | 'item';
  /** Option "Test Environment Only". With 'item', an expression reads the value from each item. */
  testEnvironmentOnly?: boolean | 'item';
  /** Option "Limit per Execution" of a tool, in cents. */
  limitPerExecution?: number;
  /** Option "Limit per Day", in cents. */
  limitPerDay?: number;
  /** Whether the option "If It Already Exists" returns the existing record. */
  returnExisting?: boolean;
  /** Option "Allow Equal Payments" of a tool. */
  allowEqual?: boolean;
}

export interface ServiceSettings {
  environment: 'test' | 'production';
  /** Environment in the spelling that the credential contains. */
  spelling?: string;
  /** Whether the sales are settled. The refund of a settled sale creates a separate record. */
  settled: boolean;
  /** Time in milliseconds before a new record appears in the report. */
  lagMs: number;
  /** Results of the writes to each object, in the order of the writes. */
  writes: Happening[][];
  /** Results of the reads, in the order of the reads. */
  reads: Happening[];
}

export interface Happening {
  kind: HappeningKind;
  /** Whether the service applies the request. Only some kinds use this value. */
  applied?: boolean;
  /** Time between request and response in milliseconds. */
  latencyMs?: number;
  status?: number;
  code?: string;
  /** Value of the Retry-After header in seconds. */
  retryAfter?: number;
  asDate?: boolean;
}

export type HappeningKind = (typeof HAPPENINGS)[number];

export const HAPPENINGS = [
  /** The service responds normally. */
  'answer',
  'refused',
  'busy',
  'serverError',
  /** The connection breaks. */
  'cut',
  'noConnection',
  /**
   * The service doesn't respond before the client's timeout. `applied` indicates whether the service applies the
   * request before the timeout or long afterward.
   */
  'timeout',
  'lateApply',
  'truncated',
  'page',
  'redirect',
  /** The service refuses the request in the format of the other API family or with an unexpected type of code. */
  'otherRefusal',
  /** The service applies the request, but the response contains an empty record, plain text, or a field named `error`. */
  'emptyRecord',
  'textRecord',
  'errorField',
  /** The service refuses the request with a message that repeats the token, the key and numbers of the request. */
  'echo',
] as const;

/** Properties that determine the data that n8n has after a kill. */
export interface Host {
  /** Major version of n8n. n8n 2 stores the start of an execution before nodes run. n8n 1 doesn't store the start. */
  major: 1 | 2;
  /** Whether n8n stores the execution after each node (setting Save Execution Progress). */
  savesProgress: boolean;
  /** Whether the node is last in the workflow's list of nodes. n8n recovers nodes in the order of this list. */
  nodeLast: boolean;
}

/** Time of a kill, relative to a write request. */
export interface Kill {
  /** Number of the write request in its execution. Counting starts at 1. */
  write: number;
  afterMs: number;
}

export interface Retry {
  /** Time of a kill during this retry. */
  kill?: Kill;
  /** Execution that n8n retries: the latest failed execution or the first execution. */
  of: 'latest' | 'original';
  waitMs: number;
  doings: Doing[];
}

/** Change that a user makes between two attempts. */
export type Doing =
  | { kind: 'amount'; item: number; cents: number }
  /** Removes, adds and reorders rows. The change has an effect only if n8n runs the preceding nodes again. */
  | { kind: 'rows'; order: number[] }
  | { kind: 'field' }
  | { kind: 'parallel' }
  | { kind: 'resend' }
  /** Resolves each item that the error message names. The user may check the service before. */
  | { kind: 'resolve'; looks: boolean; claim: 'applied' | 'notApplied' }
  | { kind: 'key' }
  | { kind: 'baseUrl'; spelling: number }
  | { kind: 'environment' }
  | { kind: 'limitPerItem'; cents: number };

export interface AgentSettings {
  /**
   * Indexes of the items that the model repeats, by further turn. In the first turn, the model calls the tool for all
   * items.
   */
  again: number[][];
  fails: boolean;
  tries: number;
}
