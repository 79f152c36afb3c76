import { randomUUID } from 'node:crypto';

import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

import { responseOf } from './delivery-dedup';

/** In queue mode another process runs the execution; by then it is stored, in milliseconds. */
const STORED_AFTER_MS = 1_500;
/** Where this process runs the executions: one that has not begun by then may never have been stored. */
const BEGUN_AFTER_MS = 30_000;

type Say = (status: 200 | 503) => void;
const waiting = new Map<string, Say>();
/** Whether an execution has begun in the process that took its call: it then always does. */
let runsHere = false;

/** What a call is answered, and what the execution needs to answer it in n8n's place. */
export type DeliveryAnswer = Pick<IWebhookResponseData, 'webhookResponse' | 'noWebhookResponse'> & {
  answerId?: string;
};

/**
 * The answer to a call that starts an execution. n8n 2 gives it once the execution is stored. n8n 1 would give it
 * before: a process killed in between loses an event that the service counts as delivered. There, the execution answers
 * as soon as it begins (`acknowledge`), or, where another process runs it, this one a moment later. Of a version that can't be told the safe way is
 * taken.
 */
export function answerOnceStored(context: IWebhookFunctions): DeliveryAnswer {
  const webhookResponse = { received: true };
  const host: object = context;
  if ('getWebhookResourceUrl' in host) return { webhookResponse };
  const response = responseOf(context);
  const answerId = randomUUID();
  waiting.set(answerId, (status) => {
    waiting.delete(answerId);
    if (response.writableEnded) return;
    if (status === 503) response.setHeader('retry-after', '5');
    response.status(status).json({ received: status === 200 });
  });
  void sleep(STORED_AFTER_MS).then(async () => {
    if (!runsHere) return waiting.get(answerId)?.(200);
    await sleep(BEGUN_AFTER_MS);
    waiting.get(answerId)?.(503);
  });
  return { noWebhookResponse: true, answerId };
}

/** Answers the call of an execution that begins, if that has not been done. */
export function acknowledge(answerId: string | undefined): void {
  const say = answerId === undefined ? undefined : waiting.get(answerId);
  if (!say) return;
  runsHere = true;
  say(200);
}
