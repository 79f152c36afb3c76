import { isList, isObject, cut } from '../shared/objects';
import { adviceFor, LOOK_UP_FIRST, CREDENTIAL_SECRET, type Advice } from './catalogue';
import { Scrubber } from './scrubber';
import { type Failure, GATEWAY_UNKNOWN, paymentOutcomeOf, readCode, readRcode } from '../model/failure';

/** No trusted connection was established, so the node never sent the request. */
const NEVER_SENT = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_INVALID_URL',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** While connecting, these errors prove that the node never sent the request. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Error code for a request that takes too long. */
const TIMED_OUT = 'ECONNABORTED';

const PLATFORM_SERVICE_FAILURE = 99;

const MOST_FIELDS = 20;
const LONGEST_TEXT = 300;
const LONGEST_ID = 64;

const NO_SECRETS = new Scrubber([]);

const CHECK_CREDENTIAL = `Check the Environment, Base URL, Merchant ID and ${CREDENTIAL_SECRET} in the credential. Test and Production need separate credentials.`;

/** Advice for HTTP status 429. */
export const FEWER_AT_ONCE = 'Lower "Max Parallel Requests", or process fewer items at a time.';

/** Removes the advice to look up a record, for requests that are safe to repeat. */
export const withoutLookUp = (advice: string, instead = ''): string => advice.replace(LOOK_UP_FIRST, instead).trim();

const TURNED_AWAY = 'The service received too many requests and rejected this request';

/** Appends the service's message only for codes whose message names the invalid field. */
function reasonOf(known: Advice | undefined, own: string, fallback: string): string {
  if (!known) return own || fallback;
  const what = known.what.replace(/\.$/, '');
  return known.named && own !== '' ? `${what}: ${own}` : what;
}

/** Replaces "API Key or API Token" with the name of the credential's actual secret. */
export const namingSecret = (failure: Failure, name = CREDENTIAL_SECRET): Failure => ({
  ...failure,
  message: failure.message.replaceAll(CREDENTIAL_SECRET, name),
  advice: failure.advice.replaceAll(CREDENTIAL_SECRET, name),
});

/** Adds missing periods, except at the end of the text. */
export const joinSentences = (sentences: readonly string[]): string =>
  sentences
    .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(' ')
    .replace(/\.$/, '');

const quoted = (own: string, code: string | number) => [own, `(code ${code})`].filter(Boolean).join(' ');

/**
 * The service doesn't apply a request that it rejects with status 429. If the service itself failed, the outcome is
 * unknown.
 * @param isOpen whether the refusal's code leaves the outcome unknown.
 */
const outcomeOf = (httpStatus: number, isOpen: boolean): Failure['outcome'] =>
  httpStatus === 429 ? 'notSent' : isOpen || !isAnswered(httpStatus) ? 'unknown' : 'declined';

const isAnswered = (httpStatus: number) => httpStatus >= 200 && httpStatus < 500 && httpStatus !== 408;

/** The `rcode` isn't "000" (service.md#codes). */
export function gatewayFailure(body: Record<string, unknown>, httpStatus: number, scrubber = NO_SECRETS): Failure {
  const rcode = readRcode(body.rcode);
  if (rcode === undefined) return doubtfulFailure(body, httpStatus, scrubber);
  const known = adviceFor('gateway', rcode);
  const own = words(body.rmsg, '', scrubber);
  const isOpen = GATEWAY_UNKNOWN.includes(rcode);
  // Unless the gateway failed, the issuer may have approved the payment, so users must not charge the card again.
  const mayBeApproved = !isOpen && paymentOutcomeOf(rcode) !== 'declined';
  const outcome = mayBeApproved ? 'unknown' : outcomeOf(httpStatus, isOpen);
  return {
    outcome,
    message: outcome === 'notSent' ? TURNED_AWAY : reasonOf(known, own, 'The gateway refused the request'),
    advice: outcome === 'notSent' ? FEWER_AT_ONCE : (known?.advice ?? adviceWithout(rcode)),
    said: quoted(own, rcode),
    httpStatus,
    rcode,
    ...pgIdOf(body, scrubber),
  };
}

const adviceWithout = (rcode: string) =>
  rcode.startsWith('0') ? 'The card issuer declined the payment. Ask the customer for another payment method.' : '';

/** The `code` isn't 0. `data` can contain the names of rejected fields (service.md#families). */
export function platformFailure(body: Record<string, unknown>, httpStatus: number, scrubber = NO_SECRETS): Failure {
  const code = readCode(body.code);
  if (code === undefined) return doubtfulFailure(body, httpStatus, scrubber);
  const known = adviceFor('platform', code);
  const own = words(body.message, '', scrubber);
  const fields = isObject(body.data)
    ? Object.entries(body.data)
        .slice(0, MOST_FIELDS)
        .map(([field, text]) => `"${words(field, 'a field', scrubber)}" ${words(text, 'is not valid', scrubber)}`)
    : [];
  const outcome = outcomeOf(httpStatus, code === PLATFORM_SERVICE_FAILURE);
  return {
    outcome,
    message:
      outcome === 'notSent'
        ? TURNED_AWAY
        : joinSentences(fields) || reasonOf(known, own, 'The service refused the request'),
    advice: outcome === 'notSent' ? FEWER_AT_ONCE : fields.length > 0 ? '' : (known?.advice ?? ''),
    said: joinSentences([quoted(own, code), ...fields]),
    httpStatus,
    code,
  };
}

/** A response contradicts itself or contains an unreadable code, so the service may have applied the request. */
export function doubtfulFailure(body: Record<string, unknown>, httpStatus: number, scrubber = NO_SECRETS): Failure {
  const said = [body.rmsg, body.message].map((text) => words(text, '', scrubber)).find(Boolean);
  const rcode = body.rcode === '000' ? '000' : readRcode(body.rcode);
  const code = body.code === 0 ? 0 : readCode(body.code);
  return {
    outcome: 'unknown',
    message: `The response shows neither success nor an error${said === undefined ? '' : `: ${said}`}`,
    advice:
      "Check the Base URL in the credential. If the URL is correct, contact the payment service's support about this response.",
    httpStatus,
    ...(rcode !== undefined && { rcode }),
    ...(code !== undefined && { code }),
    ...pgIdOf(body, scrubber),
  };
}

/** Masks card numbers, because users sometimes enter a card number as an ID. */
function pgIdOf({ pg_id: id }: Record<string, unknown>, scrubber: Scrubber): Pick<Failure, 'pgId'> {
  if ((typeof id !== 'string' && typeof id !== 'number') || id === '') return {};
  return { pgId: cut(scrubber.id(String(id)), LONGEST_ID) };
}

export function statusFailure(httpStatus: number): Failure {
  if (httpStatus === 429)
    return {
      outcome: 'notSent',
      message: TURNED_AWAY,
      advice: FEWER_AT_ONCE,
      httpStatus,
    };
  if (httpStatus >= 300 && httpStatus < 400)
    return {
      outcome: 'unknown',
      message: `The service responded with a redirect. The node doesn't follow redirects, because the request contains the ${CREDENTIAL_SECRET}`,
      advice: 'Check the Base URL in the credential.',
      httpStatus,
    };
  return {
    outcome: isAnswered(httpStatus) ? 'declined' : 'unknown',
    message: `The service responded with HTTP status ${httpStatus}`,
    advice: statusAdvice(httpStatus),
    httpStatus,
  };
}

/** Returns no advice if the service itself failed, because the credential isn't the cause. */
function statusAdvice(httpStatus: number): string {
  if (httpStatus === 408 || httpStatus >= 500) return '';
  return httpStatus === 401 || httpStatus === 403 ? CHECK_CREDENTIAL : 'Check the Base URL in the credential.';
}

/** Describes a successful response whose body is truncated or isn't the service's JSON. */
export const unreadableFailure = (httpStatus: number): Failure => ({
  outcome: 'unknown',
  message: 'The node could not read the response, because it is incomplete or in an unexpected format',
  advice: CHECK_RESPONSES,
  httpStatus,
});

const CHECK_RESPONSES = 'Check the base URL in the credential, and check whether a proxy modifies responses.';

/**
 * Omits the unreadable value, because it may be secret.
 * @param found value that should be a record, or an empty list that should contain records.
 */
export function noRecordFailure(found: unknown, identity = ''): Failure {
  return {
    outcome: 'unknown',
    message: `The node could not read the response, because it contains ${typeOf(found, identity)} instead of records`,
    advice: CHECK_RESPONSES,
    httpStatus: 200,
  };
}

/** @param name field whose value differs from the requested one. */
export const otherRecordFailure = (name: string): Failure => ({
  outcome: 'unknown',
  message: `The node could not use the response, because it contains a record with another ${name}`,
  advice: CHECK_RESPONSES,
  httpStatus: 200,
});

function typeOf(value: unknown, identity: string): string {
  if (value === null) return 'a null value';
  if (isList(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (!isObject(value)) return `a ${typeof value}`;
  if (Object.keys(value).length === 0) return 'an empty object';
  return identity === '' ? 'an unknown object' : `an object without ${identity}`;
}

/** Uses only the error's code, because n8n's error contains the whole request with the authorization header. */
export function networkFailure(error: unknown): Failure {
  const faults = faultsIn(error);
  const code = faultCode(error);
  if (code === 'ERR_CANCELED')
    return { outcome: 'unknown', message: 'The execution was canceled before the service responded', advice: '' };
  if (code === TIMED_OUT)
    return { outcome: 'unknown', message: 'The response was not complete before the timeout', advice: '' };
  const steps = faults.flatMap(({ syscall }) => syscall ?? []);
  const neverConnected = NEVER_CONNECTED.has(code) && steps.length > 0 && steps.every((step) => step === 'connect');
  return neverConnected || NEVER_SENT.has(code)
    ? {
        outcome: 'notSent',
        message: `The node could not reach the service, because ${unreachedWords(code)} (${code.toLowerCase()})`,
        advice: 'Check the Base URL in the credential for typos, and check the network connection.',
      }
    : {
        outcome: 'unknown',
        message: `The connection was lost before the response was complete${code ? ` (${code.toLowerCase()})` : ''}`,
        advice: '',
      };
}

function unreachedWords(code: string): string {
  if (code === 'ENOTFOUND') return 'no host has this name';
  if (code === 'EAI_AGAIN') return 'the host name could not be resolved';
  if (code === 'ERR_INVALID_URL') return 'the URL is invalid';
  return NEVER_CONNECTED.has(code) ? 'nothing responds at this address' : 'the certificate of the host is invalid';
}

/** Returns a code such as ENOTFOUND, or `''` if the error has no code. */
export const faultCode = (error: unknown): string => faultsIn(error).find(({ code }) => code !== undefined)?.code ?? '';

interface Fault {
  code?: string;
  syscall?: string;
}

/** n8n 1 omits an error's cause, but keeps the cause's code (as HTTP code) and text (in messages). */
function faultsIn(error: unknown, depth = 0): Fault[] {
  if (!isObject(error) || depth > 4) return [];
  const { syscall, cause, errorResponse } = error;
  const code = [error.code, error.httpCode].find(isSystemCode);
  const own: Fault = {
    ...(code !== undefined && { code }),
    ...(typeof syscall === 'string' && { syscall }),
  };
  const inner = [cause, errorResponse, ...asList(error.errors)].flatMap((one) => faultsIn(one, depth + 1));
  return [own, ...inner, ...asList(error.messages).flatMap(faultInText)];
}

const SYSTEM_CODE = /^[A-Z][A-Z0-9_]+$/;
const isSystemCode = (value: unknown): value is string => typeof value === 'string' && SYSTEM_CODE.test(value);
const asList = (value: unknown): unknown[] => (isList(value) ? value : []);

function faultInText(text: unknown): Fault[] {
  const [, syscall, code] = /^([a-z]+) (E[A-Z]+)\b/.exec(String(text)) ?? [];
  return syscall === undefined ? [] : [{ syscall, code }];
}

function words(value: unknown, fallback: string, scrubber: Scrubber): string {
  const text = typeof value === 'string' ? cut(scrubber.words(value).trim(), LONGEST_TEXT) : '';
  return text === '' ? fallback : text;
}
