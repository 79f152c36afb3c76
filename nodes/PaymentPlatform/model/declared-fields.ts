import { wireFields } from '../fields/kinds/section';
import type { Field } from '../fields/types';
import { parameterName } from '../fields/value';
import type { Operation } from './types';

const known = new WeakMap<Pick<Operation, 'fields' | 'additional'>, Field[]>();

/** All fields of an operation, as they stand on the wire. They are asked for with every item, and made once. */
export function declaredFields(operation: Pick<Operation, 'fields' | 'additional'>): Field[] {
  const before = known.get(operation);
  if (before) return before;
  const made = wireFields([...operation.fields, ...(operation.additional ?? [])]);
  known.set(operation, made);
  return made;
}

/** Whether the items of a run share requests. */
export const takesMany = (operation: Operation): boolean =>
  declaredFields(operation).some(({ perRequest }) => perRequest !== undefined);

/** What the service's records call the value of a field. */
export const recordName = (field: Pick<Field, 'name' | 'parameter' | 'record'>): string =>
  field.record ?? parameterName(field);
