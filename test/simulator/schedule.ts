/**
 * All that one seed decides, as plain JSON: it can be printed, stored and made smaller. What is not in it (such as how
 * long an undisturbed answer takes) follows from `seed`.
 */
export interface Schedule {
  seed: number;
  operation: OperationName;
  /** Operation of a second node (or tool) that does another write about each item, after the first node. */
  second?: OperationName;
  /** Who runs the node: n8n with items, or an agent (in n8n's two ways of calling a tool). */
  caller: 'items' | 'supplyData' | 'engine';
  items: Item[];
  /** Indexes of the items that the first execution gets, in their order; all of them unless given. */
  order?: number[];
  /** How often the node runs in the execution, each time for as many items. */
  runs: number;
  /** Whether these runs are the rounds of a loop; they come from nodes of their own otherwise. */
  loop?: boolean;
  /** Whether each run is about the same objects, so that the runs make equal writes. */
  equalRuns?: boolean;
  /** Whether each row carries a number of its own; equal items have equal rows otherwise. */
  numbered?: boolean;
  node: NodeSettings;
  options: Options;
  service: ServiceSettings;
  /** Further tries of the execution, and what a person does before each. */
  retries: Retry[];
  /** The n8n that is killed in this schedule; the version matters only then. */
  host?: Host;
  /** When n8n is killed during the first execution. */
  kill?: Kill;
  /** When somebody stops the first execution, in milliseconds after it began. */
  stopAtMs?: number;
  /** For an agent: whether it fails after all its calls, so that n8n tries it again. */
  agent: AgentSettings;
}

/** `split` is an item in two steps (split.ts); `updater` sends the cards of several items in one request (updater.ts). */
export type OperationName = 'refund' | 'invoice' | 'payment' | 'subscription' | 'api' | 'split' | 'updater';

/** Operations of the nodes of the workflow, in the order of the nodes. */
export const operationsOf = ({ operation, second }: Pick<Schedule, 'operation' | 'second'>): OperationName[] =>
  second === undefined ? [operation] : [operation, second];

/** One input item, or one call of the model. */
export interface Item {
  /** Which of the service's objects it is about; items of equal object and amount are equal. */
  object: number;
  /** Of a card: what its expiration date follows from. */
  cents: number;
  /** Value of the option "Refuse Amounts Above" for this item, when the option is set by expression. */
  limit?: unknown;
  /** Value of the option "Require Test Environment" for this item, when the option is set by expression. */
  test?: unknown;
}

export interface NodeSettings {
  onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  /** Retry On Fail: how often n8n runs the node; 1 switches it off. */
  tries: number;
  waitMs: number;
}

export interface Options {
  parallel: number;
  maxTries: number;
  retryTime: number;
  timeout: number;
  /** Whether a field of the body has another value each time it is evaluated, such as a time. */
  changing: boolean;
  resend: boolean;
  duplicateCheck: boolean;
  /** "Refuse Amounts Above", in cents, the same for all items; or by expression from each item. */
  maxAmount?: number | 'item';
  /** "Require Test Environment". */
  requireTest?: boolean | 'item';
  /** "Refuse More Than in One Execution" of a tool, in cents. */
  maxTotal?: number;
  /** "If It Exists Already" returns what exists. */
  returnExisting?: boolean;
  /** "Allow Equal Payments" of a tool. */
  allowEqual?: boolean;
}

export interface ServiceSettings {
  environment: 'test' | 'production';
  /** How the credential spells the environment. */
  spelling?: string;
  /** Whether the sales are settled, so that a refund is a record of its own. */
  settled: boolean;
  /** How much later than made a record is in the report. */
  lagMs: number;
  /** What happens to the first, second, ... write about an object. */
  writes: Happening[][];
  /** What happens to the first, second, ... request that only reads. */
  reads: Happening[];
}

export interface Happening {
  kind: HappeningKind;
  /** Whether the request takes effect, for kinds that leave it open. */
  applied?: boolean;
  /** From sending to answer, in milliseconds. */
  latencyMs?: number;
  status?: number;
  code?: string;
  /** Seconds in Retry-After, or a date that many seconds ahead. */
  retryAfter?: number;
  asDate?: boolean;
}

export type HappeningKind = (typeof HAPPENINGS)[number];

export const HAPPENINGS = [
  /** The service's own answer. */
  'answer',
  'refused',
  'busy',
  'serverError',
  /** The connection breaks. */
  'cut',
  'noConnection',
  /** No answer before the client gives up; `applied` is when it arrived, or long after the client gave up. */
  'timeout',
  'lateApply',
  'truncated',
  'page',
  'redirect',
  /** A refusal in the other family's convention, or with its code as another type. */
  'otherRefusal',
  /** Applied, and the answer's record is empty, no object, or has a field named error. */
  'emptyRecord',
  'textRecord',
  'errorField',
  /** A refusal whose words repeat the token, the key and numbers of the request. */
  'echo',
] as const;

/** What decides which data n8n has of an execution during which it was killed. */
export interface Host {
  /** n8n 2 stores when an execution began before the work, n8n 1 does not. */
  major: 1 | 2;
  /** Save Execution Progress: n8n stores the execution after each node. */
  savesProgress: boolean;
  /** Whether the node comes last among the nodes of the workflow: n8n recovers them in this order. */
  nodeLast: boolean;
}

/** The moment at which n8n is killed: so many milliseconds after a write left. */
export interface Kill {
  /** Number of the write, counted from 1 in each execution. */
  write: number;
  afterMs: number;
}

export interface Retry {
  /** When n8n is killed during this try. */
  kill?: Kill;
  /** Which stored execution is tried again: the one that failed last, or the first one once more. */
  of: 'latest' | 'original';
  waitMs: number;
  doings: Doing[];
}

/** What a person does between two tries. */
export type Doing =
  | { kind: 'amount'; item: number; cents: number }
  /** Removes, adds and reorders rows. It takes effect where n8n runs the nodes before this one again. */
  | { kind: 'rows'; order: number[] }
  | { kind: 'field' }
  | { kind: 'parallel' }
  | { kind: 'resend' }
  /** Says of each item that the message names what became of it: after looking, or carelessly. */
  | { kind: 'resolve'; looks: boolean; claim: 'applied' | 'notApplied' }
  | { kind: 'key' }
  | { kind: 'baseUrl'; spelling: number }
  | { kind: 'environment' }
  | { kind: 'maxAmount'; cents: number };

export interface AgentSettings {
  /** For each further time that the model is asked: which calls (indexes of items) it makes. The first makes all. */
  again: number[][];
  fails: boolean;
  tries: number;
}
