import type { Problem } from '../../fields/types';
import { describe } from '../../fields/value';
import { asText } from '../../shared/objects';
import { READS } from '../../wire/moves';

/** One part of a path. No dots alone, no escapes, no query: nothing by which a path could leave its place. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.~@:-]+$/;

/**
 * The path below the base URL that a person typed, with or without the slash before it, or `undefined` with a problem:
 * it must begin with /pg/ or /platform/ and can't leave the base URL.
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
      'must begin with /pg/ or /platform/ and hold only letters, digits and the signs - _ . ~ @ : between its slashes; a query goes into "Query Parameters"',
  });
  return undefined;
}

/**
 * Whether a request only reads. Some GET requests act (service.md#disputes), so a path that the interface does not
 * describe, or that is spelled in another way, counts as one that may write.
 */
export const onlyReads = (method: string, path: string): boolean =>
  method === 'GET' && READS.some((known) => known.test(path));
