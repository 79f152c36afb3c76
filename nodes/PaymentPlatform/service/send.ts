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
import { namesAmount } from '../model/read-amounts';
import { decode, type Reading } from './decode-response';
import { namingSecret, networkFailure } from '../messages/describe-answers';
import { type FileContents, buildForm } from './read-files';
import { Scrubber, findSecrets } from '../messages/scrubber';
import type { Account, Effect, Family } from '../model/types';
import type { Answer } from '../model/failure';
import { Gate } from './gate';
import { type Patience, isRepeatable, retryDelayMs } from './retry-rules';

export interface HttpRequest {
  method: IHttpRequestMethods;
  path: string;
  family: Family;
  effect?: Effect;
  query: IDataObject;
  body?: IDataObject;
  /** Contents of the files in the body, by field. If set, the body is multipart instead of JSON. */
  contents?: FileContents;
  approvals?: readonly string[] | undefined;
  timeoutMs: number;
}

/** n8n contexts that can call the service with the node's credential. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

/**
 * Sends a request once and decodes the response. Returns a connection error as a failure. Doesn't follow redirects, so
 * that the token never reaches another host.
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
      // The node parses the body itself, so that it can detect a truncated response.
      encoding: 'text',
      timeout: request.timeoutMs,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
      sendCredentialsOnCrossOriginRedirect: false,
    };
    const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
      context,
      CREDENTIAL_NAME,
      options,
      read(account),
    );
    const answer = decode(request.family, rawResponse(response), readingOf(account, request));
    return answer.ok ? answer : { ok: false, failure: namingSecret(answer.failure, secretOf(account)) };
  } catch (error) {
    return { ok: false, failure: networkFailure(error) };
  }
}

const secretOf = ({ credential }: Account) => credential && secretNameOf(credential);

/** For a form, the HTTP client adds the content type with the boundary. */
const contentType = ({ body, contents }: HttpRequest) => body && !contents && { 'content-type': 'application/json' };

const contentOf = (body: IDataObject, { contents }: HttpRequest): string | FormData =>
  contents ? buildForm(body, contents) : JSON.stringify(body);

/** Passes the credential on. Otherwise, n8n would read its database for every request. */
const read = ({ credential: data }: Account): IAdditionalCredentialOptions | undefined =>
  data && { credentialsDecrypted: { id: '', name: CREDENTIAL_NAME, type: CREDENTIAL_NAME, data } };

const readingOf = (
  { secrets = [] }: Account,
  { method, path, effect, query, body, approvals }: HttpRequest,
): Reading => ({
  reads: effect === undefined ? method === 'GET' : effect === 'reads',
  checksCard: CARD_CHECK.test(path) && !holdsAmount(body),
  approvals,
  scrubber: Scrubber.of(secrets, findSecrets([query, body])),
});

/**
 * Matches requests that check or save a card. A card check takes no amount (service.md#card-data), so a request with an
 * amount might move money.
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

/** Settings for the attempts of a request. */
export interface Tries {
  effect: Effect;
  patience: Patience;
  /** Limits and orders the attempts. Defaults to a separate gate for this request. */
  gate?: Gate;
  objectKey?: string;
  /** Returns whether a final response blocks further requests. `answer` is `undefined` if sending threw an error. */
  ends?: (answer: Answer | undefined) => boolean;
}

/**
 * Sends a request and repeats it as its effect and `patience` permit.
 * @param once sends the request once, or returns the reason not to send it.
 * @returns the last response, with the number of sent requests if it is a failure.
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

/** Adapts the number of parallel requests to the service load that a response indicates. */
export function adjustPace(gate: Gate, answer: Answer): void {
  if (answer.ok) return gate.speedUp();
  const { httpStatus, retryAfterMs } = answer.failure;
  if (httpStatus === 429 || httpStatus === 503) gate.slowDown(retryAfterMs);
  else if (httpStatus !== undefined && httpStatus < 500) gate.answered();
}
