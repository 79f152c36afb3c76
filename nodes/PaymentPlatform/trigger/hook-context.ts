import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { WebhookService } from './service';
import { TriggerState } from './state';
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
