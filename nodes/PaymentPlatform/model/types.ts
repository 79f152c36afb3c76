import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Field, FieldPlace, Problem } from '../fields/types';
import type { Held } from '../shared/versions';
import type { Moves } from '../wire/facts';
import type { Refusal, Failure } from './failure';
import type { ItemOptions } from './option-types';
import type { DayBudget } from './day-budget';
import type { Footprint } from './footprint';

/**
 * Format of a response (service.md#families). "bare" has no envelope. For "any", the response itself determines the
 * format.
 */
export type Family = 'gateway' | 'platform' | 'bare' | 'any';

/**
 * Effect of sending a request again: no effect (`reads`), a second record or payment (`writesOnce`), or the same state
 * as after the first request (`repeatsSafely`).
 */
export type Effect = 'reads' | 'writesOnce' | 'repeatsSafely';

/**
 * Source of the amount of money that a write moves:
 * - `named`: the amounts in the request. A request without amounts moves no money.
 * - `untold`: an amount that the request doesn't contain, such as the amount of a plan.
 * - `by`: a field of the body. Without the field, the amount is unknown, for example if a capture collects the whole
 *   authorization.
 * - `byNode`: a setting of the node, such as the total of a voided transaction. The steps compare the setting with the
 *   record before they send the request.
 */
export type Money<Name extends string = string> = 'named' | 'untold' | { by: Name } | { byNode: string };

/** Parts of a planned request that determine the amount of money that the request moves. */
export type MoneyRequest = Pick<PlannedRequest, 'operation' | 'values' | 'method' | 'path' | 'effect' | 'decided'>;

export interface RequestDeclaration<Id extends string = string> {
  readonly method: IHttpRequestMethods;
  /** Path below the base URL, with the names of path fields in braces: `/pg/refund/{pgIdOrig}`. */
  readonly path: string;
  readonly family: Family;
  readonly effect: Effect;
  /** Source of the amount that the request moves, as the API description declares it. Defaults to `named`. */
  readonly moves?: Moves;
  /** Field of the response that contains the list of records. Each record becomes an item. */
  readonly records?: string;
  /** Encoding of the body. Defaults to JSON. Files require multipart. */
  readonly encoding?: 'multipart';
  /** `operationId` in interface/openapi.yaml. Missing if the user chooses the method and path. */
  readonly operationId?: Id;
  /** Field for the merchant ID. Defaults to the credential's merchant (service.md#authentication). */
  readonly merchant?: { readonly place: FieldPlace; readonly name: string };
}

/** List that the service returns in pages (service.md#lists). */
export interface ListDeclaration<Name extends string = string> {
  /** Field that uniquely identifies a record. Without this field, the node can't detect repeated records. */
  identity?: Name;
  /** Fields that users can select for filters and sorting. An expression can return any other field of the record. */
  fields: Array<{ name: string; value: Name }>;
  /** Fields with the record's time, most precise field first. The service filters by the last field. */
  day?: readonly Name[];
}

/** Request with a method, path and content that the user chooses. */
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

/**
 * Source of a result: a sent request, a record that needed no change, or a record that the node found after a lost
 * response.
 */
export type Came = 'sent' | 'unchanged' | 'found';

/** Request fields with the ID of the customer, payee or transaction, each with a noun for messages. */
export const TARGETS = { customer_id: 'customer', payee_id: 'payee', pgIdOrig: 'transaction' } as const;

export type TargetField = keyof typeof TARGETS;

/** Functions that create the output of an operation. */
export interface Output {
  /**
   * Returns the record to output. Defaults to the record in the response. The node adds the IDs that the item
   * contained.
   * @param values values of the item.
   * @param sent values of the whole request, if several items share the request.
   */
  present?(record: IDataObject, values: FieldValues, sent: FieldValues): IDataObject;
  /** Returns the record that the write created or changed, if the response contains several records. */
  made?(records: IDataObject[], values: FieldValues): IDataObject;
  /**
   * Returns a summary of the result in one sentence. The summary must not contain a long ID, because the node would
   * mask the ID.
   */
  summary?(record: IDataObject, values: FieldValues, came: Came): string;
  /**
   * Returns the main fields of a record for Simplify, and derived values such as the paid amount. Operations have this
   * function if their records contain more than ten fields. The node adds `what_happened` and the descriptions of
   * codes.
   */
  simplified?(record: IDataObject): IDataObject;
  /** Names of the fields that Simplify adds to the record. */
  addedBySimplify?: readonly string[];
  /** Fields that `present` adds to the record if their values are known. */
  adds?: AddedFields;
}

/** Type and description of each field that the node adds to a record, by field name. */
export type AddedFields = Readonly<Record<string, { type: 'string' | 'number'; description: string }>>;

/** Declaration of an operation. The panel, the checks and the output derive from the declaration. */
export interface Operation extends Output, Held {
  /** Identifier in saved workflows, which can't change after the release. */
  value: string;
  name: string;
  /** Text for n8n's node search, in sentence case. */
  action: string;
  description: string;
  request: RequestDeclaration;
  /** Source of the amount of money that the request moves. Defaults to the source in the interface. */
  money?: Money | ((request: MoneyRequest) => Money);
  /** Parameter values with which the request only reads data. Tools need no limits for these values. */
  readsWith?: Record<string, string[]>;
  /**
   * Sentence that tells an AI model how the operation affects money. Empty if the description states the effect. Defaults
   * to "No money moves." unless the request can move money.
   */
  moneyEffect?: string;
  /** Parameters in display order. */
  fields: Field[];
  /** Rarely needed parameters, shown under "Additional Fields". */
  additional?: Field[];
  /** Checks rules that involve several fields. The node calls this function only if every field is valid. */
  check?(values: FieldValues, account: Account): Problem[];
  /**
   * Returns the request, for operations that let the user choose the method and path. Adds invalid choices to
   * `problems`.
   */
  shape?: (values: FieldValues, problems: Problem[]) => ShapedRequest;
  /** Gateway codes other than "000" that also mean success, such as the approval of a part of the amount. */
  approvals?: readonly string[];
  /** Common errors of the operation, with specific messages. */
  refusals?: readonly Refusal[];
  /**
   * Sentence about the feature that support must enable. The node shows the sentence if the service denies the account
   * access.
   */
  needsSupport?: string;
  /**
   * Returns a notice about a successful request, such as a recipient that the service can't reach. The notice is equal
   * for all items.
   */
  notice?(values: FieldValues): string | undefined;
  /**
   * Output functions for certain versions of the node. In these versions, the functions replace the operation's own
   * output functions.
   */
  outputs?: ReadonlyArray<Output & Held>;
  /** Detects a request that failed in part, although the service created the record. */
  partialFailure?: PartialFailureCheck;
  /** Record that the node reads right before a write to complete the body. */
  completion?: Completion;
  /**
   * Steps of an item that needs several requests. The values of `request` contain the maximum amount that all steps may
   * move.
   */
  steps?: Steps;
  list?: ListDeclaration;
  /** Rules for finding the write at the service. Missing if no list shows the write. */
  footprint?: Footprint;
  /**
   * Records of the service that count toward the daily limit (option Limit per Day). Defaults to the node's own
   * requests.
   */
  budget?: DayBudget;
  /**
   * Field that contains the ID of the customer, payee or transaction. The guard Allowed IDs restricts the values of
   * this field.
   */
  target?: TargetField;
  /**
   * Whether tools refuse the operation until a person turns on Allow AI Agent. If the user chooses the method and path,
   * a function returns the value.
   */
  offInTools?: true | ((request: MoneyRequest) => boolean);
  /**
   * Whether the operation affects all transactions of the merchant. The node then accepts only the test environment,
   * unless the user turns off Test Environment Only.
   */
  affectsMerchant?: true;
  /** Instructions for looking up an unknown outcome. The node replaces names in braces with the request's values. */
  lookUp?: string;
  /** Whether the operation sets a state. An agent can repeat the call, because the second call sets the same state. */
  setsState?: true;
  /**
   * Field with the ID of the object to change. The node never sends two writes to one object at the same time. Defaults
   * to the fields of the path.
   */
  sameObject?: string;
}

/**
 * Rule for adding values from the service to the body of a write. The added values don't identify the write. If the
 * node can't read the record, the body contains only the item's values.
 */
export interface Completion<Values = FieldValues> {
  look(this: void, values: Values): Look | undefined;
  /** Returns the values to add to the body. The values never include an amount of money. */
  add(this: void, found: IDataObject, values: Values): IDataObject;
}

/** Rule for detecting a request that failed in part, although the service created the record. */
export interface PartialFailureCheck<Values = FieldValues, Made = IDataObject> {
  find(this: void, record: Made): PartialFailure | undefined;
  /** Returns whether the problem makes the item fail. Otherwise, the node reports the problem in a hint. */
  fails(this: void, values: Values): boolean;
}

export interface PartialFailure {
  /** Description of the problem. Items with the same problem have equal texts, so that the node can count the items. */
  text: string;
  /** Name of the record in messages. */
  about: string;
  /** Failure that describes the problem. The references of the failure contain the IDs of the created record. */
  failure: Failure;
}

/** Steps of an item in order, and all requests that the steps can send. */
export type Steps<Values = FieldValues, Found = IDataObject> = Readonly<{
  sends: readonly RequestDeclaration[];
  each: ReadonlyArray<Step<Values, Found>>;
}>;

/** Write of an item that depends on records of the service. All functions are pure. */
export interface Step<Values = FieldValues, Found = IDataObject> {
  /**
   * Returns the record or list to read before the decision. `before` contains the output of earlier steps. In a retry,
   * the node takes this output from the memory of the execution.
   */
  look?(this: void, values: Values, before: IDataObject[]): Look | undefined;
  /** Whether to refuse the item if the record changes between the decision and the write. */
  unchanged?: boolean;
  decide(this: void, found: Found[], values: Values, before: IDataObject[]): Decision;
}

/** Record or complete list that a step reads. */
export interface Look {
  /** Path with all values filled in and URL-encoded. */
  path: string;
  family: Family;
  query?: IDataObject;
  list?: Pick<ListDeclaration, 'identity'>;
  /** Returns whether a failure means that the record doesn't exist. The step then gets no record. */
  absent?: (failure: Failure) => boolean;
}

/**
 * Decision of a step:
 * - `request`: send a request.
 * - `done`: return a record that already has the requested state.
 * - `refuse`: refuse the item with a sentence for the user.
 */
export type Decision = { request: DecidedRequest } | { done: IDataObject } | { refuse: string };

/**
 * Request of a step. Missing path fields and node settings come from the item. The step can add node settings that
 * contain record values for the output.
 */
export type DecidedRequest = { to: RequestDeclaration } & Partial<FieldValues> & {
    /** Fields of the body that repeat values of the record and therefore move no money. */
    kept?: readonly string[];
  };

export interface Resource extends Held {
  /** Identifier in saved workflows, which can't change after the release. */
  value: string;
  name: string;
  description: string;
  /**
   * Operation that the editor selects with the resource. Saved workflows rely on the selection, so the operation can't
   * change after the release.
   */
  preselected: string;
  /** Operations in display order, most frequently used first. */
  operations: Operation[];
}

/** Values to send in each part of the request, and the settings of the node. */
export interface FieldValues {
  path: IDataObject;
  query: IDataObject;
  body: IDataObject;
  node: IDataObject;
}

/** Validated credential. */
export interface Account {
  environment: 'test' | 'production';
  /** Base URL without a trailing slash. */
  baseUrl: string;
  merchantId: string;
  /** Key for the digests that identify repeated requests. The key is derived from the credential's secret. */
  digestKey: string;
  /** API key and token in every form that a response could contain. Messages must not contain these values. */
  secrets?: readonly string[];
  /**
   * Credential from n8n. Each request contains this credential, so that the base URL and the token come from the same
   * version of the credential.
   */
  credential?: ICredentialDataDecryptedObject;
}

/** Request that is ready to be sent. */
export interface PlannedRequest {
  /** Indexes of the input items. A request has one input item unless several items share the request. */
  items: number[];
  /** Values of each item of a shared request, in the order of `items`. */
  perItem?: FieldValues[];
  /**
   * `shares`: separate writes of a shared request, one for each object. `whole`: shared request that contains the
   * separate write.
   */
  shares?: PlannedRequest[];
  whole?: PlannedRequest;
  /**
   * For a separate write of a shared request: whether equal writes of several items are the same object. The service
   * must receive the object only once.
   */
  isSentOnce?: boolean;
  /** Number of the request within its item, starting at 0. */
  part: number;
  operation: Operation;
  options: ItemOptions;
  /**
   * Decision of a step. `asked` is the item's own request, which identifies the step. `kept` lists the fields that the
   * node sends back unchanged.
   */
  decided?: { asked: PlannedRequest; to: RequestDeclaration; kept: readonly string[] };
  values: FieldValues;
  /**
   * Reference in the body that the node generated. The reference differs between items and doesn't identify the write.
   */
  generatedReference?: string;
  method: IHttpRequestMethods;
  /** Path with all fields filled in and URL-encoded. */
  path: string;
  family: Family;
  effect: Effect;
  list?: ListDeclaration;
  /** Secrets of the account, which failure messages must not contain. */
  secrets?: readonly string[];
  /**
   * Key of the object to change. The node sends requests with the same key one after another, in their original order.
   */
  objectKey?: string;
  simplify: boolean;
  /** Output fields that a tool returns to the model, if the user selected fields. */
  fields?: readonly string[];
  /** For lists: number of records to fetch. If `undefined`, the node fetches all records. */
  limit?: number;
}

/**
 * Input item after the node has read it: a request, or a failure if the item is invalid. `name` returns the item's name
 * for messages.
 */
export type Planned = (
  | { request: PlannedRequest }
  | {
      failure: Failure;
      item: number;
      /** Request that a guard refused. An earlier attempt may have sent the request. */
      refused?: PlannedRequest;
    }
) & { name?: () => string | undefined };
