import type { Problem } from '../../fields/types';
import { describe } from '../../fields/value';
import { asText } from '../../shared/objects';

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

/** Requests with GET that change something all the same (docs/service.md#disputes). */
const WRITING_GET = /^\/platform\/dispute\/[^/]+\/(accept|create|reset)$/;

/** Whether a request only reads. */
export const onlyReads = (method: string, path: string) => method === 'GET' && !WRITING_GET.test(path);
