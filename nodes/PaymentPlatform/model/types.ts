import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Field, FieldPlace, Problem, ValueField } from '../fields/types';
import type { Held } from '../shared/versions';
import type { Moves } from '../wire/facts';
import type { Refusal, Failure } from './failure';
import type { ItemOptions } from './option-types';
import type { DayRecords } from './day-records';
import type { Footprint, OwnReference } from './footprint';

/**
 * Format of a response (service.md#families). "bare" has no envelope. For "any", the response itself determines the
 * format.
 */
export type Family = 'gateway' | 'platform' | 'bare' | 'any';

/**
 * Effect of a repetition: none (`reads`), a second record or payment (`writesOnce`), or the same state
 * (`repeatsSafely`).
 */
export type Effect = 'reads' | 'writesOnce' | 'repeatsSafely';

/**
 * Source of the moved amount:
 * - `named`: the amounts in the request.
 * - `untold`: not in the request, such as the amount of a plan.
 * - `by`: a field of the body. Without the field, the amount is unknown.
 * - `byNode`: a setting of the node, which the node compares with the record.
 * - `none`: the request moves nothing.
 */
export type Money<Name extends string = string> = 'named' | 'untold' | 'none' | { by: Name } | { byNode: string };

/** Parts of a request that determine the moved amount. */
export type MoneyRequest = Pick<PlannedRequest, 'operation' | 'values' | 'method' | 'path' | 'effect' | 'decided'>;

export interface RequestDeclaration<Id extends string = string> {
  readonly method: IHttpRequestMethods;
  /** Path such as `/pg/refund/{pgIdOrig}`. */
  readonly path: string;
  readonly family: Family;
  readonly effect: Effect;
  /** Defaults to `named`. */
  readonly moves?: Moves;
  /** Response field with the list of records. Each record becomes an item. */
  readonly records?: string;
  /** Whether the response is a list of records. */
  readonly lists?: true;
  /** Defaults to JSON. Files require multipart. */
  readonly encoding?: 'multipart';
  /** `operationId` in interface/openapi.yaml. Missing if the user chooses the method and path. */
  readonly operationId?: Id;
  /** Defaults to the credential's merchant (service.md#authentication). */
  readonly merchant?: { readonly place: FieldPlace; readonly name: string };
}

/** List that the service returns in pages (service.md#lists). */
export interface ListDeclaration<Name extends string = string> {
  /** Without this unique field, the node can't detect repeated records. */
  identity?: Name;
  fields: Array<{ name: string; value: Name }>;
  /** Fields with the record's time, most precise first. The service filters by the last field. */
  day?: readonly Name[];
  /** Records to include if the user turns on the parameter, because the service has no such filter. */
  only?: { parameter: string; includes: (record: IDataObject) => boolean };
  linked?: LinkedList;
}

/** Field `by` of a linked record, such as a refund, contains the value of field `to` of the listed record. */
export interface RecordLink {
  by: string;
  to: string;
  /** Field with the linked record's ID. */
  identity: string;
}

/** Records of another list that add fields to a list's records. If they are unreadable, the fields are missing. */
export interface LinkedList extends RecordLink {
  /** Name of the records in a hint. */
  of: string;
  request: Pick<RequestDeclaration, 'path' | 'family'>;
  fieldsFrom: (linked: IDataObject[], record: IDataObject) => IDataObject;
}

export interface RecordShape {
  identity?: string | undefined;
  /** Missing if the node knows none. */
  fields?: ReadonlyArray<{ value: string }>;
  /** Whether each record must have an ID, because the node uses it to decide whether to send a write. */
  needsIds?: boolean;
}

export interface ListToFetch extends RecordShape {
  mostPages?: number;
  /** Returns whether the node needs no records after these records of a page. */
  isLast?: (records: IDataObject[]) => boolean;
  /** Whether the caller ignores notices. If not, the node checks later pages for changes. */
  ignoresNotes?: boolean;
  /** Whether a record can move past the pages that the node reads, because the list is sorted by a field that changes. */
  mayMove?: boolean;
}

/** The user chooses the method and path. */
export interface ShapedRequest {
  method: IHttpRequestMethods;
  path: string;
  family: Family;
  effect: Effect;
  query: IDataObject;
  body: IDataObject;
  list?: ListDeclaration;
}

/** `isOptional`: whether the node generates the reference only if the user turns on Generate Reference. */
export interface ReferenceField<Name extends string = string> {
  name: Name;
  isOptional?: true;
}

/** `found`: the node found the record after a lost response. */
export type Came = 'sent' | 'unchanged' | 'found';

/** Request fields that identify the customer, payee or transaction, each with a noun for messages. */
export const TARGETS = { customer_id: 'customer', payee_id: 'payee', pgIdOrig: 'transaction' } as const;

export type TargetField = keyof typeof TARGETS;

export interface Output {
  /**
   * Defaults to the record in the response.
   * @param sent the whole request, if several items share it.
   */
  present?(record: IDataObject, values: FieldValues, sent: FieldValues): IDataObject;
  /** Returns the written record, if the response contains several. */
  made?(records: IDataObject[], values: FieldValues): IDataObject;
  /**
   * Must not contain a long ID, because the node would mask it.
   * @param sent see `present`.
   */
  summary?(record: IDataObject, values: FieldValues, came: Came, sent: FieldValues): string;
  /** Needed for records with more than ten fields. */
  simplified?(record: IDataObject, values: FieldValues): IDataObject;
  addedBySimplify?: readonly string[];
  adds?: AddedFields;
}

/** Type and description of each added field, by name. */
export type AddedFields = Readonly<Record<string, { type: 'string' | 'number'; description: string }>>;

/** Value that a record determines, with the record's currency, or the problem. `left` is what it shows for `LEFT`. */
export type EarlyValue = { value: string | number; currency?: string; left?: AmountLeft } | Pick<Problem, 'allowed'>;

/** Node setting with the refundable amount of a payment that the node read before it planned the item. */
export const LEFT = 'left';

/** Has the names of the record's fields. */
export interface AmountLeft extends IDataObject {
  amt_refundable: number;
  tran_currency?: IDataObject[string];
}

/** Records that the node reads before it plans an item. */
export interface EarlyRead {
  /** Empty if the service can't search for the records. */
  looks: Look[];
  /** @param records records of all lists, which may contain a record several times. */
  choose: (records: IDataObject[]) => EarlyValue;
}

/** How the node finds a record by a reference that the user knows, such as an order number. */
export interface ReferenceSearch {
  looks(this: void, reference: string): Look[];
  /** Returns the ID of the only record that has the reference. */
  choose(this: void, records: IDataObject[], reference: string): EarlyValue;
}

/** Lets the user choose an amount that the node reads before it plans the item. */
export interface AmountToRead {
  /** Node setting with the choice. */
  by: ValueField;
  choice: string;
  /** Body field of the amount. */
  field: string;
  /** Returns `undefined` if the values are incomplete. */
  read(this: void, values: FieldValues): EarlyRead | undefined;
}

/** The panel, the checks and the output derive from this declaration. */
export interface Operation extends Output, Held {
  /** Identifier in saved workflows. Can't change after the release. */
  value: string;
  name: string;
  /** Used in n8n's node search, in sentence case. */
  action: string;
  description: string;
  request: RequestDeclaration;
  /** Defaults to the source in the API description. */
  money?: Money | ((request: MoneyRequest) => Money);
  /** For these parameter values, the request only reads data, so tools need no limits. */
  readsWith?: Record<string, string[]>;
  /** Tells an AI model how the operation affects money. Empty if the description does. */
  moneyEffect?: string;
  fields: Field[];
  /** Rarely needed, shown under "Additional Fields". */
  additional?: Field[];
  /** Applies if the user enters a reference instead of the record's ID. */
  byReference?: ReferenceSearch;
  amountToRead?: AmountToRead;
  /** Checks rules that involve several fields, if every field is valid. */
  check?(values: FieldValues, account: Account): Problem[];
  /** Returns the request, if the user chooses the method and path. Adds invalid choices to `problems`. */
  shape?: (values: FieldValues, problems: Problem[]) => ShapedRequest;
  /** Further gateway codes that mean success, such as a partial approval. */
  approvals?: readonly string[];
  refusals?: readonly Refusal[];
  /** Sentence for users without access to the feature, which support must enable. */
  needsSupport?: string;
  /** Returns a notice about a success, such as a recipient that the service can't reach. */
  notice?(values: FieldValues): string | undefined;
  /** Output functions of certain node versions. */
  outputs?: ReadonlyArray<Output & Held>;
  partialFailure?: PartialFailureCheck;
  /** Record that the node reads to complete the body. */
  completion?: Completion;
  /** Writes of an item that needs several. `request` contains the maximum total that they may move. */
  steps?: Steps;
  /** Steps of an item that only needs several writes with some values. */
  optionalSteps?: { isWanted(values: FieldValues): boolean; steps: Steps };
  list?: ListDeclaration;
  /** Response field with the ID of the created record. Defaults to the ID of the footprint's list. */
  creates?: string;
  /** Response field with an ID. The workflow's trigger recognizes events about records with this ID. */
  eventsBy?: string;
  /** Body field for a reference that the node generates if the user enters none. */
  reference?: ReferenceField;
  /** Missing if no list shows the write. */
  footprint?: Footprint;
  /** Records that count toward the option Limit per Day. Defaults to the node's own requests. */
  dayRecords?: DayRecords;
  /** Returns the records that count toward the limit per day of a custom request. */
  dayRecordsOf?: (request: Pick<MoneyRequest, 'method' | 'path'>) => DayRecords | undefined;
  /** Field that the option Allowed IDs restricts. */
  target?: TargetField;
  /** Whether tools refuse the operation until a person turns on Allow AI Agent. */
  offInTools?: true | ((request: MoneyRequest) => boolean);
  /**
   * Whether the operation affects the whole open batch. By default, the node then accepts only the test environment.
   */
  affectsMerchant?: true;
  /** Instructions for looking up an unknown outcome. The request's values replace names in braces. */
  lookUp?: string;
  /** Whether an agent may repeat the call, because repeats set the same state. */
  setsState?: true;
  /**
   * Field with the ID of the object to change. A run never sends two writes to one object at the same time. Defaults to
   * the first path field.
   */
  sameObject?: string;
}

/**
 * Adds fields of a record to the body. After a temporary fault, the node doesn't send the write. If the record is
 * unreadable for another reason, the node adds nothing.
 */
export interface Completion<Values = FieldValues> {
  look(this: void, values: Values): Look | undefined;
  /** Never returns an amount of money. */
  add(this: void, found: IDataObject, values: Values): IDataObject;
  /** Refusal if the record doesn't exist. If missing, the node adds nothing. */
  absent?: Failure;
  /** Returns the look-up of the record that the item itself creates. */
  creates?(this: void, values: Values): Look | undefined;
}

export interface PartialFailureCheck<Values = FieldValues, Made = IDataObject> {
  find(this: void, record: Made, values: Values): PartialFailure | undefined;
  /** Returns whether the item fails. Otherwise, the node reports the problem in a hint. */
  fails(this: void, values: Values): boolean;
}

export interface PartialFailure {
  /** Identical for all affected items, so that the node can count them. */
  text: string;
  about: string;
  failure: Failure;
  /** Requested amount that did not move, in cents. Missing if the response doesn't show it. */
  unmovedCents?: number;
}

/** Writes in order, and all requests that the node can send for them. */
export type Steps<Values = FieldValues, Found = IDataObject> = Readonly<{
  sends: readonly RequestDeclaration[];
  each: ReadonlyArray<Step<Values, Found>>;
  /**
   * Whether the first of several writes creates the record of `Operation.footprint`, and the others change this record.
   * If an attempt created the record itself, it doesn't read the record before it changes it.
   */
  createsFirst?: true;
}>;

/** Write that depends on the service's records. An item has one or more. All functions are pure. */
export interface Step<Values = FieldValues, Found = IDataObject> {
  /** Returns the record or list to read first. `before` contains the output of the item's earlier writes. */
  look?(this: void, values: Values, before: IDataObject[]): Look | undefined;
  /** Refuses the item if the record changes between the decision and the write. */
  unchanged?: boolean;
  decide(this: void, found: Found[], values: Values, before: IDataObject[]): Decision;
  /** Texts and output of a write that follows another one. */
  as?: Pick<Operation, 'action' | 'money' | 'summary' | 'present' | 'refusals' | 'lookUp'>;
  /**
   * Describes an item whose earlier writes succeeded, but not this one.
   * @param isUnknown whether the service may have applied this write.
   */
  unfinished?(this: void, before: IDataObject[], isUnknown: boolean): { message: string; advice: string };
}

export interface Look {
  path: string;
  family: Family;
  query?: IDataObject;
  identity?: string;
  list?: Pick<ListToFetch, 'identity' | 'mostPages' | 'isLast'>;
  absent?: (failure: Failure) => boolean;
  /** IDs in the path, by field. A response with another ID is unreadable. */
  ids?: IDataObject;
}

/** Send a request (`request`), return a record that needs no change (`done`), or refuse with a sentence (`refuse`). */
export type Decision = { request: DecidedRequest } | { done: IDataObject } | { refuse: string };

/** Missing path fields and node settings come from the item. */
export type DecidedRequest = { to: RequestDeclaration } & Partial<FieldValues> & {
    /** Body fields that repeat the record and therefore move no money. */
    kept?: readonly string[];
  };

export interface Resource extends Held {
  /** Identifier in saved workflows. Can't change after the release. */
  value: string;
  name: string;
  description: string;
  /** The editor selects this operation with the resource. Can't change, because saved workflows rely on it. */
  preselected: string;
  /** Most frequently used first. */
  operations: Operation[];
}

export interface FieldValues {
  path: IDataObject;
  query: IDataObject;
  body: IDataObject;
  node: IDataObject;
  /** Defaults to the credential's merchant. */
  merchant?: string;
  /** Time zone of the workflow. */
  timezone?: string;
  /** Generated reference, which doesn't identify the write. */
  reference?: OwnReference;
}

export interface Account {
  environment: 'test' | 'production';
  baseUrl: string;
  merchantId: string;
  /** Key for digests of requests, derived from the credential's secret. */
  digestKey: string;
  /** API key and token in every form that a response could contain. Messages must not contain them. */
  secrets?: readonly string[];
  /**
   * Credential from n8n. Each request uses it, so that the base URL and the token come from the same version of the
   * credential.
   */
  credential?: ICredentialDataDecryptedObject;
}

export type FileFormat = 'csv' | 'ndjson' | 'json';

/** File in which the node returns the records of a list. */
export interface FileOutput {
  format: FileFormat;
  /** Name of the output item's binary property. */
  property: string;
  addBom: boolean;
  /** Whether CSV columns have readable names instead of the API's names. */
  hasLabels: boolean;
  /** Whether a spreadsheet must not run text of a CSV file as a formula. */
  escapesFormulas: boolean;
}

export interface PlannedRequest {
  /** Indexes of the input items, several only if they share the request. */
  items: number[];
  /** Fields of each item of a shared request, in the same order. */
  perItem?: FieldValues[];
  /**
   * `shares`: separate writes of a request that several items share. `whole`: the shared request of a separate write.
   */
  shares?: PlannedRequest[];
  whole?: PlannedRequest;
  /** Whether identical texts identify one object, which the service must receive only once. */
  isSentOnce?: boolean;
  part: number;
  operation: Operation;
  options: ItemOptions;
  /** `asked` is the item's own request. `kept` lists the fields that the node sends back unchanged. */
  decided?: { asked: PlannedRequest; to: RequestDeclaration; kept: readonly string[] };
  values: FieldValues;
  method: IHttpRequestMethods;
  path: string;
  family: Family;
  effect: Effect;
  list?: ListDeclaration;
  secrets?: readonly string[];
  /** The node sends requests for the same object one after another. */
  objectKey?: string;
  simplify: boolean;
  fields?: readonly string[];
  /** If missing, each record of a list becomes an item. */
  file?: FileOutput;
  /** If `undefined`, the node fetches all records. */
  limit?: number;
}

/** Input item after planning: a request, or a failure if the item is invalid. */
export type Planned = (
  | { request: PlannedRequest }
  | {
      failure: Failure;
      item: number;
      /** An earlier attempt may have sent this request. */
      refused?: PlannedRequest;
    }
) & {
  name?: () => string | undefined;
  /** Whether the node shows what it would send for the item, and sends nothing. */
  isPreview?: boolean;
};
