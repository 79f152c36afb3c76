import type { IDataObject } from 'n8n-workflow';
import { boolean } from '../fields/kinds/choice';
import type { Field } from '../fields/types';
import { isEmpty } from '../fields/value';
import type { OperationId, ValuesOf } from '../model/operation';
import { readableNumber } from '../model/read-amounts';
import type { FieldValues, Look, RequestDeclaration } from '../model/types';
import { toCents } from '../shared/digits';
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

/** How what was sent is compared with what a record shows of it. */

export const comparableText = (value: unknown): string => asText(value).trim();

/** An amount in cents, without its sign; `undefined` when it can't be read. */
export function centsOf(value: unknown): number | undefined {
  const amount = readableNumber(value);
  return amount === undefined ? undefined : Math.abs(toCents(amount));
}

/** Whether both are the same amount; one that can't be read is none. */
export const isSameAmount = (shown: unknown, sent: unknown): boolean =>
  centsOf(sent) !== undefined && centsOf(shown) === centsOf(sent);

/** The day with which a date or timestamp begins (service.md#values). */
export const dayOf = (value: unknown): string => comparableText(value).slice(0, 10);

/** Whether the record shows the text that was sent. What was not sent agrees with anything: the service fills it in. */
export const isSameWhereSent = (shown: unknown, sent: unknown): boolean =>
  sent === undefined || comparableText(shown) === comparableText(sent);
