import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Field, FieldPlace, Problem } from '../fields/types';
import type { Held } from '../shared/versions';
import type { Moves } from '../wire/facts';
import type { Refusal, Failure } from './failure';
import type { ItemOptions } from './option-types';
import type { DayBudget } from './day-budget';
import type { Footprint } from './footprint';

/** Convention of a response (service.md#families). "bare" has no envelope. "any" depends on the response itself. */
export type Family = 'gateway' | 'platform' | 'bare' | 'any';

/**
 * Effect of repeating the request: none (`reads`), a second record or payment (`writesOnce`), or the same state
 * (`repeatsSafely`).
 */
export type Effect = 'reads' | 'writesOnce' | 'repeatsSafely';

/**
 * Amount of money that a write moves. `named`: the amounts in the request, or nothing without amounts. `by`: a field of
 * the body. Without that field, the amount is unknown, for example if a capture collects the whole authorization.
 * `untold`: an amount that the request does not contain, such as a plan's amount. `byNode`: a setting of the node,
 * which the steps compare with the record before they send, such as the total of a voided transaction.
 */
export type Money<Name extends string = string> = 'named' | 'untold' | { by: Name } | { byNode: string };

/** Part of a planned request that determines how much money it moves. */
export type MoneyRequest = Pick<PlannedRequest, 'operation' | 'values' | 'method' | 'path' | 'effect' | 'decided'>;

export interface RequestDeclaration<Id extends string = string> {
  readonly method: IHttpRequestMethods;
  /** Path below the base URL, with the names of path fields in braces: `/pg/refund/{pgIdOrig}`. */
  readonly path: string;
  readonly family: Family;
  readonly effect: Effect;
  /** Amount of money that the request moves, according to the interface. Defaults to the amounts in the request. */
  readonly moves?: Moves;
  /** Field of the response's record that contains the records. Each of them becomes an item. */
  readonly records?: string;
  /** Encoding of the body. Defaults to JSON. Files require multipart. */
  readonly encoding?: 'multipart';
  /** `operationId` in interface/openapi.yaml. Missing if the user chooses the request. */
  readonly operationId?: Id;
  /** Field for the merchant, by default the credential's (service.md#authentication). */
  readonly merchant?: { readonly place: FieldPlace; readonly name: string };
}

/** List with pages (service.md#lists). */
export interface ListDeclaration<Name extends string = string> {
  /** Field that distinguishes two records. Without it, the node can't recognize repetitions. */
  identity?: Name;
  /** Fields that users can choose for filters and sorting. Expressions can return other fields of the record. */
  fields: Array<{ name: string; value: Name }>;
  /** Fields with the record's time, the most exact first. The service filters by the last field. */
  day?: readonly Name[];
}

/** Request whose method, path and content the user chooses. */
export interface ShapedRequest {
  method: IHttpRequestMethods;
  /** Path below the base URL. */
  path: string;
  family: Family;
  effect: Effect;
  query: IDataObject;
  body: IDataObject;
  list?: ListDeclaration;
}

/** Source of a result: a request, the unchanged record at the service, or a record found after a lost response. */
export type Came = 'sent' | 'unchanged' | 'found';

/** Fields of a request that name the record whose money moves, with the word for the record. */
export const TARGETS = { customer_id: 'customer', payee_id: 'payee', pgIdOrig: 'transaction' } as const;

export type TargetField = keyof typeof TARGETS;

/** Functions that create the output of an operation. */
export interface Output {
  /**
   * Returns the record to output. Defaults to the response's record. The node adds the IDs that the item contained.
   * @param values of the item.
   * @param sent the values of the whole request, if several items share it.
   */
  present?(record: IDataObject, values: FieldValues, sent: FieldValues): IDataObject;
  /** Returns the record that the write created or changed, if the response contains several records. */
  made?(records: IDataObject[], values: FieldValues): IDataObject;
  /** Returns one sentence about what was done. The sentence contains no long IDs, because the node would mask them. */
  summary?(record: IDataObject, values: FieldValues, came: Came): string;
  /**
   * Returns the main fields of a record for Simplify, and values that the record only implies, such as the paid amount.
   * Offered if a record has more than ten fields. `what_happened` and the words for codes are added automatically.
   */
  simplified?(record: IDataObject): IDataObject;
  /** Names that Simplify adds to the fields of the record. */
  addedBySimplify?: readonly string[];
  /** Fields that `present` adds to the record if their values are known, by name. */
  adds?: AddedFields;
}

/** Type and description of each field that the node adds to a record. */
export type AddedFields = Readonly<Record<string, { type: 'string' | 'number'; description: string }>>;

/** Declaration of everything specific to an operation. The rest of the node derives from it. */
export interface Operation extends Output, Held {
  /** Stored in workflows, so it can't change after the release. */
  value: string;
  name: string;
  /** Text in sentence case for the node search. */
  action: string;
  description: string;
  request: RequestDeclaration;
  /** Amount of money that the request moves. Defaults to the interface. */
  money?: Money | ((request: MoneyRequest) => Money);
  /** Choices with which the request only reads, so that a tool needs no limits. */
  readsWith?: Record<string, string[]>;
  /** Parameters in the order in which users fill them in. */
  fields: Field[];
  /** Rarely needed parameters, shown under "Additional Fields". */
  additional?: Field[];
  /** Checks rules between fields. Called only if every single field is valid. */
  check?(values: FieldValues, account: Account): Problem[];
  /** Returns the request if the user chooses it. Adds invalid choices to `problems`. */
  shape?: (values: FieldValues, problems: Problem[]) => ShapedRequest;
  /**
   * Codes of the gateway other than "000" with which the service applied the request, such as the approval of a part of
   * the amount.
   */
  approvals?: readonly string[];
  /** Common refusals of this operation, with specific messages. */
  refusals?: readonly Refusal[];
  /** Sentence about what support must enable. Shown if the service denies the account access. */
  needsSupport?: string;
  /** Returns a notice about a successful request, such as a recipient who isn't reached. Equal for all items. */
  notice?(values: FieldValues): string | undefined;
  /** Output in other versions of the node. The output of the current version replaces the operation's own. */
  outputs?: ReadonlyArray<Output & Held>;
  /** Finds a failed part in a record that the service created. */
  partialFailure?: PartialFailureCheck;
  /** Record to read right before a write. It completes the body. */
  completion?: Completion;
  /** Requests of an item that needs several. The values of `request` contain what all of them may move. */
  steps?: Steps;
  list?: ListDeclaration;
  /** Way to find the write at the service. Missing if no list shows it. */
  footprint?: Footprint;
  /**
   * Records of the service that count toward the daily limit (option Limit per Day). Defaults to the requests of the
   * node.
   */
  budget?: DayBudget;
  /**
   * Field that contains the customer, payee or transaction whose money moves. The guard Allowed IDs restricts its
   * values.
   */
  target?: TargetField;
  /**
   * Whether a tool refuses the operation until a person turns on Allow AI Agent. For a request that the user chooses, a
   * function decides this.
   */
  offInTools?: true | ((request: MoneyRequest) => boolean);
  /**
   * Whether the operation affects all transactions of the merchant. It then accepts only the test environment, unless
   * Test Environment Only is off.
   */
  affectsMerchant?: true;
  /** Instructions for looking up an unknown outcome. Names in braces are replaced by the request's values. */
  lookUp?: string;
  /** Whether the operation sets a state. Agents can call such an operation again, as if it repeated safely. */
  setsState?: true;
  /** Field of the object that must not get two writes at the same time. Defaults to the path's fields. */
  sameObject?: string;
}

/**
 * Completes the body of a write with values from the service. Only the values of the item identify the write. If the
 * record can't be read, nothing is added.
 */
export interface Completion<Values = FieldValues> {
  look(this: void, values: Values): Look | undefined;
  /** Returns the values to add to the body, never an amount of money. */
  add(this: void, found: IDataObject, values: Values): IDataObject;
}

/** Finds a failed part in a record that the service created anyway. */
export interface PartialFailureCheck<Values = FieldValues, Made = IDataObject> {
  find(this: void, record: Made): PartialFailure | undefined;
  /** Returns whether an item with this problem counts as failed. Otherwise, a hint describes the problem. */
  fails(this: void, values: Values): boolean;
}

export interface PartialFailure {
  /** Text that is equal for all items with the same problem, so that a run can count them. */
  text: string;
  /** Name of the record. */
  about: string;
  /** The same problem as a failure. Its references contain the record's IDs, so that the record isn't lost. */
  failure: Failure;
}

/** Steps of an item in order, and the requests that they can send. */
export type Steps<Values = FieldValues, Found = IDataObject> = Readonly<{
  sends: readonly RequestDeclaration[];
  each: ReadonlyArray<Step<Values, Found>>;
}>;

/** One write of an item that depends on records of the service. All functions are pure. */
export interface Step<Values = FieldValues, Found = IDataObject> {
  /**
   * Returns the record or list that the step reads first. `before` contains the output of earlier steps. In a retry,
   * this output comes from the memory.
   */
  look?(this: void, values: Values, before: IDataObject[]): Look | undefined;
  /** Whether to refuse the item if the record changed between the decision and the write. */
  unchanged?: boolean;
  decide(this: void, found: Found[], values: Values, before: IDataObject[]): Decision;
}

/** Record or whole list that a step reads. */
export interface Look {
  /** Path with all values filled in and encoded. */
  path: string;
  family: Family;
  query?: IDataObject;
  list?: Pick<ListDeclaration, 'identity'>;
  /** Returns whether a failure means that the record doesn't exist. The result then counts as not found. */
  absent?: (failure: Failure) => boolean;
}

/** `done`: the record already has the wanted state. `refuse`: a sentence for the user. */
export type Decision = { request: DecidedRequest } | { done: IDataObject } | { refuse: string };

/**
 * Request of the step. Path fields that it lacks come from the item, and so do the settings of the node. Settings of
 * the step can contain values of the record that the output needs.
 */
export type DecidedRequest = { to: RequestDeclaration } & Partial<FieldValues> & {
    /** Fields of the body that repeat the record's values and therefore move no money. */
    kept?: readonly string[];
  };

export interface Resource extends Held {
  /** Stored in workflows, so it can't change after the release. */
  value: string;
  name: string;
  description: string;
  /** Operation that is selected with the resource. Can't change after the release, because workflows rely on it. */
  preselected: string;
  /** Operations in the order of the editor, most wanted first. */
  operations: Operation[];
}

/** Values to send, by place, and the settings of the node. */
export interface FieldValues {
  path: IDataObject;
  query: IDataObject;
  body: IDataObject;
  node: IDataObject;
}

/** Checked credential. */
export interface Account {
  environment: 'test' | 'production';
  /** Base URL without a trailing slash. */
  baseUrl: string;
  merchantId: string;
  /** Key for the digests that identify repeated requests, derived from the credential's secret. */
  digestKey: string;
  /** The key and the token in every form that a response could contain. Failures must not contain them. */
  secrets?: readonly string[];
  /**
   * Credential from n8n, passed with each request so that base URL and token come from the same version of the
   * credential.
   */
  credential?: ICredentialDataDecryptedObject;
}

/** Request that is ready to be sent. */
export interface PlannedRequest {
  /** Indexes of the input items of this request: one, unless several items share it. */
  items: number[];
  /** Values of each item of a shared request, in the order of `items`. */
  perItem?: FieldValues[];
  /** `shares`: for a shared request, the write of each object. `whole`: for such a write, the shared request. */
  shares?: PlannedRequest[];
  whole?: PlannedRequest;
  /**
   * For a share: whether equal shares of several items are the same object, which the service must receive only once.
   */
  isSentOnce?: boolean;
  /** Number of the request within its item. The first is 0. */
  part: number;
  operation: Operation;
  options: ItemOptions;
  /** Decision of a step: the item's own request, which identifies the step, and the fields sent unchanged. */
  decided?: { asked: PlannedRequest; to: RequestDeclaration; kept: readonly string[] };
  values: FieldValues;
  /** Reference in the body that the node generated. It differs between places and does not identify the write. */
  generatedReference?: string;
  method: IHttpRequestMethods;
  /** Path with all fields filled in and encoded. */
  path: string;
  family: Family;
  effect: Effect;
  list?: ListDeclaration;
  /** Secrets of the account, which texts of failures must not contain. */
  secrets?: readonly string[];
  /** Requests with the same key never overlap and keep their order. */
  objectKey?: string;
  simplify: boolean;
  /** Fields that a tool returns to the model, if the user selected some. */
  fields?: readonly string[];
  /** For lists: number of records to fetch. `undefined` fetches all. */
  limit?: number;
}

/**
 * Input item after the node has read it: the request, or the failure if the item is invalid. `name` returns the item's
 * name in messages.
 */
export type Planned = (
  | { request: PlannedRequest }
  | {
      failure: Failure;
      item: number;
      /** Request that a guard refused. Earlier attempts may have sent it. */
      refused?: PlannedRequest;
    }
) & { name?: () => string | undefined };
