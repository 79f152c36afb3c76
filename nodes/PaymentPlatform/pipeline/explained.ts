import { asText } from '../shared/objects';
import { maskCardNumbers } from '../shared/privacy';
import { askedOf } from './parts';
import { referencesOf } from './references';
import { Scrubber } from './scrubber';
import { secretsIn } from './secrets';
import type { Failure, PlannedRequest } from './types';

/**
 * Adds to a failure which request it was and, when its outcome is unknown, which record to look up, and where. Whatever a
 * person put into those fields, no secret of the account or the request comes out.
 */
export function explained(given: Failure, request: PlannedRequest): Failure {
  return scrubberOf(request).failure(withReferences(given, request));
}

/** Takes the secrets of the account and of the request out of what the service said. */
export function scrubberOf(request: PlannedRequest): Scrubber {
  const [{ values: asked }, { secrets = [], values }] = [askedOf(request), request];
  return Scrubber.of(secrets, secretsIn([values.body, values.query, asked.body, asked.query]));
}

function withReferences(given: Failure, request: PlannedRequest): Failure {
  const { operation, method, effect, decided } = request;
  const path = operation.shape ? maskCardNumbers(request.path) : (decided?.to ?? operation.request).path;
  const failure: Failure = { ...given, request: `${method} ${path}`, reads: effect === 'reads' };
  if (!['unknown', 'doneBefore'].includes(failure.outcome) || effect === 'reads') return failure;
  const references = referencesOf(request);
  const lookUp = operation.lookUp?.replace(/\{(\w+)\}/g, (_, name: string) =>
    asText(references[name] ?? `its ${name}`),
  );
  const wanted = failure.outcome === 'unknown' && lookUp !== undefined;
  return { ...failure, references: { ...references, ...given.references }, ...(wanted && { lookUp }) };
}
