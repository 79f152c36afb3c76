import type { IDataObject } from 'n8n-workflow';
import { boolean } from '../fields/kinds/choice';
import type { Field } from '../fields/types';
import { isEmpty } from '../fields/value';
import type { OperationId, ValuesOf } from '../model/operation';
import type { FieldValues, Look, RequestDeclaration } from '../model/types';
import { asText } from '../shared/objects';
import type { Facts } from '../wire/facts';

/** Field for keeping empty fields unchanged in a record that the service replaces as a whole. */
export const keepOthers = (description: string): Field =>
  boolean({
    name: 'keepOthers',
    label: 'Leave Empty Fields Unchanged',
    description,
    default: true,
    place: 'node',
  });

/** Returns whether empty fields keep their current values, which is the default. */
export const keeps = ({ node }: { node: { keepOthers?: unknown } }): boolean => node.keepOthers !== false;

/**
 * Values of an item that the node needs to read a record. The values are the fields of the path and the optional
 * merchant ID.
 */
export interface ReadValues<Id extends OperationId> {
  path: ValuesOf<Id>['path'];
  body: IDataObject;
}

/** Returns a look-up of the record that the item changes, with the item's merchant. */
export function lookAt<Id extends OperationId>(request: RequestDeclaration<Id>, values: ReadValues<NoInfer<Id>>): Look;
export function lookAt({ path, family }: RequestDeclaration, { path: ids, body }: Omit<FieldValues, 'query' | 'node'>) {
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(ids[name]))),
    family,
    ...(body.merchant_id !== undefined && { query: { merchant_id: body.merchant_id } }),
  };
}

/** Returns the nonempty fields of a record that a request accepts. */
export const takenOf = (record: IDataObject, facts: Facts): IDataObject =>
  Object.fromEntries(Object.entries(record).filter(([name, value]) => name in facts && !isEmpty(value)));
