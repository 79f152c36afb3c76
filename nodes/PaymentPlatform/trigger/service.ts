import type { IDataObject } from 'n8n-workflow';

import { fetchList } from '../pipeline/fetch-list';
import type { Patience } from '../pipeline/retry';
import { send, type RequestContext } from '../pipeline/send';
import { sendUntilItStands } from '../pipeline/tries';
import type { Account, Answer, Failure } from '../pipeline/types';

/** Activation and deactivation hold a person up: short waits, few tries. In milliseconds. */
const TIMEOUT_MS = 10_000;
const PATIENCE: Patience = { maxTries: 4, retryTimeMs: 6_000, repeatsWrites: true };

/** A webhook that is set or switched twice is as it was after the first time; one that is made twice is two. */
const EFFECTS = { GET: 'reads', POST: 'writesOnce', PUT: 'repeatsSafely' } as const;

/** "No such URL" of the platform (docs/service.md#codes). */
const NO_SUCH_PATH = 7;

/**
 * Whether the service itself says that a path does not exist: the account was not given the paths to manage webhooks, or
 * the webhook is not there. A 404 without the service's code can come from a proxy or a wrong base URL.
 */
export const isUnknownPath = ({ code }: Failure) => code === NO_SUCH_PATH;

/**
 * The webhook paths of the service (docs/service.md#webhooks), for one account. No call throws for what happens on the
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
    return await sendUntilItStands(
      { effect, patience: PATIENCE },
      async () => await send(this.context, this.account, request),
    );
  }
}
