import { type IDataObject, type IWebhookFunctions, type IWebhookResponseData, sleep } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { PROBE_EVENT } from '../fields/events';
import { maskRecord } from '../messages/scrubber';
import { asText } from '../shared/objects';
import { type DeliveryRefusal, type Payload, deliveryIdentity } from './delivery';
import { DeliveryDedup, PROCESS_ID, responseOf } from './delivery-dedup';
import { readReceiveOptions } from './description';
import { filterPayload } from './filters';
import { TriggerState } from './state';
import type { Registration } from './stored-data';
import { type Call, verify } from './verify';

/** By this time, n8n has normally stored an execution of another process (queue mode). */
const STORED_AFTER_MS = 1_500;
/** By this time, an execution in this process normally starts. */
const BEGUN_AFTER_MS = 30_000;

type Say = (status: 200 | 503) => void;
const waiting = new Map<string, Say>();
let runsHere = false;

/** `answerId` is set if the execution must respond instead of n8n. */
export type DeliveryAnswer = Pick<IWebhookResponseData, 'webhookResponse' | 'noWebhookResponse'> & {
  answerId?: string;
};

/**
 * n8n 2 responds after storing the execution. n8n 1 would respond earlier, and a crash would lose the event, so with
 * n8n 1 the execution responds, or a timer in queue mode.
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

/** Has no effect if the call already has a response. */
export function acknowledge(answerId: string | undefined): void {
  const say = answerId === undefined ? undefined : waiting.get(answerId);
  if (!say) return;
  runsHere = true;
  say(200);
}

/** Minimum time between two reports of a problem. */
const TOLD_AGAIN_MS = 60 * 60 * 1000;
const toldAt = new Map<string, number>();

/** A call or the schedule passes this data to its execution. */
export interface Handover {
  /** Whether the execution catches up. */
  isCatchUp?: boolean;
  /** Defaults to the webhook. */
  source?: 'catch_up';
  id?: string;
  receivedBy: string;
  isTest?: boolean;
  /** Missing if n8n responds. */
  answerId?: string;
  receivedAt: string;
  /** Masked, because n8n stores the payload. */
  payload?: Payload;
  webhookId?: string;
  environment?: Registration['environment'];
  account?: string;
  notices: string[];
  problem?: string;
}

/**
 * Rejects a call that isn't from the service (401), is too large (413) or contains no event (400). Acknowledges probes
 * and copies without starting an execution.
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
  const passing = filterPayload(payload, call.options.passes);
  if (!passing) return answer({ ignored: true });
  const id = deliveryIdentity(rawBody ?? Buffer.alloc(0));
  const response = responseOf(context);
  if (!(await DeliveryDedup.of(state.runKey).claim(id, response))) return answer({ duplicate: true });
  const { answerId, ...stored } = answerOnceStored(context);
  return {
    ...stored,
    ...handOver(state, {
      id,
      answerId,
      payload: maskRecord(passing),
      webhookId: registration?.webhook_id,
      environment: registration?.environment,
      account: registration?.account,
    }),
  };
}

function handOver(state: TriggerState, about: Partial<Handover>): Pick<IWebhookResponseData, 'workflowData'> {
  const notices = [
    ...state.notices,
    ...(state.managementUnavailable
      ? ["This account can't list, change or disable webhooks. Switch them off in the merchant portal."]
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

function refuse({ context, state, rawBody }: Call, { status, reason, problem }: DeliveryRefusal): IWebhookResponseData {
  context.logger.warn(`Payment Platform Trigger: a delivery was rejected with status ${status}, because ${reason}`, {
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
