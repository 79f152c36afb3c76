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
 * - `named`: the amounts in the request.
 * - `untold`: an amount that the request doesn't contain, such as the amount of a plan.
 * - `by`: a field of the body. Without the field, the amount is unknown.
 * - `byNode`: a setting of the node, which the node compares with the record.
 */
export type Money<Name extends string = string> = 'named' | 'untold' | { by: Name } | { byNode: string };

/** Parts of a request that determine the amount of money that it moves. */
export type MoneyRequest = Pick<PlannedRequest, 'operation' | 'values' | 'method' | 'path' | 'effect' | 'decided'>;

export interface RequestDeclaration<Id extends string = string> {
  readonly method: IHttpRequestMethods;
  /** Path below the base URL, such as `/pg/refund/{pgIdOrig}`. */
  readonly path: string;
  readonly family: Family;
  readonly effect: Effect;
  /** Source of the moved amount. Defaults to `named`. */
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
  fields: Array<{ name: string; value: Name }>;
  /** Fields with the record's time, most precise field first. The service filters by the last field. */
  day?: readonly Name[];
}

/** Request with a method and path that the user chooses. */
export interface ShapedRequest {
  method: IHttpRequestMethods;
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
   * Returns the record to output. Defaults to the record in the response.
   * @param sent the whole request, if several items share it.
   */
  present?(record: IDataObject, values: FieldValues, sent: FieldValues): IDataObject;
  /** Returns the record that the write created or changed, if the response contains several records. */
  made?(records: IDataObject[], values: FieldValues): IDataObject;
  /** Returns a sentence about the result. Must not contain a long ID, because the node would mask it. */
  summary?(record: IDataObject, values: FieldValues, came: Came): string;
  /** Returns the main fields of a record for Simplify. Needed for records with more than ten fields. */
  simplified?(record: IDataObject): IDataObject;
  /** Names of the fields that Simplify adds to the record. */
  addedBySimplify?: readonly string[];
  adds?: AddedFields;
}

/** Type and description of each field that the node adds to a record, by field name. */
export type AddedFields = Readonly<Record<string, { type: 'string' | 'number'; description: string }>>;

/** Declaration of an operation. The panel, the checks and the output derive from it. */
export interface Operation extends Output, Held {
  /** Identifier in saved workflows. Can't change after the release. */
  value: string;
  name: string;
  /** Text for n8n's node search, in sentence case. */
  action: string;
  description: string;
  request: RequestDeclaration;
  /** Source of the moved amount. Defaults to the source in the API description. */
  money?: Money | ((request: MoneyRequest) => Money);
  /** Parameter values for which the request only reads data. Tools need no limits here. */
  readsWith?: Record<string, string[]>;
  /** Sentence that tells an AI model how the operation affects money. Empty if the description states the effect. */
  moneyEffect?: string;
  fields: Field[];
  /** Rarely needed parameters, shown under "Additional Fields". */
  additional?: Field[];
  /** Checks rules that involve several fields. The node calls this function only if every field is valid. */
  check?(values: FieldValues, account: Account): Problem[];
  /** Returns the request, if the user chooses the method and path. Adds invalid choices to `problems`. */
  shape?: (values: FieldValues, problems: Problem[]) => ShapedRequest;
  /** Gateway codes other than "000" that also mean success, such as a partial approval. */
  approvals?: readonly string[];
  refusals?: readonly Refusal[];
  /** Sentence for users without access to the feature, which support must enable. */
  needsSupport?: string;
  /** Returns a notice about a successful request, such as a recipient that the service can't reach. */
  notice?(values: FieldValues): string | undefined;
  /** Replaces the output functions in certain versions of the node. */
  outputs?: ReadonlyArray<Output & Held>;
  partialFailure?: PartialFailureCheck;
  /** Record that the node reads just before a write, to complete the body. */
  completion?: Completion;
  /** Writes of an item that needs several requests. `request` contains the maximum total that they may move. */
  steps?: Steps;
  list?: ListDeclaration;
  /** Rules for finding the write at the service. Missing if no list shows the write. */
  footprint?: Footprint;
  /** Records of the service that count toward the option Limit per Day. Defaults to the node's own requests. */
  budget?: DayBudget;
  /** Field with the ID of the customer, payee or transaction, which the option Allowed IDs restricts. */
  target?: TargetField;
  /** Whether tools refuse the operation until a person turns on Allow AI Agent. */
  offInTools?: true | ((request: MoneyRequest) => boolean);
  /**
   * Whether the operation affects all transactions in the open batch. By default, the node then accepts only the test
   * environment.
   */
  affectsMerchant?: true;
  /** Instructions for looking up an unknown outcome. The node replaces names in braces with the request's values. */
  lookUp?: string;
  /** Whether an agent may repeat the call. If so, repeats set the same state. */
  setsState?: true;
  /**
   * Field with the ID of the object to change. A run never sends two writes to one object at the same time. Defaults to
   * the first field of the path.
   */
  sameObject?: string;
}

/**
 * Adds fields of the service's record to the body of a write. After a temporary fault, the node doesn't send the write.
 * If it otherwise can't read the record, it adds nothing.
 */
export interface Completion<Values = FieldValues> {
  look(this: void, values: Values): Look | undefined;
  /** Returns the fields to add to the body, which never include an amount of money. */
  add(this: void, found: IDataObject, values: Values): IDataObject;
}

/** Detects a request that failed in part, although the service created the record. */
export interface PartialFailureCheck<Values = FieldValues, Made = IDataObject> {
  find(this: void, record: Made): PartialFailure | undefined;
  /** Returns whether the problem makes the item fail. Otherwise, the node reports the problem in a hint. */
  fails(this: void, values: Values): boolean;
}

export interface PartialFailure {
  /** Description of the problem, identical for all affected items, so that the node can count them. */
  text: string;
  about: string;
  failure: Failure;
}

/** Writes of an item, in order, and all requests that the node can send for them. */
export type Steps<Values = FieldValues, Found = IDataObject> = Readonly<{
  sends: readonly RequestDeclaration[];
  each: ReadonlyArray<Step<Values, Found>>;
}>;

/** Write that depends on the service's records. An item has one or more. All functions are pure. */
export interface Step<Values = FieldValues, Found = IDataObject> {
  /**
   * Returns the record or list to read before the decision. `before` contains the output of the item's earlier writes.
   */
  look?(this: void, values: Values, before: IDataObject[]): Look | undefined;
  /** Whether to refuse the item if the record changes between the decision and the write. */
  unchanged?: boolean;
  decide(this: void, found: Found[], values: Values, before: IDataObject[]): Decision;
}

/** Record or complete list that the node reads before a write. */
export interface Look {
  path: string;
  family: Family;
  query?: IDataObject;
  list?: Pick<ListDeclaration, 'identity'>;
  absent?: (failure: Failure) => boolean;
}

/**
 * Decision after the node has read a record: send a request (`request`), return a record that needs no change (`done`),
 * or refuse the item with a sentence (`refuse`).
 */
export type Decision = { request: DecidedRequest } | { done: IDataObject } | { refuse: string };

/** Request that the node selected after it read a record. Missing path fields and node settings come from the item. */
export type DecidedRequest = { to: RequestDeclaration } & Partial<FieldValues> & {
    /** Fields of the body that repeat fields of the record and therefore move no money. */
    kept?: readonly string[];
  };

export interface Resource extends Held {
  /** Identifier in saved workflows. Can't change after the release. */
  value: string;
  name: string;
  description: string;
  /**
   * Operation that the editor selects with the resource. Can't change after the release, because saved workflows rely
   * on it.
   */
  preselected: string;
  /** Operations in display order, most frequently used first. */
  operations: Operation[];
}

/** Fields of each part of the request, and the settings of the node. */
export interface FieldValues {
  path: IDataObject;
  query: IDataObject;
  body: IDataObject;
  node: IDataObject;
}

/** Validated credential. */
export interface Account {
  environment: 'test' | 'production';
  baseUrl: string;
  merchantId: string;
  /** Key for the digests that identify repeated requests, derived from the credential's secret. */
  digestKey: string;
  /** API key and token in every form that a response could contain. Messages must not contain them. */
  secrets?: readonly string[];
  /**
   * Credential from n8n. Each request uses it, so that the base URL and the token come from the same version of the
   * credential.
   */
  credential?: ICredentialDataDecryptedObject;
}

/** Request that is ready to be sent. */
export interface PlannedRequest {
  /** Indexes of the input items. A request has one input item unless several items share it. */
  items: number[];
  /** Fields of each item of a shared request, in the order of `items`. */
  perItem?: FieldValues[];
  /**
   * `shares`: separate writes of a request that several items share. `whole`: the shared request of a separate write.
   */
  shares?: PlannedRequest[];
  whole?: PlannedRequest;
  /** Whether identical texts of several items identify the same object, which the service must receive only once. */
  isSentOnce?: boolean;
  part: number;
  operation: Operation;
  options: ItemOptions;
  /**
   * Request that the node selected. `asked` is the item's own request. `kept` lists the fields that the node sends back
   * unchanged.
   */
  decided?: { asked: PlannedRequest; to: RequestDeclaration; kept: readonly string[] };
  values: FieldValues;
  /** Node-generated reference in the body. It doesn't identify the write. */
  generatedReference?: string;
  method: IHttpRequestMethods;
  path: string;
  family: Family;
  effect: Effect;
  list?: ListDeclaration;
  secrets?: readonly string[];
  /** Object to change. The node sends requests for the same object one after another. */
  objectKey?: string;
  simplify: boolean;
  fields?: readonly string[];
  /** Number of records to fetch from a list. If `undefined`, the node fetches all records. */
  limit?: number;
}

/** Input item after the node has read it: a request, or a failure if the item is invalid. */
export type Planned = (
  | { request: PlannedRequest }
  | {
      failure: Failure;
      item: number;
      /** Refused request, which an earlier attempt may have sent. */
      refused?: PlannedRequest;
    }
) & { name?: () => string | undefined };
