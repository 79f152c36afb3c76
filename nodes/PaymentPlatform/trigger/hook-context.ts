import type { IHookFunctions } from 'n8n-workflow';

import type { WebhookService } from './service';
import type { TriggerState } from './state';
import type { Target } from './target';

/** What one call of a webhook method works with. */
export interface HookContext {
  context: IHookFunctions;
  state: TriggerState;
  target: Target;
  service: WebhookService;
}

/** Writes to n8n's log, with the workflow and the node that it is about. */
export function log(context: IHookFunctions, level: 'warn' | 'error', message: string): void {
  const { id: workflowId } = context.getWorkflow();
  context.logger[level](`Payment Platform Trigger: ${message}`, { workflowId, node: context.getNode().name });
}
