import type { IDataObject } from 'n8n-workflow';
import type { operations } from '../../../interface/types';
import type { KnownField } from '../fields/kinds/filters-and-sorting';
import { wireFields } from '../fields/kinds/group';
import type { Field, Problem } from '../fields/types';
import { describe, parameterName } from '../fields/value';
import { fieldsAt } from '../fields/versions';
import { asText, computeOnce } from '../shared/objects';
import { type Held, heldIn, holdsIn } from '../shared/versions';
import type { Footprint } from './footprint';
import type {
  Account,
  AddedFields,
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
  TargetField,
} from './types';

/** ID of an operation in the API description. */
export type OperationId = keyof operations;

type Content<Part> = Part extends { content: { 'application/json': infer Json } }
  ? Json
  : Part extends { content: { 'multipart/form-data': infer Form } }
    ? Form
    : never;
type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody?: infer Body }
  ? Present<Content<NonNullable<Body>>>
  : unknown;
type PlaceOf<Id extends OperationId, Place extends 'path' | 'query'> = operations[Id] extends {
  parameters: { [Name in Place]?: infer Fields };
}
  ? Present<NonNullable<Fields>>
  : unknown;
type Present<Fields> = [Fields] extends [never] ? unknown : Fields;
type ResponseOf<Id extends OperationId> = operations[Id] extends { responses: { 200: infer Ok } } ? Content<Ok> : never;
type Enveloped<Json> = Json extends { data?: infer Data } ? Data : Json;
type Each<Data> = Data extends ReadonlyArray<infer One> ? One : Data;
type Listed<Data> = [keyof Data] extends [never]
  ? Data
  : [NonNullable<Data[keyof Data]>] extends [readonly object[]]
    ? NonNullable<Data[keyof Data]>
    : Data;

/** Record in an operation's response, without the envelope. For a list, the type of a single record. */
export type RecordOf<Id extends OperationId> = Each<Listed<NonNullable<Enveloped<ResponseOf<Id>>>>>;

type RecordName<Id extends OperationId> = keyof RecordOf<Id> & string;

/** Fields of a list's records that users can select. */
export type KnownFields<Id extends OperationId> = Array<KnownField<RecordName<Id>>>;

/** Makes every field optional, at any depth, because requests and responses may be incomplete. */
export type Given<Value> =
  Value extends ReadonlyArray<infer One>
    ? Array<Given<One>>
    : Value extends object
      ? { [Name in keyof Value]?: Given<Value[Name]> }
      : Value;

/** Parts of a request, with the API's names and types. Numbers in a path or query are text. */
export interface ValuesOf<Id extends OperationId> {
  path: { [Name in keyof PlaceOf<Id, 'path'>]?: string };
  query: { [Name in keyof PlaceOf<Id, 'query'>]?: string | string[] };
  body: Given<BodyOf<Id>>;
  node: IDataObject;
}

type FieldName<Id extends OperationId> = (keyof BodyOf<Id> | keyof PlaceOf<Id, 'path'> | keyof PlaceOf<Id, 'query'>) &
  string;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

interface OutputDeclaration<Id extends OperationId, Simple extends IDataObject> {
  present?(record: Given<RecordOf<Id>>, values: ValuesOf<Id>, sent: ValuesOf<Id>): IDataObject;
  made?(records: Array<Given<RecordOf<Id>>>, values: ValuesOf<Id>): IDataObject;
  summary?(record: Given<RecordOf<Id>>, values: ValuesOf<Id>, came: Came): string;
  simplified?(record: Given<RecordOf<Id>>): Simple;
  addedBySimplify?: ReadonlyArray<NoInfer<keyof Simple & string>>;
  adds?: AddedFields;
}

type MoneyRequestOf<Id extends OperationId> = Omit<MoneyRequest, 'values'> & { values: ValuesOf<Id> };
type MoneyOf<Id extends OperationId> = Money<keyof BodyOf<Id> & string>;

type NamedIn<Id extends OperationId> = Pick<ValuesOf<Id>, 'path' | 'body'> & {
  node?: IDataObject;
  source?: IDataObject;
};

/** Rules for finding a write at the service. `By` is the operation that lists the records. */
export type FootprintOf<Id extends OperationId, By extends OperationId> = Footprint<NamedIn<Id>, Given<RecordOf<By>>>;

/** Declaration of an operation. The compiler accepts only field names of the operation. */
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
      | 'target'
    >,
    OutputDeclaration<Id, Simple> {
  request: RequestDeclaration<Id>;
  money?: MoneyOf<Id> | ((request: MoneyRequestOf<Id>) => MoneyOf<Id>);
  check?(values: ValuesOf<Id>, account: Account): Problem[];
  notice?(values: ValuesOf<Id>): string | undefined;
  outputs?: ReadonlyArray<OutputDeclaration<Id, IDataObject> & Held>;
  partialFailure?: PartialFailureCheck<ValuesOf<Id>, Given<RecordOf<Id>>>;
  completion?: Completion<ValuesOf<Id>>;
  steps?: Steps<ValuesOf<Id>, never>;
  footprint?: Footprint<NamedIn<Id>, never>;
  list?: ListDeclaration<RecordName<Id>>;
  lookUp?: LookUp & (NamesIn<LookUp> extends FieldName<Id> ? unknown : never);
  sameObject?: FieldName<Id>;
  target?: TargetField & FieldName<Id>;
}

/**
 * Declares an operation of the API. TypeScript infers the operation only from `request`, because several operations can
 * share other parts.
 */
export function operation<Id extends OperationId, const LookUp extends string, Simple extends IDataObject>(
  declaration: { request: RequestDeclaration<Id> } & OperationDeclaration<NoInfer<Id>, LookUp, Simple>,
): Operation;
export function operation(declaration: Operation): Operation {
  return declaration;
}

/** Returns all fields of an operation in the structure of the request. */
export const declaredFields = computeOnce(({ fields, additional = [] }: Pick<Operation, 'fields' | 'additional'>) =>
  wireFields([...fields, ...additional]),
);

/** Returns whether several items of a run can share a request of the operation. */
export const takesMany = (operation: Operation): boolean =>
  declaredFields(operation).some(({ perRequest }) => perRequest !== undefined);

/** Returns the name of a field in the service's records. */
export const recordName = (field: Pick<Field, 'name' | 'parameter' | 'record'>): string =>
  field.record ?? parameterName(field);

const versionsMade = new WeakMap<Resource[], Map<number, Resource[]>>();

/**
 * Returns the resources that exist in a version of the node, or the newest resources for an unknown newer version.
 * Caches the result.
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
  return { ...made, ...NO_OUTPUT, ...output, since, until, outputs: undefined };
}

const NO_OUTPUT: Output = {
  present: undefined,
  summary: undefined,
  simplified: undefined,
  addedBySimplify: undefined,
  adds: undefined,
};

/** Prevents path traversal. */
const PATH_SEGMENT = /^[A-Za-z0-9_-]+$/;

/**
 * Replaces the names in braces in a path. A missing value becomes empty text, because another check reports missing
 * required fields.
 */
export function fillPath(path: string, values: IDataObject, fields: Field[], problems: Problem[]): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) return '';
    const segment = asText(value);
    if (PATH_SEGMENT.test(segment)) return segment;
    problems.push({
      label: fields.find((field) => field.name === name)?.label ?? name,
      found: describe(segment),
      allowed: 'must contain only letters, digits, dashes and underscores',
    });
    return '';
  });
}
