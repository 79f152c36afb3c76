import type {
  IAdditionalCredentialOptions,
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  IWebhookFunctions,
} from 'n8n-workflow';

import { isObject } from '../shared/objects';
import { CREDENTIAL_NAME, secretNameOf } from './account';
import { namesAmount } from '../fields/kinds/number';
import { decode, isPayment, type Reading } from './decode-response';
import { namingSecret, networkFailure } from '../messages/describe-answers';
import { type FileContents, buildForm } from './read-files';
import { Scrubber, findSecrets } from '../messages/scrubber';
import type { RunOptions } from '../model/option-types';
import type { Account, Effect, Family, PlannedRequest } from '../model/types';
import type { Answer } from '../model/failure';
import { Gate } from './gate';
import { type Patience, isRepeatable, retryDelayMs } from './retry-rules';

export interface HttpRequest {
  method: IHttpRequestMethods;
  path: string;
  family: Family;
  effect?: Effect;
  /** Whether the node uses the response to decide whether to send a write. */
  decides?: boolean;
  query: IDataObject;
  body?: IDataObject;
  /** File contents by field. If set, the body is multipart. */
  contents?: FileContents;
  approvals?: readonly string[] | undefined;
  timeoutMs: number;
}

/** Parts of a run that sending needs. */
interface SendingRun {
  context: RequestContext;
  account: Account;
  gate: Gate;
  options: Pick<RunOptions, 'timeoutMs'>;
}

type SentRequest = Pick<PlannedRequest, 'operation' | 'method' | 'path' | 'family' | 'effect' | 'values'>;

export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

/**
 * Sends a request once. Returns a connection error or a timeout as a failure. Doesn't follow redirects, so that no
 * other host gets the token.
 */
export async function sendHttpRequest(
  context: RequestContext,
  account: Account,
  request: HttpRequest,
): Promise<Answer> {
  try {
    const options: IHttpRequestOptions = {
      method: request.method,
      url: `${account.baseUrl}${request.path}`,
      headers: { accept: 'application/json', ...contentType(request) },
      qs: request.query,
      arrayFormat: 'repeat',
      ...(request.body && { body: contentOf(request.body, request) }),
      // Parsing the body itself, the node can detect a truncated response.
      encoding: 'text',
      timeout: request.timeoutMs,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
      sendCredentialsOnCrossOriginRedirect: false,
    };
    const send = async (signal: AbortSignal): Promise<unknown> =>
      await context.helpers.httpRequestWithAuthentication.call(
        withSignal(context, signal),
        CREDENTIAL_NAME,
        options,
        read(account),
      );
    const canceled = SIGNAL in context ? context[SIGNAL]() : undefined;
    const response = await withinTime(request.timeoutMs, send, canceled);
    const answer = decode(request.family, rawResponse(response), readingOf(account, request));
    return answer.ok ? answer : { ok: false, failure: namingSecret(answer.failure, secretOf(account)) };
  } catch (error) {
    return { ok: false, failure: networkFailure(error) };
  }
}

/** Sends an item's request once, and adapts the pace to the response. */
export async function sendOnce(
  { context, account, gate, options: { timeoutMs } }: SendingRun,
  { operation, method, path, family, effect, values }: SentRequest,
  contents?: FileContents,
): Promise<Answer> {
  const { query } = values;
  const body = method === 'GET' || method === 'DELETE' ? undefined : values.body;
  const { approvals } = operation;
  const request = { method, path, family, effect, query, body, contents, approvals, timeoutMs };
  const answer = await sendHttpRequest(context, account, request);
  adjustPace(gate, answer);
  return answer;
}

/** n8n passes the execution's signal to the HTTP client, so the node replaces it. */
const withSignal = (context: RequestContext, signal: AbortSignal): RequestContext =>
  new Proxy(context, {
    has: (of, name) => name === SIGNAL || Reflect.has(of, name),
    get: (of, name): unknown => (name === SIGNAL ? () => signal : Reflect.get(of, name)),
  });

const SIGNAL = 'getExecutionCancelSignal';

/** Has the code of the HTTP client's own timeout. */
class TooLate extends Error {
  readonly code = 'ECONNABORTED';
}

/**
 * The HTTP client's own time limit applies only while no data arrives, so a response that arrives byte by byte could
 * last forever.
 * @param send sends the request, and stops when the signal fires.
 * @param canceled signal of the execution.
 * @throws TooLate
 */
export async function withinTime<Result>(
  timeoutMs: number,
  send: (signal: AbortSignal) => Promise<Result>,
  canceled?: AbortSignal,
): Promise<Result> {
  const request = new AbortController();
  const timeout = AbortSignal.timeout(timeoutMs);
  const stop = () => request.abort();
  if (canceled?.aborted) stop();
  return await new Promise<Result>((resolve, reject) => {
    const end = () => {
      reject(new TooLate());
      stop();
    };
    timeout.addEventListener('abort', end);
    canceled?.addEventListener('abort', stop);
    void send(request.signal)
      .then(resolve, reject)
      .finally(() => {
        timeout.removeEventListener('abort', end);
        canceled?.removeEventListener('abort', stop);
      });
  });
}

const secretOf = ({ credential }: Account) => credential && secretNameOf(credential);

/** For a form, the HTTP client adds the content type and boundary. */
const contentType = ({ body, contents }: HttpRequest) => body && !contents && { 'content-type': 'application/json' };

const contentOf = (body: IDataObject, { contents }: HttpRequest): string | FormData =>
  contents ? buildForm(body, contents) : JSON.stringify(body);

/** Without the credential's data, n8n would read its database for every request. */
const read = ({ credential: data }: Account): IAdditionalCredentialOptions | undefined =>
  data && { credentialsDecrypted: { id: '', name: CREDENTIAL_NAME, type: CREDENTIAL_NAME, data } };

const readingOf = (
  { secrets = [] }: Account,
  { method, path, family, effect, decides, query, body, approvals }: HttpRequest,
): Reading => ({
  decides,
  reads: effect === undefined ? method === 'GET' : effect === 'reads',
  checksCard: CARD_CHECK.test(path) && !holdsAmount(body),
  needsCode: family === 'any' && isPayment(method, path),
  approvals,
  // Only failures contain the service's texts.
  get scrubber() {
    return Scrubber.of(secrets, findSecrets([query, body]));
  },
});

/**
 * Requests that check or save a card. A card check takes no amount (service.md#card-data), so a request with an amount
 * might move money.
 */
const CARD_CHECK = /^\/pg\/(tokenize|verify)$/;

function holdsAmount(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsAmount);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, inner]) => namesAmount(name) || holdsAmount(inner));
}

function rawResponse(response: unknown) {
  const full = isObject(response) ? response : {};
  return {
    status: Number(full.statusCode),
    headers: isObject(full.headers) ? full.headers : {},
    body: typeof full.body === 'string' ? full.body : JSON.stringify(full.body ?? ''),
  };
}

export interface Tries {
  effect: Effect;
  patience: Patience;
  /** Defaults to a separate gate for this request. */
  gate?: Gate;
  objectKey?: string;
  /** Returns whether a final response blocks further requests. `answer` is `undefined` if sending threw an error. */
  ends?: (answer: Answer | undefined) => boolean;
}

/**
 * Repeats a request as its effect and `patience` permit.
 * @param once sends the request once, or returns the reason not to send it.
 * @returns the last response, with the number of sent requests if it failed.
 * @throws NotStarted if the run stops before the first attempt.
 */
export async function sendWithRetries(
  { effect, patience, gate = alone(patience), objectKey, ends }: Tries,
  once: () => Promise<Answer>,
): Promise<Answer> {
  let tries = 0;
  let sent = 0;
  let answeredAt = 0;
  const send = async () => {
    const answer = await once();
    tries += 1;
    if (answer.ok || !answer.isUnsent) sent += 1;
    return answer;
  };
  const again = (last: Answer) => {
    if (last.ok || !isRepeatable(effect, last.failure, patience)) return undefined;
    answeredAt ||= Date.now();
    return retryDelayMs(last.failure, tries, Date.now() - answeredAt, patience);
  };
  const answer = await gate.run(objectKey, send, { again, ends });
  return answer.ok || sent < 2 ? answer : { ok: false, failure: { ...answer.failure, tries: sent } };
}

const alone = ({ retryTimeMs }: Patience) => new Gate({ most: 1, longestWaitMs: retryTimeMs });

/** Adapts the number of parallel requests to the load. */
export function adjustPace(gate: Gate, answer: Answer): void {
  if (answer.ok) return gate.speedUp();
  const { httpStatus, retryAfterMs } = answer.failure;
  if (httpStatus === 429 || httpStatus === 503) gate.slowDown(retryAfterMs);
  else if (httpStatus !== undefined && httpStatus < 500) gate.answered();
}
