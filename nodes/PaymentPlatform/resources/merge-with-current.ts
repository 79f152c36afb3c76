import type { IDataObject } from 'n8n-workflow';

import { boolean } from '../fields/kinds/choice';
import type { Field } from '../fields/types';
import { isEmpty } from '../fields/value';
import type { OperationId, ValuesOf } from '../model/operation';
import type { FieldValues, Look, RequestDeclaration } from '../model/types';
import { asText } from '../shared/objects';
import type { Facts } from '../wire/facts';

/** The choice whether a record that the service replaces whole is sent back completed. */
export const keepOthers = (description: string): Field =>
  boolean({
    name: 'keepOthers',
    label: 'Leave Empty Fields Unchanged',
    description,
    default: true,
    place: 'node',
  });

/** Whether it is: unless a person switched it off. */
export const keeps = ({ node }: { node: { keepOthers?: unknown } }): boolean => node.keepOthers !== false;

/** What a request that reads needs of an item: the names in its path, and the merchant where the item names one. */
export interface ReadValues<Id extends OperationId> {
  path: ValuesOf<Id>['path'];
  body: IDataObject;
}

/** Reads the record that a request of the item is about, for the merchant for whom the item acts. */
export function lookAt<Id extends OperationId>(request: RequestDeclaration<Id>, values: ReadValues<NoInfer<Id>>): Look;
export function lookAt({ path, family }: RequestDeclaration, { path: ids, body }: Omit<FieldValues, 'query' | 'node'>) {
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(ids[name]))),
    family,
    ...(body.merchant_id !== undefined && { query: { merchant_id: body.merchant_id } }),
  };
}

/** What of a record a request takes, as it is; what is empty says nothing. */
export const takenOf = (record: IDataObject, facts: Facts): IDataObject =>
  Object.fromEntries(Object.entries(record).filter(([name, value]) => name in facts && !isEmpty(value)));
