import { KEEP_ZEROS } from '../../fields/kinds/number';
import type { Problem } from '../../fields/types';
import { describe, namesNothing, NO_MISSING_VALUE } from '../../fields/value';
import { isList, isObject } from '../../shared/objects';
import { ACCOUNT_NUMBERS, REFERENCES } from '../../wire/marks';

/**
 * Returns the values of a request, at any depth, that a field of the node would refuse too: a word for a missing value
 * in an ID or a reference, and an account number that lost its leading zeros.
 * @param label label of the parameter.
 */
export function checkValues(value: unknown, label: string, name = ''): Problem[] {
  if (isList(value)) return value.flatMap((one) => checkValues(one, label, name));
  if (isObject(value))
    return Object.entries(value).flatMap(([inner, one]) => checkValues(one, `${label} > ${inner}`, inner));
  if (typeof value === 'string' && REFERENCES.includes(name) && namesNothing(value))
    return [{ label, found: describe(value), allowed: NO_MISSING_VALUE }];
  if (typeof value === 'number' && ACCOUNT_NUMBERS.includes(name))
    return [{ label, found: describe(value, true), allowed: KEEP_ZEROS }];
  return [];
}
