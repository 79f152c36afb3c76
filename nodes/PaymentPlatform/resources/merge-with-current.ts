import type { IDataObject } from 'n8n-workflow';
import { boolean } from '../fields/kinds/choice';
import type { Field } from '../fields/types';
import { isEmpty } from '../fields/value';
import type { OperationId, ValuesOf } from '../model/operation';
import { isAbsent } from '../model/failure';
import type { FieldValues, Look, RequestDeclaration } from '../model/types';
import { comparableText, only } from '../shared/objects';
import type { Facts } from '../wire/facts';

const MAY_CLEAR =
  'Whether empty fields keep their current values. If the node detects another change, it sends nothing. If this is off, the service may clear empty fields.';

/** Keeps saved values for empty fields if the service replaces the whole record. */
export const keepOthers = (description = MAY_CLEAR): Field =>
  boolean({
    name: 'keepOthers',
    label: 'Leave Empty Fields Unchanged',
    description,
    default: true,
    place: 'node',
  });

export const keeps = ({ node }: { node: { keepOthers?: unknown } }): boolean => node.keepOthers !== false;

export interface ReadValues<Id extends OperationId> {
  path: ValuesOf<Id>['path'];
  body: IDataObject;
}

/** Fills in a path, and returns the IDs in it. */
export function pathWith(path: string, values: IDataObject): { path: string; ids: IDataObject } {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(comparableText(values[name]))),
    ids: only(values, names),
  };
}

export function lookAt<Id extends OperationId>(request: RequestDeclaration<Id>, values: ReadValues<NoInfer<Id>>): Look;
export function lookAt({ path, family }: RequestDeclaration, { path: ids, body }: Omit<FieldValues, 'query' | 'node'>) {
  return {
    ...pathWith(path, ids),
    family,
    ...(body.merchant_id !== undefined && { query: { merchant_id: body.merchant_id } }),
  };
}

/** Like `lookAt`, but a missing record is no failure, so that the operation can say what is missing. */
export const lookFor = <Id extends OperationId>(request: RequestDeclaration<Id>, values: ReadValues<NoInfer<Id>>) => ({
  ...lookAt(request, values),
  absent: isAbsent,
});

/** Omits empty fields and fields that the request doesn't accept. */
export const takenOf = (record: IDataObject, facts: Facts): IDataObject =>
  Object.fromEntries(Object.entries(record).filter(([name, value]) => name in facts && !isEmpty(value)));
