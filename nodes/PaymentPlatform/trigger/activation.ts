import type { IHookFunctions } from 'n8n-workflow';

import { nodeKeyOf } from './state';

/**
 * Maximum time between a failed activation and n8n's requests to remove the webhooks, in milliseconds
 * (n8n.md#webhook-lifecycle).
 */
const TAKES_BACK_MS = 3_000;

interface FailedActivation {
  atMs: number;
  nodes: Set<string>;
}

const failed = new Map<string, FailedActivation>();

const workflowOf = (context: IHookFunctions) => `${context.getInstanceId()} ${String(context.getWorkflow().id)}`;

/** After a failed activation, n8n asks all triggers of the workflow to remove their webhooks. */
function noteFailure(context: IHookFunctions): void {
  failed.set(workflowOf(context), { atMs: Date.now(), nodes: new Set() });
}

/**
 * Returns whether n8n removes a webhook because an activation failed, and not because a user deactivated the workflow.
 * Returns true once per node and failure.
 */
export function tookBack(context: IHookFunctions): boolean {
  const failure = failed.get(workflowOf(context));
  if (!failure || failure.atMs < Date.now() - TAKES_BACK_MS || failure.nodes.has(nodeKeyOf(context))) return false;
  failure.nodes.add(nodeKeyOf(context));
  return true;
}

/** Runs a step of an activation. If the step fails, records the failure. */
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
