import type { IHookFunctions } from 'n8n-workflow';

import type { WebhookService } from './service';
import type { TriggerState } from './state';
import type { Target } from './target';

/** Objects that a webhook method of the trigger needs in one call. */
export interface HookContext {
  context: IHookFunctions;
  state: TriggerState;
  target: Target;
  service: WebhookService;
}

/** Writes a message to n8n's log with the workflow ID and the node name. */
export function log(context: IHookFunctions, level: 'warn' | 'error', message: string): void {
  const { id: workflowId } = context.getWorkflow();
  context.logger[level](`Payment Platform Trigger: ${message}`, { workflowId, node: context.getNode().name });
}
