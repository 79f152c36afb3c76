import type { Problem } from '../../fields/types';
import { describe, namesNothing, NO_MISSING_VALUE } from '../../fields/value';
import { asText } from '../../shared/objects';
import { READS } from '../../wire/moves';

/** Rejects ".", "..", escapes and queries to prevent path traversal. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.~@:-]+$/;

/**
 * Allows only /pg/ and /platform/, without path traversal.
 * @returns the path below the base URL, or `undefined` after adding a problem.
 */
export function safePath(value: unknown, problems: Problem[], label = 'Path'): string | undefined {
  const typed = asText(value).trim();
  const segments = typed.replace(/^\//, '').split('/');
  if (segments.some(namesNothing)) {
    problems.push({ label, found: describe(typed), allowed: NO_MISSING_VALUE });
    return undefined;
  }
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
 * Some GET requests change data (service.md#disputes), so the node handles a GET request to an unknown path as a write.
 */
export const onlyReads = (method: string, path: string): boolean =>
  method === 'GET' && READS.some((known) => known.test(path));
