import type { IDataObject } from 'n8n-workflow';

import type { Field, Problem } from '../fields/types';
import { describe } from '../fields/value';
import { asText } from '../shared/objects';

/** Allows only letters, digits, dash and underscore in a path segment, which prevents path traversal. */
const PATH_SEGMENT = /^[A-Za-z0-9_-]+$/;

/**
 * Fills in the fields of a path, which are in braces. A missing value becomes empty text, because a separate rule
 * reports missing required fields.
 */
export function fillPath(path: string, values: IDataObject, fields: Field[], problems: Problem[]): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) return '';
    const segment = asText(value);
    if (PATH_SEGMENT.test(segment)) return segment;
    problems.push({
      label: fields.find((field) => field.name === name)?.label ?? name,
      found: describe(segment),
      allowed: 'must contain only letters, digits, dashes and underscores',
    });
    return '';
  });
}
