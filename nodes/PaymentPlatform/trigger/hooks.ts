import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { WebhookService } from './service';
import { nodeKeyOf, TriggerState } from './state';
import type { Registration } from './stored-data';
import { checkAddress, readTarget, type Target, type WebhookPlace } from './target';

export interface HookContext {
  context: IHookFunctions;
  state: TriggerState;
  target: WebhookPlace;
  service: WebhookService;
}

export interface ActivationContext extends HookContext {
  target: Target;
}

/** Adds the workflow ID and the node name to the message. */
export function log(context: IHookFunctions, level: 'warn' | 'error', message: string): void {
  const { id: workflowId } = context.getWorkflow();
  context.logger[level](`Payment Platform Trigger: ${message}`, { workflowId, node: context.getNode().name });
}

/**
 * If the credential is invalid when n8n starts, keeps the webhook. After an error, n8n would respond to deliveries with
 * 404, and the trigger could not report the reason.
 */
export async function beginUnlessStarting(context: IHookFunctions): Promise<ActivationContext | undefined> {
  const url = context.getNodeWebhookUrl('default') ?? '';
  const isRegistered = ({ active, notification_url }: Registration) => active && notification_url === url;
  const isStarting = context.getActivationMode() === 'init';
  if (!isStarting || !TriggerState.open(context, url).list().some(isRegistered)) return await beginActivation(context);
  return await beginActivation(context).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "n8n can't read the credential";
    log(context, 'error', `The trigger could not check the webhook when n8n started: ${reason}`);
    return undefined;
  });
}

/** @throws NodeOperationError if a parameter, the credential or the webhook URL is invalid. */
export async function beginActivation(context: IHookFunctions): Promise<ActivationContext> {
  const url = context.getNodeWebhookUrl('default');
  if (url === undefined) throw new NodeOperationError(context.getNode(), 'n8n has no webhook URL for this node');
  const state = TriggerState.open(context, url);
  state.noteUrl(url);
  const target = await readTarget(context, url, state.kind);
  checkAddress(target, context.getNode());
  return { context, state, target, service: new WebhookService(context, target.account) };
}

/** Last hook of each node, which resolves at its end. */
const lastOf = new Map<string, Promise<unknown>>();

/**
 * Runs a node's hooks one after the other. Otherwise, two activations would disable each other's webhook, and an
 * activation could create a webhook after a deactivation.
 */
export async function inTurn<Result>(context: IHookFunctions, hook: () => Promise<Result>): Promise<Result> {
  const key = nodeKeyOf(context);
  const turn = (lastOf.get(key) ?? Promise.resolve()).then(hook);
  const end = turn.catch(() => undefined);
  lastOf.set(key, end);
  await end;
  if (lastOf.get(key) === end) lastOf.delete(key);
  return await turn;
}

/** Maximum time between a failed activation and n8n's requests to remove the webhooks (n8n.md#webhook-lifecycle). */
const TAKES_BACK_MS = 3_000;

/** Includes the nodes whose webhook n8n has asked to remove since then. */
export interface FailedActivation {
  /** Time of the failure or of the last removal because of it. */
  atMs: number;
  nodes: Set<string>;
}

const failed = new Map<string, FailedActivation[]>();

const workflowOf = (context: IHookFunctions) => `${context.getInstanceId()} ${String(context.getWorkflow().id)}`;

/** One of these failures may be the reason if n8n now removes a webhook. */
export const recentFailures = (context: IHookFunctions): FailedActivation[] =>
  (failed.get(workflowOf(context)) ?? []).filter(({ atMs }) => atMs >= Date.now() - TAKES_BACK_MS);

/** After a failed activation, n8n asks all triggers of the workflow to remove their webhooks. */
function noteFailure(context: IHookFunctions): void {
  const failure = { atMs: Date.now(), nodes: new Set<string>() };
  failed.set(workflowOf(context), [...recentFailures(context), failure]);
}

/**
 * Runs `undo` once per node and failure if n8n removes a webhook because an activation failed, and not because a user
 * deactivated the workflow. n8n asks the next node when `undo` has ended.
 * @param failures recent failures when n8n called the hook.
 * @returns `undefined` if a user deactivated the workflow.
 */
export async function takeBack<Result>(
  context: IHookFunctions,
  failures: FailedActivation[],
  undo: () => Promise<Result>,
): Promise<Result | undefined> {
  const node = nodeKeyOf(context);
  const failure = failures.find(({ nodes }) => !nodes.has(node));
  if (!failure) return undefined;
  failure.nodes.add(node);
  const result = await undo();
  failure.atMs = Date.now();
  return result;
}

/** Records a failure of the step. */
export async function activating<Result>(context: IHookFunctions, step: () => Promise<Result>): Promise<Result> {
  let isDone = false;
  try {
    const result = await step();
    isDone = true;
    return result;
  } finally {
    if (!isDone && context.getMode() !== 'manual') noteFailure(context);
  }
}
