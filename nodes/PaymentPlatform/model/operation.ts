import type { IDataObject } from 'n8n-workflow';

import type { operations } from '../../../interface/types';
import type { KnownField } from '../fields/kinds/filter-value';
import type { Problem } from '../fields/types';
import type { Held } from '../shared/versions';
import type { Footprint } from './footprint';
import type {
  Account,
  Came,
  Completion,
  ListDeclaration,
  Money,
  MoneyRequest,
  Operation,
  Output,
  RequestDeclaration,
  PartialFailureCheck,
  Steps,
} from './types';

/** The operations of the interface. */
export type OperationId = keyof operations;

type Content<Part> = Part extends { content: { 'application/json': infer Json } } ? Json : never;
type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody?: infer Body }
  ? Present<Content<NonNullable<Body>>>
  : unknown;
type PlaceOf<Id extends OperationId, Place extends 'path' | 'query'> = operations[Id] extends {
  parameters: { [Name in Place]?: infer Fields };
}
  ? Present<NonNullable<Fields>>
  : unknown;
/** Nothing where the interface has nothing: every name would be a key of `never`. */
type Present<Fields> = [Fields] extends [never] ? unknown : Fields;
type ResponseOf<Id extends OperationId> = operations[Id] extends { responses: { 200: infer Ok } } ? Content<Ok> : never;
type Enveloped<Json> = Json extends { data?: infer Data } ? Data : Json;
type Each<Data> = Data extends ReadonlyArray<infer One> ? One : Data;
/** What holds nothing but lists is none itself: the records are in it. */
type Listed<Data> = [keyof Data] extends [never]
  ? Data
  : [NonNullable<Data[keyof Data]>] extends [readonly unknown[]]
    ? NonNullable<Data[keyof Data]>
    : Data;

/** A record of the answer, without its envelope; of a list, one record. */
export type RecordOf<Id extends OperationId> = Each<Listed<NonNullable<Enveloped<ResponseOf<Id>>>>>;

/** What a record of the answer calls its fields. */
type RecordName<Id extends OperationId> = keyof RecordOf<Id> & string;

/** Fields of the records of a list, as a person chooses them. */
export type KnownFields<Id extends OperationId> = Array<KnownField<RecordName<Id>>>;

/** What may be left out: a request is checked before it is complete, and an answer may lack anything. */
export type Given<Value> =
  Value extends ReadonlyArray<infer One>
    ? Array<Given<One>>
    : Value extends object
      ? { [Name in keyof Value]?: Given<Value[Name]> }
      : Value;

/** The values of a request by the interface's own names and types; numbers in a path or query are text. */
export interface ValuesOf<Id extends OperationId> {
  path: { [Name in keyof PlaceOf<Id, 'path'>]?: string };
  query: { [Name in keyof PlaceOf<Id, 'query'>]?: string | string[] };
  body: Given<BodyOf<Id>>;
  /** Choices for the node itself, which are never sent. */
  node: IDataObject;
}

type FieldName<Id extends OperationId> = (keyof BodyOf<Id> | keyof PlaceOf<Id, 'path'> | keyof PlaceOf<Id, 'query'>) &
  string;

/** The names in braces of a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** What the results look like, by the interface's own names; `Simple` is what Simplify leaves of a record. */
interface OutputDeclaration<Id extends OperationId, Simple extends IDataObject> {
  present?(record: Given<RecordOf<Id>>, values: ValuesOf<Id>, sent: ValuesOf<Id>): IDataObject;
  made?(records: Array<Given<RecordOf<Id>>>, values: ValuesOf<Id>): IDataObject;
  summary?(record: Given<RecordOf<Id>>, values: ValuesOf<Id>, came: Came): string;
  simplified?(record: Given<RecordOf<Id>>): Simple;
  addedBySimplify?: ReadonlyArray<NoInfer<keyof Simple & string>>;
}

/** The part of a request that tells how much money it moves, by the interface's own names. */
type MoneyRequestOf<Id extends OperationId> = Omit<MoneyRequest, 'values'> & { values: ValuesOf<Id> };
type MoneyOf<Id extends OperationId> = Money<keyof BodyOf<Id> & string>;

/** The values of a request that tell one write from another. */
type NamedIn<Id extends OperationId> = Pick<ValuesOf<Id>, 'path' | 'body'> & {
  node?: IDataObject;
  source?: IDataObject;
};

/** What a write leaves behind, and the operation whose records show it. */
export type FootprintOf<Id extends OperationId, By extends OperationId> = Footprint<NamedIn<Id>, Given<RecordOf<By>>>;

/** An operation as its declaration writes it: what names a field names one of the operation's own. */
export interface OperationDeclaration<Id extends OperationId, LookUp extends string, Simple extends IDataObject>
  extends
    Omit<
      Operation,
      | 'request'
      | 'money'
      | 'check'
      | 'notice'
      | keyof Output
      | 'outputs'
      | 'partialFailure'
      | 'completion'
      | 'steps'
      | 'footprint'
      | 'list'
      | 'lookUp'
      | 'sameObject'
    >,
    OutputDeclaration<Id, Simple> {
  request: RequestDeclaration<Id>;
  money?: MoneyOf<Id> | ((request: MoneyRequestOf<Id>) => MoneyOf<Id>);
  check?(values: ValuesOf<Id>, account: Account): Problem[];
  notice?(values: ValuesOf<Id>): string | undefined;
  outputs?: ReadonlyArray<OutputDeclaration<Id, IDataObject> & Held>;
  partialFailure?: PartialFailureCheck<ValuesOf<Id>, Given<RecordOf<Id>>>;
  completion?: Completion<ValuesOf<Id>>;
  /** What a step finds is no record of the operation's own: the step says of which operation it is. */
  steps?: Steps<ValuesOf<Id>, never>;
  /** The same of what a footprint sees. */
  footprint?: Footprint<NamedIn<Id>, never>;
  list?: ListDeclaration<RecordName<Id>>;
  lookUp?: LookUp & (NamesIn<LookUp> extends FieldName<Id> ? unknown : never);
  sameObject?: FieldName<Id>;
}

/**
 * Declares an operation of the interface. A name that the operation does not have does not compile, nor does one that
 * Simplify is said to add and does not. Which operation it is, its request alone tells: what several share,
 * such as a note, is about any of them.
 */
export function operation<Id extends OperationId, const LookUp extends string, Simple extends IDataObject>(
  declaration: { request: RequestDeclaration<Id> } & OperationDeclaration<NoInfer<Id>, LookUp, Simple>,
): Operation;
export function operation(declaration: Operation): Operation {
  return declaration;
}
