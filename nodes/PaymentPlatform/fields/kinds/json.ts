import { exactJson, isObject, isTooDeep, NOT_DEEPER } from '../../shared/objects';
import { alteredNumberIn, lostNumberIn } from './number';
import type { FieldOptions, ValueField } from '../types';
import { describe, valueField } from '../value';

/**
 * JSON object, entered as text or returned by an expression. The node checks only the numbers. A whole number that is
 * too long for JavaScript becomes text with all of its digits. The node refuses a number that has lost digits, at any
 * depth.
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
