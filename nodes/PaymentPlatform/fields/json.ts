import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/objects';
import { alteredNumberIn, lostNumberIn } from './rounded';
import type { Field, FieldOptions } from './types';
import { commonParts, commonProperty, rawValue, readOne } from './value';

/**
 * An object given as JSON text, or by an expression. What stands in it is nobody's business here, but for numbers that
 * have lost digits: those are refused at any depth.
 */
export function jsonObject(options: FieldOptions): Field {
  const readObject = readOne({ ...options, secret: true }, (value, problem) => {
    const parsed = typeof value === 'string' ? parse(value) : value;
    return isObject(parsed) ? parsed : problem('must be a JSON object, e.g. { "field": "value" }');
  });
  return {
    ...commonParts(options),
    properties: () => [{ ...commonProperty(options), type: 'json', default: options.default ?? '' }],
    read: (parameters, problems, context) => {
      const given = rawValue(parameters, options.name);
      const object = readObject(parameters, problems, context) as IDataObject | undefined;
      const lost = object && (lostNumberIn(object) ?? (typeof given === 'string' ? alteredNumberIn(given) : undefined));
      if (!lost) return object;
      problems.push({ label: `${options.label}${lost.place}`, found: lost.found, allowed: lost.allowed });
      return undefined;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
