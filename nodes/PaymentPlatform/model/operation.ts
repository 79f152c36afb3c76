import type { IDataObject } from 'n8n-workflow';
import type { operations } from '../../../interface/types';
import type { KnownField } from '../fields/kinds/filters-and-sorting';
import { wireFields } from '../fields/kinds/group';
import type { Field, Problem } from '../fields/types';
import { parameterName } from '../fields/value';
import { fieldsAt } from '../fields/versions';
import { type Held, heldIn, holdsIn } from '../shared/versions';
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
  PartialFailureCheck,
  RequestDeclaration,
  Resource,
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

const fieldsMade = new WeakMap<Pick<Operation, 'fields' | 'additional'>, Field[]>();

/** All fields of an operation, as they stand on the wire. They are asked for with every item, and made once. */
export function declaredFields(operation: Pick<Operation, 'fields' | 'additional'>): Field[] {
  const before = fieldsMade.get(operation);
  if (before) return before;
  const made = wireFields([...operation.fields, ...(operation.additional ?? [])]);
  fieldsMade.set(operation, made);
  return made;
}

/** Whether the items of a run share requests. */
export const takesMany = (operation: Operation): boolean =>
  declaredFields(operation).some(({ perRequest }) => perRequest !== undefined);

/** What the service's records call the value of a field. */
export const recordName = (field: Pick<Field, 'name' | 'parameter' | 'record'>): string =>
  field.record ?? parameterName(field);

const versionsMade = new WeakMap<Resource[], Map<number, Resource[]>>();

/**
 * What a version of the node has: the only place where marks (`since`, `until`) are looked at. What is not marked is the
 * same object in all versions. Asked for with every run, and made once.
 * @param version of the node in the workflow; of one that is not known yet, all that holds from the newest on.
 */
export function resourcesAt(declared: Resource[], version: number): Resource[] {
  const byVersion = versionsMade.get(declared) ?? new Map<number, Resource[]>();
  versionsMade.set(declared, byVersion);
  const made = byVersion.get(version) ?? heldIn(declared, version, (resource) => resourceAt(resource, version));
  byVersion.set(version, made);
  return made;
}

function resourceAt(resource: Resource, version: number): Resource {
  const operations = heldIn(resource.operations, version, (operation) => operationAt(operation, version));
  return operations === resource.operations ? resource : { ...resource, operations };
}

function operationAt(operation: Operation, version: number): Operation {
  const fields = fieldsAt(operation.fields, version);
  const additional = operation.additional && fieldsAt(operation.additional, version);
  const output = operation.outputs?.find((one) => holdsIn(one, version));
  if (fields === operation.fields && additional === operation.additional && !output) return operation;
  const made = { ...operation, fields, ...(additional && { additional }) };
  if (!output) return made;
  const { since, until } = operation;
  // All of it, also what it has not: nothing of the operation's own stays beside it.
  return { ...made, ...NO_OUTPUT, ...output, since, until, outputs: undefined };
}

const NO_OUTPUT: Output = { present: undefined, summary: undefined, simplified: undefined, addedBySimplify: undefined };
