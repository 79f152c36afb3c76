import type { MoneyName } from './money';

/**
 * Everything that a seed determines, as JSON that can be printed, stored and reduced. Other values, such as the latency
 * of an undisturbed response, derive from `seed`.
 */
export interface Schedule {
  seed: number;
  operation: OperationName;
  /** Operation of a second node or tool, which sends another write for each item after the first node has finished. */
  second?: OperationName;
  /** Caller of the node: n8n with items, or an agent with one of n8n's two ways to call a tool. */
  caller: 'items' | 'supplyData' | 'engine';
  items: Item[];
  /** Indexes and order of the first execution's items. Defaults to all items. */
  order?: number[];
  /** Number of runs of the node in the execution, each with the same number of items. */
  runs: number;
  /** Whether the runs are rounds of a loop. Otherwise, they have separate input nodes. */
  loop?: boolean;
  /** Whether all runs use the same objects, so that their writes are equal. */
  equalRuns?: boolean;
  /** Whether each row contains a unique number. Otherwise, equal items have equal rows. */
  numbered?: boolean;
  node: NodeSettings;
  options: Options;
  service: ServiceSettings;
  /** Retries of the execution, with a user's changes before each. */
  retries: Retry[];
  /** Properties of the n8n that is killed. The version of n8n has an effect only after n8n was killed. */
  host?: Host;
  /** Moment of the kill during the first execution. */
  kill?: Kill;
  /** Milliseconds after which a user stops the first execution. */
  stopAtMs?: number;
  /** Whether an agent fails after all its calls, so that n8n retries the agent. */
  agent: AgentSettings;
}

/**
 * `split` has two steps per item (split.ts). `updater` sends the cards of several items in one request (updater.ts).
 */
export type OperationName = MoneyName | 'invoice' | 'payment' | 'subscription' | 'api' | 'split' | 'updater';

/** Returns the operations of the workflow's nodes in order. */
export const operationsOf = ({ operation, second }: Pick<Schedule, 'operation' | 'second'>): OperationName[] =>
  second === undefined ? [operation] : [operation, second];

/** One input item or one call of the model. */
export interface Item {
  /** Number of the service's object. Items with the same object and amount are equal. */
  object: number;
  /** Amount, which also determines a card's expiration date. */
  cents: number;
  /** The item's value of the option "Limit per Item", if set by expression. */
  limit?: unknown;
  /** The item's value of the option "Test Environment Only", if set by expression. */
  test?: unknown;
}

export interface NodeSettings {
  onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  /** Number of attempts with Retry On Fail. 1 switches it off. */
  tries: number;
  waitMs: number;
}

export interface Options {
  parallel: number;
  maxTries: number;
  retryTime: number;
  timeout: number;
  /** Whether a body field changes with each evaluation, such as a time. */
  changing: boolean;
  resend: boolean;
  duplicateCheck: boolean;
  /** "Limit per Item" in cents for all items, or by expression from each item. */
  limitPerItem?: number | 'item';
  /** "Test Environment Only". */
  testEnvironmentOnly?: boolean | 'item';
  /** "Limit per Execution" of a tool in cents. */
  limitPerExecution?: number;
  /** Whether "If It Already Exists" returns the existing record. */
  returnExisting?: boolean;
  /** "Allow Equal Payments" of a tool. */
  allowEqual?: boolean;
}

export interface ServiceSettings {
  environment: 'test' | 'production';
  /** Environment in the credential's spelling. */
  spelling?: string;
  /** Whether the sales are settled. A refund of a settled sale creates a separate record. */
  settled: boolean;
  /** Delay in milliseconds before a record appears in the report. */
  lagMs: number;
  /** Results of the first, second and later writes to each object. */
  writes: Happening[][];
  /** Results of the first, second and further reads. */
  reads: Happening[];
}

export interface Happening {
  kind: HappeningKind;
  /** Whether the request takes effect, for kinds that allow both. */
  applied?: boolean;
  /** Time from request to response in milliseconds. */
  latencyMs?: number;
  status?: number;
  code?: string;
  /** Seconds in Retry-After, as a number or a date. */
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
   * No response before the client gives up. `applied` indicates whether the request arrived before or long after that
   * moment.
   */
  'timeout',
  'lateApply',
  'truncated',
  'page',
  'redirect',
  /** A refusal in the other family's format, or with a code of another type. */
  'otherRefusal',
  /** Applied, but the response's record is empty, not an object, or has a field named error. */
  'emptyRecord',
  'textRecord',
  'errorField',
  /** A refusal whose message repeats the token, the key and numbers of the request. */
  'echo',
] as const;

/** Properties that determine n8n's data after n8n was killed. */
export interface Host {
  /** Major version of n8n. n8n 2 stores the start of an execution before its work, but n8n 1 doesn't. */
  major: 1 | 2;
  /** Save Execution Progress: whether n8n stores the execution after each node. */
  savesProgress: boolean;
  /** Whether the node is the last one in the workflow. n8n recovers nodes in the order of the workflow. */
  nodeLast: boolean;
}

/** Moment of a kill: milliseconds after a write was sent. */
export interface Kill {
  /** Number of the write in its execution, counted from 1. */
  write: number;
  afterMs: number;
}

export interface Retry {
  /** Moment of a kill during this attempt. */
  kill?: Kill;
  /** Execution to retry: the last failed one, or the first one again. */
  of: 'latest' | 'original';
  waitMs: number;
  doings: Doing[];
}

/** A user's change between two attempts. */
export type Doing =
  | { kind: 'amount'; item: number; cents: number }
  /** Removes, adds and reorders rows. This has an effect only if n8n runs the preceding nodes again. */
  | { kind: 'rows'; order: number[] }
  | { kind: 'field' }
  | { kind: 'parallel' }
  | { kind: 'resend' }
  /** Declares the outcome of each named item, with or without checking the service. */
  | { kind: 'resolve'; looks: boolean; claim: 'applied' | 'notApplied' }
  | { kind: 'key' }
  | { kind: 'baseUrl'; spelling: number }
  | { kind: 'environment' }
  | { kind: 'limitPerItem'; cents: number };

export interface AgentSettings {
  /** Item indexes of the model's repeated calls in each further turn. The first turn makes all calls. */
  again: number[][];
  fails: boolean;
  tries: number;
}
