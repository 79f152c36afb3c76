import type { IHookFunctions } from 'n8n-workflow';

import { nodeKeyOf } from './state';

/** n8n takes an activation back within milliseconds of its failure (n8n.md#webhook-lifecycle). */
const TAKES_BACK_MS = 3_000;

interface FailedActivation {
  atMs: number;
  /** The nodes whose webhook n8n has asked to remove since. */
  nodes: Set<string>;
}

const failed = new Map<string, FailedActivation>();

const workflowOf = (context: IHookFunctions) => `${context.getInstanceId()} ${String(context.getWorkflow().id)}`;

/** Notes that the activation of a workflow is about to fail: n8n will ask all of its triggers to remove their webhooks. */
function noteFailure(context: IHookFunctions): void {
  failed.set(workflowOf(context), { atMs: Date.now(), nodes: new Set() });
}

/** Whether n8n asks for the removal because an activation failed, and nobody deactivated the workflow. Asked once each. */
export function tookBack(context: IHookFunctions): boolean {
  const failure = failed.get(workflowOf(context));
  if (!failure || failure.atMs < Date.now() - TAKES_BACK_MS || failure.nodes.has(nodeKeyOf(context))) return false;
  failure.nodes.add(nodeKeyOf(context));
  return true;
}

/** Runs a step of an activation, and notes when it fails. */
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
