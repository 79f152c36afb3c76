import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';

import { FEWER_AT_ONCE, unreadableFailure, withoutLookUp } from '../messages/describe-answers';
import { fetchList } from '../service/fetch-list';
import { notWhole } from '../service/look-up';
import type { Patience } from '../service/retry-rules';
import { type RequestContext, sendHttpRequest, sendWithRetries } from '../service/send';
import type { Account } from '../model/types';
import type { Answer, Failure } from '../model/failure';
import { readWebhookId } from './stored-data';

/** The timeout is short, because users wait for the activation. */
const TIMEOUT_MS = 10_000;
const PATIENCE: Patience = { maxTries: 4, retryTimeMs: 6_000, repeatsWrites: true };

/** Creating a webhook twice results in two webhooks. Updating or enabling it twice has no further effect. */
const EFFECTS = { GET: 'reads', POST: 'writesOnce', PUT: 'repeatsSafely' } as const;

const NO_SUCH_PATH = 7;

/**
 * The account can't manage webhooks, or the webhook doesn't exist. Ignores HTTP status 404, because a wrong base URL
 * can also cause it.
 */
export const isUnknownPath = ({ code }: Failure) => code === NO_SUCH_PATH;

/** The service responded with success, but the node can't read the response. */
export const isUnreadable = ({ httpStatus = 0, code }: Failure) =>
  httpStatus >= 200 && httpStatus < 300 && code === undefined;

/** Sends requests for one account (service.md#webhooks). Returns connection errors as failures. */
export class WebhookService {
  constructor(
    private readonly context: RequestContext,
    private readonly account: Account,
  ) {}

  /** Returns a failure if the list is unreadable or may be incomplete. */
  async list(): Promise<IDataObject[] | Failure> {
    const result = await fetchList({ identity: 'webhook_id', needsIds: true }, undefined, async (page, count) =>
      this.request('GET', '/platform/webhook', { query: { page, count } }),
    );
    if ('ok' in result) return result.failure;
    const { records, note } = result;
    if (note !== undefined) return notWhole(note);
    return records.every(({ webhook_id }) => readWebhookId(webhook_id) !== undefined)
      ? records
      : unreadableFailure(200);
  }

  /** Never repeats a request with an unknown outcome, because the service could create a second webhook. */
  async create(body: IDataObject): Promise<Answer> {
    return await this.request('POST', '/platform/webhook', { body });
  }

  async update(webhookId: string, body: IDataObject): Promise<Answer> {
    return await this.request('PUT', `/platform/webhook/${webhookId}`, { body });
  }

  async enable(webhookId: string): Promise<Answer> {
    return await this.request('PUT', `/platform/webhook/${webhookId}/enable`);
  }

  async disable(webhookId: string): Promise<Answer> {
    return await this.request('PUT', `/platform/webhook/${webhookId}/disable`);
  }

  private async request(
    method: keyof typeof EFFECTS,
    path: string,
    { query = {}, body }: { query?: IDataObject; body?: IDataObject } = {},
  ): Promise<Answer> {
    const effect = EFFECTS[method];
    const request = {
      method,
      path,
      family: 'platform',
      effect,
      decides: method === 'GET',
      query,
      ...(body && { body }),
      timeoutMs: TIMEOUT_MS,
    } as const;
    return await sendWithRetries(
      { effect, patience: PATIENCE },
      async () => await sendHttpRequest(this.context, this.account, request),
    );
  }
}

/** Reads a record or a page. Returns connection errors as failures. */
export async function read(
  context: RequestContext,
  account: Account,
  path: string,
  { query = {}, patience = PATIENCE }: { query?: IDataObject; patience?: Patience } = {},
): Promise<Answer> {
  const request = { method: 'GET', path, family: 'platform', query, timeoutMs: TIMEOUT_MS } as const;
  return await sendWithRetries(
    { effect: 'reads', patience },
    async () => await sendHttpRequest(context, account, request),
  );
}

/** n8n 2 skips nodes that haven't changed since the last publication (n8n.md#webhook-lifecycle). */
export const ACTIVATE_AGAIN = 'deactivate and activate the workflow (in n8n 2: unpublish and publish it)';

const WAIT = 'Wait a minute.';

/** @param doing attempted action, such as "register the webhook". */
export function registrationError(
  node: INode,
  doing: string,
  { message, advice: given, said, httpStatus }: Failure,
): NodeApiError {
  // Removes advice about looking up a record, because the next activation disables leftover webhooks.
  const advice = withoutLookUp(given, WAIT).replace(FEWER_AT_ONCE, WAIT);
  const text = `The trigger could not ${doing}: ${message}`;
  const own = said === undefined ? '' : `The service said: ${said}`;
  const error = new NodeApiError(
    node,
    { message: text },
    {
      message: text,
      description: [advice, hint(message), `Then ${ACTIVATE_AGAIN}.`].filter(Boolean).join(' '),
      httpCode: httpStatus === undefined ? undefined : String(httpStatus),
    },
  );
  // n8n replaces messages that contain the name of a system error (n8n.md#items-and-errors).
  error.message = [text, advice.replace(/\.$/, ''), own].filter(Boolean).join('. ');
  error.messages = [];
  return error;
}

function hint(message: string): string {
  if (/notification_url/.test(message))
    return "Set n8n's environment variable WEBHOOK_URL to the public address of this n8n instance, which must start with https://, and restart n8n.";
  if (/events/.test(message)) return 'Correct "Other Event Names". The service accepts only known event names.';
  if (/webhook_node/.test(message)) return 'Correct the option "Watched Merchant ID".';
  if (/email_address/.test(message)) return 'Correct the option "Email Addresses".';
  return '';
}
