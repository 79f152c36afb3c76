import { createHash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, runIndexOf } from '../n8n/count-rounds';
import { isTool } from '../n8n/lineage';

/** Where the node's context keeps it: n8n stores the context with the execution and hands it to every further try. */
const CONTEXT_KEY = 'paymentPlatformReferences';
/** 80 bits: no two items of an account ever meet. */
const LENGTH = 20;

/**
 * A reference for one item, of 20 capital letters and digits. It comes from chance that is drawn once for the node in an
 * execution, and from the place of the item: each further try of the item, in a retry of the execution too, has it again.
 */
export function makeReference(context: IExecuteFunctions, itemIndex: number): string {
  const kept: { [CONTEXT_KEY]?: string } = context.getContext('node');
  const seed = (kept[CONTEXT_KEY] ??= randomBytes(12).toString('base64url'));
  // The calls of a tool are no rounds: several can be under way at once.
  const round = isTool(context.getNode()) ? runIndexOf(context) : currentRound(context).number;
  const hash = createHash('sha256').update(`${seed} ${round} ${itemIndex}`).digest('hex');
  return hash.slice(0, LENGTH).toUpperCase();
}
