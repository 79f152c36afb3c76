import { exactJson, isObject, isTooDeep, NOT_DEEPER } from '../../shared/objects';
import { alteredNumberIn, lostNumberIn } from './number';
import type { FieldOptions, ValueField } from '../types';
import { describe, valueField } from '../value';

/**
 * JSON object, given as text or by an expression. Its content isn't checked except for numbers: a whole number that is
 * too long becomes text with all of its digits, and a number that has lost digits is refused at any depth.
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
