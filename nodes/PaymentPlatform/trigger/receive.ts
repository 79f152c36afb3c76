import { type IDataObject, type IWebhookFunctions, type IWebhookResponseData, sleep } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { PROBE_EVENT } from '../fields/events';
import { maskRecord } from '../messages/scrubber';
import { keepable } from '../model/write-memory';
import { asText } from '../shared/objects';
import { type DeliveryRefusal, type Payload, deliveryIdentity } from './delivery';
import { DeliveryDedup, PROCESS_ID, responseOf } from './delivery-dedup';
import { readReceiveOptions } from './description';
import { type Registration, TriggerState } from './state';
import { type Call, verify } from './verify';

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

/** How often the same problem is told, in milliseconds. */
const TOLD_AGAIN_MS = 60 * 60 * 1000;
const toldAt = new Map<string, number>();

/** What a call hands to the execution that it starts (emit.ts). */
export interface Handover {
  /** Identity of the delivery; none for a problem. */
  id?: string;
  /** The process that received it. */
  receivedBy: string;
  /** Whether it belongs to a test run in the editor, which shares nothing with the published workflow. */
  isTest?: boolean;
  /** By which the execution answers the call, where n8n does not. */
  answerId?: string;
  receivedAt: string;
  /** Masked as records are: n8n stores what a call hands over. */
  payload?: Payload;
  webhookId?: number;
  environment?: Registration['environment'];
  /** The account that the event is from, as accountKey (state.ts) tells it. */
  account?: string;
  notices: string[];
  problem?: string;
}

/**
 * Takes a call: refuses what is not from the service (401), too large (413) or no event (400), answers probes and
 * repetitions without emitting, and hands the rest to an execution. n8n answers 200 once it has taken that over, before
 * the workflow's work, and an error otherwise.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const state = TriggerState.open(context, context.getNodeWebhookUrl('default') ?? '');
  state.restore();
  const { rawBody } = context.getRequestObject() as { rawBody?: Buffer };
  const call: Call = { context, options: readReceiveOptions(context), state, rawBody };
  const verified = await verify(call);
  if ('refusal' in verified) return refuse(call, verified.refusal);
  const { payload, registration } = verified;
  if (payload.event === PROBE_EVENT) return answer();
  if (call.options.events && !call.options.events.includes(asText(payload.event))) return answer({ ignored: true });
  const id = deliveryIdentity(rawBody ?? Buffer.alloc(0));
  const response = responseOf(context);
  if (!(await DeliveryDedup.of(state.runKey).claim(id, response))) return answer({ duplicate: true });
  const { answerId, ...stored } = answerOnceStored(context);
  return {
    ...stored,
    ...handOver(state, {
      id,
      answerId,
      payload: withoutSecrets(payload),
      webhookId: registration?.webhook_id,
      environment: registration?.environment,
      account: registration?.account,
    }),
  };
}

/** Returns the payload with numbers masked, and without keys and passwords. */
const withoutSecrets = (payload: Payload): Payload | undefined => keepable([maskRecord(payload)]).records[0];

function handOver(state: TriggerState, about: Partial<Handover>): Pick<IWebhookResponseData, 'workflowData'> {
  const notices = [
    ...state.notices,
    ...(state.managementUnavailable
      ? ['This account can not list, change or disable webhooks; switch them off in the merchant portal.']
      : []),
  ];
  const isTest = state.kind === 'test';
  const receivedAt = new Date().toISOString();
  const handover: Handover = { receivedBy: PROCESS_ID, isTest, receivedAt, notices, ...about };
  return { workflowData: [[{ json: { delivery: { ...handover } } }]] };
}

function answer(more: IDataObject = {}): IWebhookResponseData {
  return { webhookResponse: { received: true, ...more } };
}

/** Answers the refusal. A problem that only a person can solve starts an execution, which fails with it. */
function refuse({ context, state, rawBody }: Call, { status, reason, problem }: DeliveryRefusal): IWebhookResponseData {
  context.logger.warn(`Payment Platform Trigger: a call was refused with ${status}: ${reason}`, {
    workflowId: context.getWorkflow().id,
    node: context.getNode().name,
    bytes: rawBody?.length ?? 0,
  });
  const response = responseOf(context);
  if (status === 401) response.setHeader('www-authenticate', 'Basic realm="webhook"');
  if (status === 503) response.setHeader('retry-after', '5');
  response.status(status).json({ received: false, reason });
  const told = problem !== undefined && isNews(`${state.runKey} ${problem}`);
  return { noWebhookResponse: true, ...(told && handOver(state, { problem })) };
}

function isNews(problem: string): boolean {
  const before = toldAt.get(problem) ?? 0;
  if (before > Date.now() - TOLD_AGAIN_MS) return false;
  toldAt.set(problem, Date.now());
  return true;
}
