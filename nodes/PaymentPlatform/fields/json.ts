import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../pipeline/objects';
import type { Field, FieldOptions } from './types';
import { commonParts, commonProperty, readOne } from './value';

/** An object given as JSON text, or by an expression. What stands in it is nobody's business here. */
export function jsonObject(options: FieldOptions): Field {
  return {
    ...commonParts(options),
    properties: () => [{ ...commonProperty(options), type: 'json', default: options.default ?? '' }],
    read: readOne({ ...options, secret: true }, (value, problem) => {
      const parsed = typeof value === 'string' ? parse(value) : value;
      return isObject(parsed) ? (parsed as IDataObject) : problem('must be a JSON object, e.g. { "field": "value" }');
    }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
