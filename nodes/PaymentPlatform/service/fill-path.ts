import type { IDataObject } from 'n8n-workflow';

import type { Field, Problem } from '../fields/types';
import { describe } from '../fields/value';
import { asText } from '../shared/objects';

/** A segment of a path can't leave its place: letters, digits, dash and underscore only. */
const PATH_SEGMENT = /^[A-Za-z0-9_-]+$/;

/**
 * A path with its fields, in braces, filled in. A field without a value leaves nothing: that it is required
 * is its own rule.
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
      allowed: 'must be an ID: letters, digits, dashes and underscores only',
    });
    return '';
  });
}
