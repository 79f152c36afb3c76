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
  /** Indexes of the items whose refunds an earlier execution of the workflow has completed. */
  earlier?: number[];
  /** Indexes of the items whose customers have an invoice with the item's number and another amount. */
  occupied?: number[];
  /** Time in milliseconds after which a second execution of the workflow starts. Defaults to none. */
  twinMs?: number;
  runs: number;
  loop?: boolean;
  /** Whether all runs use the same sales or customers, so their writes are identical. */
  equalRuns?: boolean;
  /** Whether each row contains a unique number. Otherwise, identical items have identical rows. */
  numbered?: boolean;
  /** Values that make different items look alike. */
  alike?: Alike;
  /** Time zone of the workflow. Defaults to UTC. */
  zone?: string;
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

export type OperationName = MoneyName | 'invoice' | 'payment' | 'subscription' | 'api' | 'split' | 'updater';

export const operationsOf = ({ operation, second }: Pick<Schedule, 'operation' | 'second'>): OperationName[] =>
  second === undefined ? [operation] : [operation, second];

/** Input item, or tool call by the model. */
export interface Item {
  /** Index of the sale, customer or payee in its run. Items with the same index and amount are equal. */
  object: number;
  /** Amount in cents. For a card, the amount determines the expiration date. */
  cents: number;
  /** Fee of a charge in cents, in addition to the amount. */
  fee?: number;
  /** Currency of a charge. Defaults to the service's default. */
  currency?: string;
  /** Whether the customer's second card pays. */
  hasCard?: boolean;
  limit?: unknown;
  test?: unknown;
}

/** Values that all items share, although each item is another payment. */
export interface Alike {
  /** Whether the rows contain the same purchase ID. */
  purchaseId?: boolean;
  /** Whether the rows contain the same merchant reference number, so that the node generates none. */
  reference?: boolean;
  /** Whether the customers or payees have the same name, or the same card or account number. */
  names: boolean;
  numbers: boolean;
  /** Sales, customers or payees of another merchant, on whose behalf the node sends their requests. */
  linked?: number[];
  /** Payments of other clients that look like an item's payment. */
  strangers?: Stranger[];
}

export const DIFFERENCES = ['object', 'card', 'currency', 'amount', 'reference'] as const;

/** Payment of another client, which differs from an item's payment in one value. */
export interface Stranger {
  item: number;
  differs: (typeof DIFFERENCES)[number];
  /** Time of the payment in milliseconds after the first execution starts. */
  atMs: number;
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
  /** Whether the rows name the sales by their order numbers. */
  byReference?: boolean;
  allowEqual?: boolean;
  /** Option "Allowed IDs": objects, and whether the list contains a blank entry. */
  allowed?: { objects: number[]; hasBlank: boolean };
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
  /** The response to a read contains a list that the node can't read. */
  'unreadable',
  /** The records in the response to a read lack the field in `code`. */
  'lacking',
  /** The response to a read lacks the newest record of a list. */
  'stale',
  /** The response to a write shows a value of another payment: the field in `code`, or the ID of an earlier record. */
  'swapped',
  /** Refusal by the service that repeats the request's secrets in its message. */
  'echo',
] as const;

/** Properties of n8n that determine which data survives a kill. */
export interface Host {
  /** Major version of n8n. Only n8n 2 stores the start of an execution before nodes run. */
  major: 1 | 2;
  savesProgress: boolean;
  /** Whether the node is last in n8n's recovery order. */
  nodeLast: boolean;
}

/** Time of a kill, relative to a write request. */
export interface Kill {
  write: number;
  afterMs: number;
}

export interface Retry {
  kill?: Kill;
  /** Execution that n8n retries: the latest failed execution or the first execution. */
  of: 'latest' | 'original';
  /** Time in milliseconds after which a second retry of the same execution starts. Defaults to none. */
  alongMs?: number;
  /** Whether a new execution of the workflow starts instead of a retry. */
  isNew?: boolean;
  waitMs: number;
  doings: Doing[];
}

/** Change that a user makes between two attempts. */
export type Doing =
  | { kind: 'amount'; item: number; cents: number }
  | { kind: 'rows'; order: number[] }
  | { kind: 'batch'; size: number }
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

/** IDs of a sale, customer or payee in an input row. */
export interface ObjectName {
  pgId: string;
  customer: string;
  /** Second card of the customer. */
  card?: string;
  invoice: number;
  /** Order number of the sale. */
  order?: string;
}
