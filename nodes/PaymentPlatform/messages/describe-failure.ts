import type { IDataObject } from 'n8n-workflow';
import { wireFields } from '../fields/kinds/group';
import type { Field } from '../fields/types';
import { declaredFields, inRecord, sentReferences } from '../model/operation';
import type { Failure } from '../model/failure';
import type { Operation, PlannedRequest } from '../model/types';
import { asText } from '../shared/objects';
import { maskCardNumbers, maskCardsInId } from '../shared/privacy';
import { withoutLookUp } from './describe-answers';
import { scrubberOf } from './scrubber';

/** Matches a field name with its path, such as `line_items[0].unit_cost`. */
const FIELD = /("?)\b([A-Za-z]\w*(?:\[\d+\]|\.\w+)*)\1/g;
/** An underscore, a bracket or camel case distinguishes a field name from an English word. */
const LIKE_A_NAME = /\w_\w|[a-z][A-Z]|\]/;

/**
 * Replaces field names in the service's text with parameter labels. Replaces a possible English word, such as "type",
 * only if the service quoted it.
 */
export const useLabels = (text: string, operation: Pick<Operation, 'fields' | 'additional'>): string =>
  text.replace(FIELD, (whole, quote: string, name: string) => {
    const label = quote !== '' || LIKE_A_NAME.test(name) ? labelOf(name, operation) : undefined;
    return label === undefined ? whole : `"${label}"`;
  });

function labelOf(name: string, operation: Pick<Operation, 'fields' | 'additional'>): string | undefined {
  const fields = declaredFields(operation);
  const path = name.match(/\w+/g) ?? [];
  return labelAt(fields, path) ?? (path.length === 1 ? anywhere(fields, name) : undefined);
}

function labelAt(fields: readonly Field[], [name, ...rest]: string[]): string | undefined {
  const field = fields.find((one) => one.name === name);
  if (!field) return undefined;
  const [place = '', ...inner] = rest;
  const isPlace = /^\d+$/.test(place);
  const label = isPlace ? `${field.label} ${Number(place) + 1}` : field.label;
  const within = isPlace ? inner : rest;
  if (within.length === 0) return label;
  const last = labelAt(wireFields(field.fields ?? []), within);
  return last === undefined ? label : `${label} > ${last}`;
}

function anywhere(fields: readonly Field[], name: string): string | undefined {
  for (const { label, fields: inside = [] } of fields) {
    const own = wireFields(inside);
    const found = own.find((one) => one.name === name)?.label ?? anywhere(own, name);
    if (found !== undefined) return `${label} > ${found}`;
  }
  return undefined;
}

/**
 * Adds the request, and the record to look up if the outcome is unknown. Removes secrets.
 * @param sent IDs, references and amounts that the node sent, by request field.
 */
export function describeFailure(
  given: Failure,
  request: PlannedRequest,
  sent: IDataObject | 'nothing known' = sentReferences(request),
): Failure {
  return scrubberOf(request).failure(withReferences(inWords(given, request), request, sent));
}

/** Unknown ID (service.md#codes). */
const NO_SUCH_RECORD = 7;

/** The account doesn't have the feature (service.md#codes). */
const NOT_ENABLED = new Set([6, 11]);
const FORBIDDEN = 403;

export const isNotEnabled = ({ code, httpStatus }: Failure) =>
  httpStatus === FORBIDDEN || (typeof code === 'number' && NOT_ENABLED.has(code));

/** Uses the operation's own message for a known refusal, and otherwise replaces field names with labels. */
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

const filled = (text: string, values: IDataObject) =>
  text
    .replace(/\[([^\]]*)\]/g, (_, part: string) =>
      namesIn(part).every((name) => values[name] !== undefined) ? part : '',
    )
    .replace(/\{(\w+)\}/g, (_, name: string) => asText(values[name] ?? `its ${name}`));

const namesIn = (text: string) => text.match(/(?<=\{)\w+(?=\})/g) ?? [];

function withReferences(given: Failure, request: PlannedRequest, sent: IDataObject | 'nothing known'): Failure {
  const { operation, method, effect, decided } = request;
  const path = operation.shape ? maskCardNumbers(request.path) : (decided?.to ?? operation.request).path;
  const reads = effect === 'reads';
  const advice = reads ? withoutLookUp(given.advice) : given.advice;
  const failure: Failure = { ...given, advice, request: `${method} ${path}`, reads };
  if (!['unknown', 'doneBefore'].includes(failure.outcome) || reads) return failure;
  if (sent === 'nothing known') return failure;
  const references = inRecord(request, sent);
  const lookUp = operation.lookUp && filled(operation.lookUp, sent);
  const wanted = failure.outcome === 'unknown' && lookUp !== undefined;
  return { ...failure, references: { ...references, ...given.references }, ...(wanted && { lookUp }) };
}
