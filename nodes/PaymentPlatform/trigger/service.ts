import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { fetchList } from '../pipeline/fetch-list';
import { isRepeatable, retryDelayMs } from '../pipeline/retry';
import { send, type RequestContext } from '../pipeline/send';
import type { Account, Answer, Failure, RunOptions } from '../pipeline/types';

/** Activation and deactivation hold a person up: short waits, few tries. */
const PATIENCE: RunOptions = {
  maxParallelRequests: 1,
  timeoutMs: 10_000,
  maxTries: 4,
  retryTimeMs: 6_000,
};

/** "No such URL" of the platform (docs/service.md#codes). */
const NO_SUCH_PATH = 7;

/** An account that was not given the paths to manage webhooks, or a webhook that is not there. */
export const isNotFound = ({ httpStatus, code }: Failure) => httpStatus === 404 || code === NO_SUCH_PATH;

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
    method: IHttpRequestMethods,
    path: string,
    { query = {}, body }: { query?: IDataObject; body?: IDataObject } = {},
  ): Promise<Answer> {
    const began = Date.now();
    // Everything but POST leaves the same state behind when it is repeated.
    const effect = method === 'POST' ? 'writesOnce' : 'reads';
    for (let tries = 1; ; tries++) {
      const answer = await send(this.context, this.account, {
        method,
        path,
        family: 'platform',
        query,
        ...(body && { body }),
        timeoutMs: PATIENCE.timeoutMs,
      });
      if (answer.ok || !isRepeatable(effect, answer.failure)) return answer;
      const delayMs = retryDelayMs(answer.failure, tries, Date.now() - began, PATIENCE);
      if (delayMs === undefined) return { ok: false, failure: { ...answer.failure, tries } };
      await sleep(delayMs);
    }
  }
}
