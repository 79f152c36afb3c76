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

export interface HttpRequest {
  method: IHttpRequestMethods;
  /** Below the base URL, already filled in and encoded. */
  path: string;
  family: Family;
  /** What it does; a GET reads unless this says otherwise. */
  effect?: Effect;
  query: IDataObject;
  /** `undefined` for requests without a body. */
  body?: IDataObject;
  /** The contents of the files in the body, by field: it is sent as multipart then, as JSON otherwise. */
  contents?: FileContents;
  timeoutMs: number;
}

/** Every kind of n8n function that may call the service with the node's credential. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

/**
 * Sends one request once, and decodes whatever comes back. Never throws for what happens on the wire: a fault is an
 * answer with a failure. Redirects are not followed, so the token never reaches another host.
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
      // The body is parsed here, not by n8n, so that a truncated answer is told apart from a short one.
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

/** What the secret is called where the person entered it. */
const secretOf = ({ credential }: Account) => credential && secretNameOf(credential);

/** A form's type names what parts its parts: whoever writes it says so. */
const contentType = ({ body, contents }: HttpRequest) => body && !contents && { 'content-type': 'application/json' };

const contentOf = (body: IDataObject, { contents }: HttpRequest): string | FormData =>
  contents ? buildForm(body, contents) : JSON.stringify(body);

/** The credential as it was read with the account: n8n reads it from its database for every request otherwise. */
const read = ({ credential: data }: Account): IAdditionalCredentialOptions | undefined =>
  data && { credentialsDecrypted: { id: '', name: CREDENTIAL_NAME, type: CREDENTIAL_NAME, data } };

/** What the meaning of the answer depends on, and what none of its texts may give away. */
const readingOf = ({ secrets = [] }: Account, { method, path, effect, query, body }: HttpRequest): Reading => ({
  reads: effect === undefined ? method === 'GET' : effect === 'reads',
  checksCard: CARD_CHECK.test(path) && !holdsAmount(body),
  scrubber: Scrubber.of(secrets, findSecrets([query, body])),
});

/** Requests that check or save a card; with an amount they are none (service.md#card-data). */
const CARD_CHECK = /^\/pg\/(tokenize|verify)$/;

/** Whether a value holds an amount, at any depth. */
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
