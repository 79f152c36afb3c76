import type { IDataObject } from 'n8n-workflow';
import { boolean } from '../fields/kinds/choice';
import type { Field } from '../fields/types';
import { isEmpty } from '../fields/value';
import type { OperationId, ValuesOf } from '../model/operation';
import type { FieldValues, Look, RequestDeclaration } from '../model/types';
import { asText } from '../shared/objects';
import type { Facts } from '../wire/facts';

/** Switch for completing a record that the service would otherwise replace as a whole. */
export const keepOthers = (description: string): Field =>
  boolean({
    name: 'keepOthers',
    label: 'Leave Empty Fields Unchanged',
    description,
    default: true,
    place: 'node',
  });

/** Returns whether the switch is on, which is the default. */
export const keeps = ({ node }: { node: { keepOthers?: unknown } }): boolean => node.keepOthers !== false;

/** Values of an item for reading a record: the fields of its path, and the merchant if the item names one. */
export interface ReadValues<Id extends OperationId> {
  path: ValuesOf<Id>['path'];
  body: IDataObject;
}

/** Returns a look-up of the record that a request of the item is about, for the item's merchant. */
export function lookAt<Id extends OperationId>(request: RequestDeclaration<Id>, values: ReadValues<NoInfer<Id>>): Look;
export function lookAt({ path, family }: RequestDeclaration, { path: ids, body }: Omit<FieldValues, 'query' | 'node'>) {
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(ids[name]))),
    family,
    ...(body.merchant_id !== undefined && { query: { merchant_id: body.merchant_id } }),
  };
}

/** Returns the fields of a record that a request accepts, without empty ones. */
export const takenOf = (record: IDataObject, facts: Facts): IDataObject =>
  Object.fromEntries(Object.entries(record).filter(([name, value]) => name in facts && !isEmpty(value)));
