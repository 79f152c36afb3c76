import { randomUUID } from 'node:crypto';

import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

import { responseOf } from './once';

/** In queue mode another process runs the execution; by then it is stored, in milliseconds. */
const STORED_AFTER_MS = 1_000;

const waiting = new Map<string, () => void>();

/** What a call is answered, and what the execution needs to answer it in n8n's place. */
export type Answer = Pick<IWebhookResponseData, 'webhookResponse' | 'noWebhookResponse'> & { answerId?: string };

/**
 * The answer to a call that starts an execution. n8n 2 gives it once the execution is stored. n8n 1 would give it
 * before: a process killed in between loses an event that the service counts as delivered. There, the execution answers
 * as soon as it begins (`acknowledge`), or this process a moment later. Of a version that can't be told the safe way is
 * taken.
 */
export function answerOnceStored(context: IWebhookFunctions): Answer {
  const webhookResponse = { received: true };
  const host: object = context;
  if ('getWebhookResourceUrl' in host) return { webhookResponse };
  const response = responseOf(context);
  const answerId = randomUUID();
  waiting.set(answerId, () => {
    waiting.delete(answerId);
    if (!response.writableEnded) response.status(200).json(webhookResponse);
  });
  void sleep(STORED_AFTER_MS).then(() => acknowledge(answerId));
  return { noWebhookResponse: true, answerId };
}

/** Answers the call, if that has not been done. */
export function acknowledge(answerId: string | undefined): void {
  if (answerId !== undefined) waiting.get(answerId)?.();
}
