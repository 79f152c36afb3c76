import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { maskCardNumbers, maskCardsInId } from '../shared/privacy';
import { declaredFields } from '../model/declared-fields';
import { withoutLookUp } from './describe-answers';
import { useLabels } from './use-labels';
import { originalRequest } from '../model/item-steps';
import { referencesOf, sentReferences } from './name-references';
import { Scrubber } from './scrubber';
import { findSecrets } from './find-secrets';
import type { PlannedRequest } from '../model/types';
import type { Failure } from '../model/failure';

/**
 * Adds to a failure which request it was and, when its outcome is unknown, which record to look up, and where. Whatever a
 * person put into those fields, no secret of the account or the request comes out.
 */
export function describeFailure(given: Failure, request: PlannedRequest): Failure {
  return scrubberOf(request).failure(withReferences(inWords(given, request), request));
}

/** The platform's code for an ID that it does not know (service.md#codes). */
const NO_SUCH_RECORD = 7;

/** Codes of the platform for what the account may not use (service.md#codes). */
const NOT_ENABLED = new Set([6, 11]);
const FORBIDDEN = 403;

const isNotEnabled = ({ code, httpStatus }: Failure) =>
  httpStatus === FORBIDDEN || (typeof code === 'number' && NOT_ENABLED.has(code));

/** The reason as a person at the panel says it: a refusal of the operation's own, or with the labels of its fields. */
function inWords(failure: Failure, { operation, values }: PlannedRequest): Failure {
  const { outcome, applied, said = '', code } = failure;
  if (outcome === 'declined' && !applied) {
    const known = operation.refusals?.find(({ pattern }) => pattern.test(said));
    if (known) return { ...failure, message: known.what, advice: filled(known.advice, values.path) };
    if (operation.needsSupport !== undefined && isNotEnabled(failure))
      return {
        ...failure,
        message: useLabels(failure.message, operation),
        advice: `${operation.needsSupport} ${failure.advice}`,
      };
    const [named] = declaredFields(operation).filter(({ name, place }) => place === 'path' && values.path[name]);
    if (code === NO_SUCH_RECORD && named)
      return {
        ...failure,
        message: `"${named.label}" ${maskCardsInId(asText(values.path[named.name]))} was not found`,
      };
  }
  return { ...failure, message: useLabels(failure.message, operation) };
}

/** Takes the secrets of the account and of the request out of what the service said. */
export function scrubberOf(request: PlannedRequest): Scrubber {
  const [{ values: asked }, { secrets = [], values }] = [originalRequest(request), request];
  return Scrubber.of(secrets, findSecrets([values.body, values.query, asked.body, asked.query]));
}

/** With the request's own values in place of names in braces. A part in brackets is left out if one of its values is. */
const filled = (text: string, values: IDataObject) =>
  text
    .replace(/\[([^\]]*)\]/g, (_, part: string) =>
      namesIn(part).every((name) => values[name] !== undefined) ? part : '',
    )
    .replace(/\{(\w+)\}/g, (_, name: string) => asText(values[name] ?? `its ${name}`));

const namesIn = (text: string) => text.match(/(?<=\{)\w+(?=\})/g) ?? [];

function withReferences(given: Failure, request: PlannedRequest): Failure {
  const { operation, method, effect, decided } = request;
  const path = operation.shape ? maskCardNumbers(request.path) : (decided?.to ?? operation.request).path;
  const reads = effect === 'reads';
  const advice = reads ? withoutLookUp(given.advice) : given.advice;
  const failure: Failure = { ...given, advice, request: `${method} ${path}`, reads };
  if (!['unknown', 'doneBefore'].includes(failure.outcome) || reads) return failure;
  const references = referencesOf(request);
  const lookUp = operation.lookUp && filled(operation.lookUp, sentReferences(request));
  const wanted = failure.outcome === 'unknown' && lookUp !== undefined;
  return { ...failure, references: { ...references, ...given.references }, ...(wanted && { lookUp }) };
}
