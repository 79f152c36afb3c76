import type { Problem } from '../../fields/types';
import { describe } from '../../fields/value';
import { asText } from '../../shared/objects';
import { READS } from '../../wire/moves';

/** Segment of a path. Excludes dots alone, escapes and queries, which prevents path traversal. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.~@:-]+$/;

/**
 * Returns the path below the base URL that the user typed, with or without a leading slash, or `undefined` with a
 * problem. The path must begin with /pg/ or /platform/ and allows no path traversal.
 */
export function safePath(value: unknown, problems: Problem[], label = 'Path'): string | undefined {
  const typed = asText(value).trim();
  const segments = typed.replace(/^\//, '').split('/');
  if (segments.length > 1 && /^(pg|platform)$/.test(segments[0] ?? '') && segments.every((part) => SEGMENT.test(part)))
    return `/${segments.join('/')}`;
  problems.push({
    label,
    found: describe(typed),
    allowed:
      'must start with /pg/ or /platform/ and contain only slashes, letters, digits and the characters - _ . ~ @ : (use "Query Parameters" for a query)',
  });
  return undefined;
}

/**
 * Returns whether a request only reads. Some GET requests change something (service.md#disputes), so an undocumented
 * path, or one in another spelling, counts as a possible write.
 */
export const onlyReads = (method: string, path: string): boolean =>
  method === 'GET' && READS.some((known) => known.test(path));
