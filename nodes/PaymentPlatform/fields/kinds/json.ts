import { exactJson, isObject, isTooDeep, NOT_DEEPER } from '../../shared/objects';
import { alteredNumberIn, lostNumberIn } from '../detect-mistyped';
import type { FieldOptions, ValueField } from '../types';
import { describe, valueField } from '../value';

/**
 * An object given as JSON text, or by an expression. What stands in it is nobody's business here, but for its numbers: a
 * whole number that is too long for one is read as text, with all of its digits, and one that has lost digits on its way
 * here is refused, at any depth.
 */
export const jsonObject = (options: FieldOptions): ValueField =>
  valueField(options, { type: 'json', default: options.default ?? '' }, (value, problem) => {
    const parsed = typeof value === 'string' ? exactJson(value) : value;
    if (!isObject(parsed))
      return problem('must be a JSON object, e.g. { "field": "value" }', { found: describe(value, true) });
    if (isTooDeep(parsed)) return problem(NOT_DEEPER, { found: 'more' });
    const lost = lostNumberIn(parsed) ?? (typeof value === 'string' ? alteredNumberIn(value) : undefined);
    return lost ? problem(lost.allowed, lost) : parsed;
  });
