import type { IDataObject } from 'n8n-workflow';
import type { operations } from '../../../interface/types';
import type { KnownField } from '../fields/kinds/filters-and-sorting';
import { wireFields } from '../fields/kinds/group';
import type { Field, Problem } from '../fields/types';
import { describe, parameterName } from '../fields/value';
import { fieldsAt } from '../fields/versions';
import { asText, computeOnce } from '../shared/objects';
import { type Held, heldIn, holdsIn } from '../shared/versions';
import { maskCardsInId } from '../shared/privacy';
import { REFERENCES } from '../wire/marks';
import type { Footprint, WriteValues } from './footprint';
import type {
  Account,
  AddedFields,
  Came,
  Completion,
  FieldValues,
  ListDeclaration,
  Money,
  MoneyRequest,
  Operation,
  Output,
  PartialFailureCheck,
  PlannedRequest,
  ReferenceField,
  RequestDeclaration,
  Resource,
  Steps,
  TargetField,
} from './types';
import type { Finished, Remembered, WriteMemory } from './write-memory';

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

/** A response's record without the envelope. For a list, a single record. */
export type RecordOf<Id extends OperationId> = Each<Listed<NonNullable<Enveloped<ResponseOf<Id>>>>>;

type RecordName<Id extends OperationId> = keyof RecordOf<Id> & string;

/** Record fields that users can select. */
export type KnownFields<Id extends OperationId> = Array<KnownField<RecordName<Id>>>;

/** Requests and responses may be incomplete at any depth. */
export type Given<Value> =
  Value extends ReadonlyArray<infer One>
    ? Array<Given<One>>
    : Value extends object
      ? { [Name in keyof Value]?: Given<Value[Name]> }
      : Value;

/** Uses the API's names and types. Numbers in a path or query are text. */
export interface ValuesOf<Id extends OperationId> {
  path: { [Name in keyof PlaceOf<Id, 'path'>]?: string };
  query: { [Name in keyof PlaceOf<Id, 'query'>]?: string | string[] };
  body: Given<BodyOf<Id>>;
  node: IDataObject;
  timezone?: string;
}

type FieldName<Id extends OperationId> = (keyof BodyOf<Id> | keyof PlaceOf<Id, 'path'> | keyof PlaceOf<Id, 'query'>) &
  string;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

interface OutputDeclaration<Id extends OperationId, Simple extends IDataObject> {
  present?(record: Given<RecordOf<Id>>, values: ValuesOf<Id>, sent: ValuesOf<Id>): IDataObject;
  made?(records: Array<Given<RecordOf<Id>>>, values: ValuesOf<Id>): IDataObject;
  summary?(record: Given<RecordOf<Id>>, values: ValuesOf<Id>, came: Came, sent: ValuesOf<Id>): string;
  simplified?(record: Given<RecordOf<Id>>, values: ValuesOf<Id>): Simple;
  addedBySimplify?: ReadonlyArray<NoInfer<keyof Simple & string>>;
  adds?: AddedFields;
}

type MoneyRequestOf<Id extends OperationId> = Omit<MoneyRequest, 'values'> & { values: ValuesOf<Id> };
type MoneyOf<Id extends OperationId> = Money<keyof BodyOf<Id> & string>;

type NamedIn<Id extends OperationId> = Pick<ValuesOf<Id>, 'path' | 'body'> & {
  node?: IDataObject;
  source?: IDataObject;
};

/** `By` is the operation that lists the records. */
export type FootprintOf<Id extends OperationId, By extends OperationId> = Footprint<NamedIn<Id>, Given<RecordOf<By>>>;

/** The compiler accepts only field names of the operation. */
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
      | 'optionalSteps'
      | 'reference'
      | 'creates'
      | 'eventsBy'
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
  optionalSteps?: { isWanted(values: ValuesOf<Id>): boolean; steps: Steps<ValuesOf<Id>, never> };
  creates?: RecordName<Id>;
  eventsBy?: RecordName<Id>;
  reference?: ReferenceField<keyof BodyOf<Id> & string>;
  footprint?: Footprint<NamedIn<Id>, never>;
  list?: ListDeclaration<RecordName<Id>>;
  lookUp?: LookUp & (NamesIn<LookUp> extends FieldName<Id> ? unknown : never);
  sameObject?: FieldName<Id>;
  target?: TargetField & FieldName<Id>;
}

/** TypeScript infers the operation only from `request`, because several operations can share other parts. */
export function operation<Id extends OperationId, const LookUp extends string, Simple extends IDataObject>(
  declaration: { request: RequestDeclaration<Id> } & OperationDeclaration<NoInfer<Id>, LookUp, Simple>,
): Operation;
export function operation(declaration: Operation): Operation {
  return declaration;
}

/** Returns all fields of the request, at any depth. */
export const declaredFields = computeOnce(({ fields, additional = [] }: Pick<Operation, 'fields' | 'additional'>) =>
  wireFields([...fields, ...additional]),
);

export const fieldsByName = computeOnce(
  (operation: Operation) => new Map(declaredFields(operation).map((field) => [field.name, field])),
);

/** Returns whether several items can share a request. */
export const takesMany = (operation: Operation): boolean =>
  declaredFields(operation).some(({ perRequest }) => perRequest !== undefined);

/** Returns whether the node can return the operation's records in a file. Get returns one object and its versions. */
export const listsRecords = ({ value, request: { effect, records, lists }, list }: Operation): boolean =>
  effect === 'reads' && value !== 'get' && (list !== undefined || records !== undefined || lists === true);

/** Returns the name of a field in the service's records. */
export const recordName = (field: Pick<Field, 'name' | 'parameter' | 'record'>): string =>
  field.record ?? parameterName(field);

const versionsMade = new WeakMap<Resource[], Map<number, Resource[]>>();

/** Returns the newest resources for an unknown newer version. Cached. */
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

/** A missing value becomes empty text, because another check reports it. */
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

/** Returns the item's index and the number of the request within the item. */
export const placeOf = ({ items, part }: PlannedRequest): string => `${items[0] ?? 0}.${part}`;

/** Returns the item's own request, even if the node selected another. */
export const originalRequest = (request: PlannedRequest): PlannedRequest => request.decided?.asked ?? request;

/** Returns the index of the request's input item. */
export const itemOf = (request: PlannedRequest): number => originalRequest(request).items[0] ?? 0;

/** Returns a shared request's separate writes, or the request. */
export const sharesOf = (request: PlannedRequest): PlannedRequest[] => request.shares ?? [request];

const withOptionalSteps = computeOnce((operation: Operation): Operation => {
  const { steps } = operation.optionalSteps ?? {};
  return steps ? { ...operation, steps } : operation;
});

/** Returns the operation with the steps that the item's values need. */
export const inSteps = (operation: Operation, values: FieldValues): Operation =>
  operation.optionalSteps?.isWanted(values) ? withOptionalSteps(operation) : operation;

/** Only the first write creates the record of the footprint. */
const operationsOfSteps = computeOnce((operation: Operation): Operation[] => {
  const { each = [], createsFirst } = operation.steps ?? {};
  const others = createsFirst && { footprint: undefined, creates: undefined, completion: undefined };
  return each.map(({ as }, part) => (part === 0 ? operation : { ...operation, ...others, ...as }));
});

export function itemStepsOf(request: PlannedRequest): PlannedRequest[] {
  const { operation } = request;
  if (!operation.steps) return [request];
  const last = operation.steps.each.length - 1;
  // The option If It Already Exists searches for the first record.
  const options = { ...request.options, existing: undefined };
  return operationsOfSteps(operation).map((own, part) => ({
    ...request,
    part,
    operation: own,
    ...(part > 0 && operation.steps?.createsFirst && { options }),
    // The item's next write needs all fields of the record.
    ...(part < last && { simplify: false, fields: undefined }),
  }));
}

export interface RecalledSteps {
  done: Finished[];
  next?: PlannedRequest;
  stop?: Exclude<Remembered, Finished>;
}

/** Recalls the item's writes up to the first unfinished one. Sends no requests. */
export function recallSteps(memory: WriteMemory, request: PlannedRequest): RecalledSteps {
  const done: Finished[] = [];
  for (const next of itemStepsOf(request)) {
    const known = memory.recall(next);
    if (known?.outcome !== 'done') return { done, next, ...(known && { stop: known }) };
    done.push(known);
  }
  return { done };
}

/** Returns the cents that the item's earlier writes moved or may have moved. */
export const movedBefore = (memory: WriteMemory, request: PlannedRequest): number =>
  itemStepsOf(originalRequest(request))
    .filter(({ part }) => part < request.part)
    .reduce((sum, one) => sum + memory.moved(one), 0);

/** Returns `sentReferences` with the service's field names. */
export const referencesOf = (request: PlannedRequest): IDataObject => inRecord(request, sentReferences(request));

/** Uses the field names of the service's records. */
export function inRecord({ operation }: PlannedRequest, sent: IDataObject): IDataObject {
  const fields = fieldsByName(operation);
  const called = (name: string, field = fields.get(name)) => (field ? recordName(field) : name);
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [called(name), value]));
}

/** Returns the IDs and references that identify the record, without secrets, by request field. */
export const sentReferences = (request: PlannedRequest): IDataObject =>
  Object.fromEntries(unmaskedReferences(request).map(([name, text]) => [name, maskCardsInId(text)]));

/** Returns the same fields with their secrets, so only a digest of them may be stored. */
export function unmaskedReferences(request: PlannedRequest): Array<[string, string]> {
  const [asked, sent] = [originalRequest(request).values, request.values];
  const all: IDataObject = { ...asked.body, ...asked.path, ...sent.body, ...sent.path };
  return REFERENCES.flatMap((name) => {
    const value = all[name];
    return value === undefined || typeof value === 'object' ? [] : [[name, asText(value)]];
  });
}

/** The service lists only the records of the credential's own merchant. */
export const isOwnMerchant = ({ merchant }: WriteValues, { merchantId }: { merchantId: string }): boolean =>
  merchant === undefined || merchant === merchantId;
