import type { MoneyName } from './money';

/** Random test input: workflow, service faults, user changes, and when n8n is killed. */
export interface Schedule {
  seed: number;
  operation: OperationName;
  /** Operation of a second node or tool, which writes after the first node has finished. */
  second?: OperationName;
  /** Caller of the node: n8n, or an agent that uses one of n8n's two tool-call mechanisms. */
  caller: 'items' | 'supplyData' | 'engine';
  items: Item[];
  /** Rows of the first execution's runs: indexes of `World.rows` in input order. Defaults to all rows. */
  order?: number[];
  /** Time in milliseconds after which a second execution of the workflow starts. Defaults to none. */
  twinMs?: number;
  runs: number;
  /** Whether the node runs in a loop. Otherwise, each run has its own input node. */
  loop?: boolean;
  /** Whether all runs use the same sales or customers, so their writes are identical. */
  equalRuns?: boolean;
  /** Whether each row contains a unique number. Otherwise, identical items have identical rows. */
  numbered?: boolean;
  node: NodeSettings;
  options: Options;
  service: ServiceSettings;
  retries: Retry[];
  /** Properties of n8n that affect its recovery after a kill. */
  host?: Host;
  kill?: Kill;
  /** Time in milliseconds after which a user stops the first execution. */
  stopAtMs?: number;
  agent: AgentSettings;
}

/** Operations that the simulator runs. */
export type OperationName = MoneyName | 'invoice' | 'payment' | 'subscription' | 'api' | 'split' | 'updater';

/** Returns the operations of the workflow's nodes in workflow order. */
export const operationsOf = ({ operation, second }: Pick<Schedule, 'operation' | 'second'>): OperationName[] =>
  second === undefined ? [operation] : [operation, second];

/** Input item, or tool call by the model. */
export interface Item {
  /** Index of the sale, customer or payee in its run. Items with the same index and amount are equal. */
  object: number;
  /** Amount in cents. For a card, the amount determines the expiration date. */
  cents: number;
  limit?: unknown;
  test?: unknown;
}

export interface NodeSettings {
  onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  /** Number of attempts with n8n's setting Retry On Fail. 1 turns the setting off. */
  tries: number;
  waitMs: number;
  /** Whether Retry On Fail runs the node again for any `error`, as n8n 1 does. */
  retriesAnyError?: boolean;
}

export interface Options {
  parallel: number;
  maxTries: number;
  retryTime: number;
  timeout: number;
  /** Whether the request body contains a field that changes with each evaluation. */
  changing: boolean;
  resend: boolean;
  duplicateCheck: boolean;
  /** Value of "Limit per Item" in cents. If 'item', an expression reads it from each item. */
  limitPerItem?: number | 'item';
  /** Option "Test Environment Only". With 'item', an expression reads the option from each item. */
  testEnvironmentOnly?: boolean | 'item';
  /** Option "Limit per Execution" of a tool, in cents. */
  limitPerExecution?: number;
  /** Option "Limit per Day", in cents. */
  limitPerDay?: number;
  /** Whether the option "Once per Key" contains the ID of the sale. */
  oncePerKey?: boolean;
  returnExisting?: boolean;
  allowEqual?: boolean;
}

export interface ServiceSettings {
  environment: 'test' | 'production';
  spelling?: string;
  /** Whether the sales are settled. The refund of a settled sale creates a separate record. */
  settled: boolean;
  /** Time in milliseconds before a new record appears in the report. */
  lagMs: number;
  /** Faults for writes to each sale or customer, in write order. */
  writes: Happening[][];
  reads: Happening[];
  /** Value of the field `error` in the response to each completed write. Missing if the response has no such field. */
  error?: unknown;
}

export interface Happening {
  kind: HappeningKind;
  applied?: boolean;
  /** Time between request and response in milliseconds. */
  latencyMs?: number;
  status?: number;
  code?: string;
  /** Retry-After header in seconds. */
  retryAfter?: number;
  asDate?: boolean;
}

export type HappeningKind = (typeof HAPPENINGS)[number];

export const HAPPENINGS = [
  'answer',
  'refused',
  'busy',
  'serverError',
  'cut',
  'noConnection',
  /** The service doesn't respond before the client's timeout. */
  'timeout',
  'lateApply',
  'truncated',
  'page',
  'redirect',
  /** The service refuses the request in the format of a different API family. */
  'otherRefusal',
  /** The service applies the request, but the response contains no complete record. */
  'emptyRecord',
  'textRecord',
  /** Refusal by the service that repeats the request's secrets in its message. */
  'echo',
] as const;

/** Properties of n8n that determine which data survives a kill. */
export interface Host {
  /** Major version of n8n. Only n8n 2 stores the start of an execution before nodes run. */
  major: 1 | 2;
  /** Whether n8n stores the execution after each node (setting Save Execution Progress). */
  savesProgress: boolean;
  /** Whether the node is last in n8n's recovery order. */
  nodeLast: boolean;
}

/** Time of a kill, relative to a write request. */
export interface Kill {
  /** Number of the write request in its execution, counted from 1. */
  write: number;
  afterMs: number;
}

export interface Retry {
  kill?: Kill;
  /** Execution that n8n retries: the latest failed execution or the first execution. */
  of: 'latest' | 'original';
  waitMs: number;
  doings: Doing[];
}

/** Change that a user makes between two attempts. */
export type Doing =
  | { kind: 'amount'; item: number; cents: number }
  | { kind: 'rows'; order: number[] }
  | { kind: 'field' }
  | { kind: 'parallel' }
  | { kind: 'resend' }
  | { kind: 'resolve'; looks: boolean; claim: 'applied' | 'notApplied' }
  | { kind: 'key' }
  | { kind: 'baseUrl'; spelling: number }
  | { kind: 'environment' }
  | { kind: 'limitPerItem'; cents: number };

export interface AgentSettings {
  /** Indexes of the items whose tool call the model repeats, by turn. */
  again: number[][];
  fails: boolean;
  tries: number;
}
