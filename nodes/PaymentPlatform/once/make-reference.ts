import { createHash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, runIndexOf } from '../n8n/count-rounds';
import { isTool } from '../n8n/lineage';

/** The node's context keeps the seed under this name. n8n stores the context with the execution. */
const CONTEXT_KEY = 'paymentPlatformReferences';
/** 80 bits, so that no two items of an account get the same reference. */
const LENGTH = 20;

/**
 * Returns a reference for an item, 20 capital letters and digits. It depends on a random seed of the node in the execution
 * and on the item's place. So each attempt of the item gets the same reference, also in a retry of the execution.
 */
export function makeReference(context: IExecuteFunctions, itemIndex: number): string {
  const kept: { [CONTEXT_KEY]?: string } = context.getContext('node');
  const seed = (kept[CONTEXT_KEY] ??= randomBytes(12).toString('base64url'));
  // Calls of a tool are not counted as rounds, because several calls can run at once.
  const round = isTool(context.getNode()) ? runIndexOf(context) : currentRound(context).number;
  const hash = createHash('sha256').update(`${seed} ${round} ${itemIndex}`).digest('hex');
  return hash.slice(0, LENGTH).toUpperCase();
}
