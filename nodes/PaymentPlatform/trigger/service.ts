import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';

import { FEWER_AT_ONCE, withoutLookUp } from '../messages/describe-answers';
import { fetchList } from '../service/fetch-list';
import type { Patience } from '../service/retry-rules';
import { sendHttpRequest, type RequestContext } from '../service/send';
import { sendWithRetries } from '../service/send-with-retries';
import type { Account } from '../model/types';
import type { Answer, Failure } from '../model/failure';

/** Activation and deactivation hold a person up: short waits, few tries. In milliseconds. */
const TIMEOUT_MS = 10_000;
const PATIENCE: Patience = { maxTries: 4, retryTimeMs: 6_000, repeatsWrites: true };

/** A webhook that is set or switched twice is as it was after the first time; one that is made twice is two. */
const EFFECTS = { GET: 'reads', POST: 'writesOnce', PUT: 'repeatsSafely' } as const;

/** "No such URL" of the platform (service.md#codes). */
const NO_SUCH_PATH = 7;

/**
 * Whether the service itself says that a path does not exist: the account was not given the paths to manage webhooks, or
 * the webhook is not there. A 404 without the service's code can come from a proxy or a wrong base URL.
 */
export const isUnknownPath = ({ code }: Failure) => code === NO_SUCH_PATH;

/**
 * The webhook paths of the service (service.md#webhooks), for one account. No call throws for what happens on the
 * wire.
 */
export class WebhookService {
  constructor(
    private readonly context: RequestContext,
    private readonly account: Account,
  ) {}

  /** All webhooks of the account, or why they can't be listed. */
  async list(): Promise<IDataObject[] | Failure> {
    const result = await fetchList({ identity: 'webhook_id', fields: [] }, undefined, async (page, count) =>
      this.request('GET', '/platform/webhook', { query: { page, count } }),
    );
    return 'ok' in result ? result.failure : result.records;
  }

  /** Not repeated when its outcome is unknown: the service would make a second webhook. */
  async create(body: IDataObject): Promise<Answer> {
    return await this.request('POST', '/platform/webhook', { body });
  }

  async update(webhookId: number, body: IDataObject): Promise<Answer> {
    return await this.request('PUT', `/platform/webhook/${webhookId}`, { body });
  }

  async enable(webhookId: number): Promise<Answer> {
    return await this.request('PUT', `/platform/webhook/${webhookId}/enable`);
  }

  async disable(webhookId: number): Promise<Answer> {
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

/**
 * What makes n8n register a webhook anew, in both versions: n8n 2 skips what has not changed since it was published
 * (n8n.md#webhook-lifecycle).
 */
export const AGAIN = 'Then deactivate the workflow and activate it again (in n8n 2: unpublish and publish it).';

const WAIT = 'Wait a minute.';

/**
 * The error with which an activation fails: what was tried, the service's own words, and what to do.
 * @param doing e.g. "register the webhook".
 */
export function registrationError(
  node: INode,
  doing: string,
  { message, advice: given, said, httpStatus }: Failure,
): NodeApiError {
  // The next activation cleans up what this one made, and a trigger sends no items.
  const advice = withoutLookUp(given, WAIT).replace(FEWER_AT_ONCE, WAIT);
  const text = `The service did not ${doing}: ${message}`;
  const own = said === undefined ? '' : `The service said: ${said}`;
  const error = new NodeApiError(
    node,
    { message: text },
    {
      message: text,
      description: [advice, hint(message), AGAIN].filter(Boolean).join(' '),
      httpCode: httpStatus === undefined ? undefined : String(httpStatus),
    },
  );
  // n8n replaces messages in which it finds the name of a system error (n8n.md#items-and-errors); ours says it
  // already, and better.
  error.message = [text, advice.replace(/\.$/, ''), own].filter(Boolean).join('. ');
  error.messages = [];
  return error;
}

/** On a refused value the message names the field (service.md#families). */
function hint(message: string): string {
  if (/notification_url/.test(message))
    return "Set n8n's environment variable WEBHOOK_URL to the public address of this n8n, which begins with https://, and restart n8n.";
  if (/events/.test(message)) return 'Correct "Other Event Names": the service takes the names that it knows only.';
  if (/webhook_node/.test(message)) return 'Correct the option "Watched Merchant ID".';
  if (/email_address/.test(message)) return 'Correct the option "Email Addresses".';
  return '';
}
