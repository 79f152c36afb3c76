import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Field, FieldPlace, Problem } from '../fields/types';
import type { Held } from '../shared/versions';
import type { Moves } from '../wire/facts';
import type { Refusal, Failure } from './failure';
import type { ItemOptions } from './option-types';
import type { DayBudget } from './day-budget';
import type { Footprint } from './footprint';

/** The convention of an answer (service.md#families): "bare" has no envelope, "any" goes by what the answer looks like. */
export type Family = 'gateway' | 'platform' | 'bare' | 'any';

/**
 * What a repetition of the request would do: nothing (`reads`), move money or make a second record (`writesOnce`), or
 * leave the same state behind (`repeatsSafely`).
 */
export type Effect = 'reads' | 'writesOnce' | 'repeatsSafely';

/**
 * How much money a write moves: `named`, what its amounts say, and nothing when it names none; `by` a field, what that
 * field of the body says, and nobody knows how much without it (the capture of a whole authorization); `untold`, more
 * than it can name (a plan's amount, the total of a voided transaction).
 */
export type Money<Name extends string = string> = 'named' | 'untold' | { by: Name };

/** The part of a planned request that tells how much money it moves. */
export type MoneyRequest = Pick<PlannedRequest, 'operation' | 'values' | 'method' | 'path' | 'effect' | 'decided'>;

export interface RequestDeclaration<Id extends string = string> {
  readonly method: IHttpRequestMethods;
  /** Path below the base URL, with the names of path fields in braces: `/pg/refund/{pgIdOrig}`. */
  readonly path: string;
  readonly family: Family;
  readonly effect: Effect;
  /** How much money it moves, by what the interface says; what its amounts say unless given. */
  readonly moves?: Moves;
  /** The field of the answer's record that holds the records, where it is none itself: each is an item then. */
  readonly records?: string;
  /** How the body is sent: as JSON unless given. A file travels as multipart only. */
  readonly encoding?: 'multipart';
  /** The operation's `operationId` in interface/openapi.yaml; none where the person chooses the request. */
  readonly operationId?: Id;
  /** Where the request must name a merchant: the credential's unless the item does (service.md#authentication). */
  readonly merchant?: { readonly place: FieldPlace; readonly name: string };
}

/** A list that comes in pages (service.md#lists). */
export interface ListDeclaration<Name extends string = string> {
  /** The field that tells two records apart; where none is known to, no record is taken for a repetition. */
  identity?: Name;
  /** Fields offered for filters and sorting: any field of the record may be typed as well. */
  fields: Array<{ name: string; value: Name }>;
  /** Fields of a record that tell when it was, the most exact first, and last the one that the service is asked by. */
  day?: readonly Name[];
}

/** A request whose method, path and content the person chooses. */
export interface ShapedRequest {
  method: IHttpRequestMethods;
  /** Below the base URL. */
  path: string;
  family: Family;
  effect: Effect;
  query: IDataObject;
  body: IDataObject;
  list?: ListDeclaration;
}

/** How a result came about: by a request, without one because the service had it so, or found after a lost answer. */
export type Came = 'sent' | 'unchanged' | 'found';

/** What the results of an operation look like. */
export interface Output {
  /**
   * The records to emit from the service's answer; the answer's own record unless given. The IDs that a write was given
   * are added by themselves.
   * @param values of the item
   * @param sent what the request as a whole held, where several items share one
   */
  present?(record: IDataObject, values: FieldValues, sent: FieldValues): IDataObject;
  /** Of an answer that lists more than the write made, the record that it made: an item stays one item. */
  made?(records: IDataObject[], values: FieldValues): IDataObject;
  /** What was done, as sentences for a person: no IDs of many digits, which would be masked. */
  summary?(record: IDataObject, values: FieldValues, came: Came): string;
  /**
   * What Simplify makes of a record: its main fields, and what it only implies, such as what was paid. Offered where a
   * record has more than ten fields. What happened and the words for codes need no mention.
   */
  simplified?(record: IDataObject): IDataObject;
  /** Names that Simplify adds to those of the record. */
  addedBySimplify?: readonly string[];
}

/** Everything that is special about one operation. The rest of the node derives from it. */
export interface Operation extends Output, Held {
  /** Stored in workflows; frozen once released. */
  value: string;
  name: string;
  /** Sentence case, as the node search shows it. */
  action: string;
  description: string;
  request: RequestDeclaration;
  /** How much money the request moves; what the interface says of it unless given. */
  money?: Money | ((request: MoneyRequest) => Money);
  /** Parameters in the order a person fills them. */
  fields: Field[];
  /** Parameters that are rarely needed; shown under "Additional Fields". */
  additional?: Field[];
  /** Rules between fields. Only asked when every single field is right. */
  check?(values: FieldValues, account: Account): Problem[];
  /** The request, where the person chooses it. Adds to `problems` what is wrong with the choice. */
  shape?: (values: FieldValues, problems: Problem[]) => ShapedRequest;
  /** Refusals of this operation that people meet, each told in words of its own. */
  refusals?: readonly Refusal[];
  /** What support must have enabled for it, as a sentence: said where the service does not let the account use it. */
  needsSupport?: string;
  /**
   * What a person should know of a request that went well, such as a recipient who is not reached: words that are the same
   * for all items that have it.
   */
  notice?(values: FieldValues): string | undefined;
  /** Where results do not look the same in all versions of the node: what holds stands in the place of the operation's own. */
  outputs?: ReadonlyArray<Output & Held>;
  /** Looks at what the service made for a part that went wrong all the same. */
  partialFailure?: PartialFailureCheck;
  /** What is read right before a write is sent, and adds to its body. */
  completion?: Completion;
  /** For an item that is more than one request: `request` then says what all of it is, and its values what it may move. */
  steps?: Steps;
  list?: ListDeclaration;
  /** How a write is found at the service: one whose outcome is unknown, or one of before; none where no list shows it. */
  footprint?: Footprint;
  /** What it takes of a day's budget, by the service's own list; asked only with the option Refuse More Than in One Day. */
  budget?: DayBudget;
  /**
   * Where a person finds out whether a request of unknown outcome was applied. Names in braces are replaced by the
   * values of the request.
   */
  lookUp?: string;
  /** It sets a state, and sends nothing new where that is so: an agent may call it again. So is whatever repeats safely. */
  setsState?: true;
  /** Field whose object must not be written to twice at the same time; the path's own fields unless given. */
  sameObject?: string;
}

/**
 * Adds to the body of a write what the service has. The write is still known by what the item gives. A record that can't be
 * read adds nothing.
 */
export interface Completion<Values = FieldValues> {
  look(this: void, values: Values): Look | undefined;
  /** What is added to the body: no amount of money. */
  add(this: void, found: IDataObject, values: Values): IDataObject;
}

/** Finds the part that went wrong of a record that exists all the same. */
export interface PartialFailureCheck<Values = FieldValues, Made = IDataObject> {
  find(this: void, record: Made): PartialFailure | undefined;
  /** Whether such an item counts as failed; a hint says it otherwise. */
  fails(this: void, values: Values): boolean;
}

export interface PartialFailure {
  /** The same for all items that have it, so that a run can count them. */
  text: string;
  /** Which record it is about. */
  about: string;
  /** The same as a failure; its references hold the IDs of the record, so that it is not lost. */
  failure: Failure;
}

/** The steps of an item, one after the other, and the requests that they may decide for. */
export type Steps<Values = FieldValues, Found = IDataObject> = Readonly<{
  sends: readonly RequestDeclaration[];
  each: ReadonlyArray<Step<Values, Found>>;
}>;

/** One write of an item that is decided by what the service has. Everything here is a pure function of what it is given. */
export interface Step<Values = FieldValues, Found = IDataObject> {
  /** What is read before, if anything; `before` is what each step before came to, as it is put out: in a retry from memory. */
  look?(this: void, values: Values, before: IDataObject[]): Look | undefined;
  /** Refuses the item when what was found is not the same any more right before the write is sent. */
  unchanged?: boolean;
  decide(this: void, found: Found[], values: Values, before: IDataObject[]): Decision;
}

/** What a step reads: a record, or a list that is read whole. */
export interface Look {
  /** Filled in and encoded. */
  path: string;
  family: Family;
  query?: IDataObject;
  list?: Pick<ListDeclaration, 'identity'>;
  /** Whether a refusal says that there is no such record; nothing was found then. */
  absent?: (failure: Failure) => boolean;
}

/** `done`: the record is as it should be. `refuse`: a sentence for a person. */
export type Decision = { request: DecidedRequest } | { done: IDataObject } | { refuse: string };

/** A request of the step's declaration; path fields that it does not give are those of the item. */
export type DecidedRequest = { to: RequestDeclaration } & Partial<Pick<FieldValues, 'path' | 'query' | 'body'>> & {
    /** Fields of the body that are sent as the record had them: no money moves by these. */
    kept?: readonly string[];
  };

export interface Resource extends Held {
  /** Stored in workflows; frozen once released. */
  value: string;
  name: string;
  description: string;
  /** The operation that is chosen with the resource; stored where a workflow names none, so frozen once released. */
  preselected: string;
  /** In the order in which people look for them: the editor lists them so. */
  operations: Operation[];
}

/** The values to send, by place, and the choices for the node itself. */
export interface FieldValues {
  path: IDataObject;
  query: IDataObject;
  body: IDataObject;
  node: IDataObject;
}

/** The credential, checked. */
export interface Account {
  environment: 'test' | 'production';
  /** Without a trailing slash. */
  baseUrl: string;
  merchantId: string;
  /** Derived from the credential's secret; keys the digests by which a repeated request is recognised. */
  digestKey: string;
  /** The key and the token, in every form in which they could come back: no text of a failure may hold them. */
  secrets?: readonly string[];
  /** As n8n gave it; handed back with each request, so that base URL and token are of one reading, and it is the only one. */
  credential?: ICredentialDataDecryptedObject;
}

/** One request, ready to be sent. */
export interface PlannedRequest {
  /** Indexes of the input items whose request this is: one, unless many items share a request. */
  items: number[];
  /** Of a request of many items: the values of each of them, in the order of `items`. */
  perItem?: FieldValues[];
  /** Of a request of many objects: the write of each object, by which a retry knows it; of such a write, the whole request. */
  shares?: PlannedRequest[];
  whole?: PlannedRequest;
  /** Tells apart the requests of one item that needs several; 0 for the first. */
  part: number;
  operation: Operation;
  options: ItemOptions;
  /** What a step decided: what the item asks for, which identifies the step in a retry, and the fields sent unchanged. */
  decided?: { asked: PlannedRequest; to: RequestDeclaration; kept: readonly string[] };
  values: FieldValues;
  method: IHttpRequestMethods;
  /** Path with its fields filled in and encoded. */
  path: string;
  family: Family;
  effect: Effect;
  list?: ListDeclaration;
  /** The account's own, which no text of a failure may hold. */
  secrets?: readonly string[];
  /** Requests with the same key never overlap and keep their order. */
  objectKey?: string;
  simplify: boolean;
  /** The fields that a tool hands to the model, where they were chosen. */
  fields?: readonly string[];
  /** For lists: how many records to fetch; all of them when `undefined`. */
  limit?: number;
}

/** An input item that was read: its request, or the reason why there is none. `name`: what a person calls the item. */
export type Planned = ({ request: PlannedRequest } | { failure: Failure; item: number }) & { name?: string };
