import { exactJson, isObject, isTooDeep, NOT_DEEPER } from '../../shared/objects';
import { alteredNumberIn, lostNumberIn } from './number';
import type { FieldOptions, ValueField } from '../types';
import { describe, valueField } from '../value';

/**
 * A whole number that is too long for JavaScript becomes text. The node refuses numbers that have already lost digits.
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
