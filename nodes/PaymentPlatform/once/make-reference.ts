import { createHash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, runIndexOf } from '../n8n/count-rounds';
import { isTool, storedStart } from '../n8n/lineage';

/** The node's context keeps the seed under this name. n8n stores the context with the execution. */
const CONTEXT_KEY = 'paymentPlatformReferences';
/** 80 bits, so that no two items of an account get the same reference. */
const LENGTH = 20;

/**
 * Returns a reference for an item, 20 capital letters and digits. It depends on the start of the execution, on the node
 * and on the item, so each attempt of the item gets the same reference. If n8n would lose the start with a kill, it depends on
 * a random seed instead, which n8n stores with the execution's result.
 */
export function makeReference(context: IExecuteFunctions, itemIndex: number): string {
  const isCall = isTool(context.getNode());
  // Calls of a tool are not counted as rounds, because several calls can run at once.
  const round = isCall ? runIndexOf(context) : currentRound(context).number;
  const origin = (isCall ? undefined : originOf(context, itemIndex)) ?? seedOf(context);
  const hash = createHash('sha256').update(`${origin} ${round} ${itemIndex}`).digest('hex');
  return hash.slice(0, LENGTH).toUpperCase();
}

/** Two executions can begin in the same millisecond, so the content of the item counts too. */
function originOf(context: IExecuteFunctions, itemIndex: number): string | undefined {
  const start = storedStart(context);
  const content = [context.getWorkflow().id, context.getNode().id, start, context.getInputData()[itemIndex]?.json];
  return start === undefined ? undefined : JSON.stringify(content);
}

function seedOf(context: IExecuteFunctions): string {
  const kept: { [CONTEXT_KEY]?: string } = context.getContext('node');
  return (kept[CONTEXT_KEY] ??= randomBytes(12).toString('base64url'));
}
