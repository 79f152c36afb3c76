import { createHash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, runIndexOf, isTool, storedStart } from '../n8n/lineage';

/** Name of the seed in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformReferences';
/** Number of hexadecimal digits. With 80 bits, two items are very unlikely to get the same reference. */
const LENGTH = 20;

/** Maximum number of entries in `owners`. */
const MOST_STARTS = 10_000;
/** Owner of each start time: the first execution of this n8n process that started at that time. */
const owners = new Map<string, string>();

/**
 * Returns a reference of 20 uppercase letters and digits for an item. Each attempt of the item gets the same reference,
 * because the reference depends on the start of the execution, the node and the item. If the start can change or isn't
 * unique, the reference depends on a random seed instead. n8n stores the seed with the execution's result.
 */
export function makeReference(context: IExecuteFunctions, itemIndex: number): string {
  const isCall = isTool(context.getNode());
  // Several calls of a tool can run at the same time, so the node uses n8n's run index instead of the round.
  const round = isCall ? runIndexOf(context) : currentRound(context).number;
  const kept: Kept = context.getContext('node');
  const origin = kept[CONTEXT_KEY] ?? (isCall ? undefined : originOf(context, itemIndex)) ?? newSeed(kept);
  const hash = createHash('sha256').update(`${origin} ${round} ${itemIndex}`).digest('hex');
  return hash.slice(0, LENGTH).toUpperCase();
}

/**
 * Returns the source of the reference, or `undefined` if the node needs a random seed. The source includes the item's
 * content, because executions in two n8n processes can start in the same millisecond.
 */
function originOf(context: IExecuteFunctions, itemIndex: number): string | undefined {
  const start = storedStart(context);
  if (start === undefined || !ownsStart(context, start)) return undefined;
  const content = [context.getWorkflow().id, context.getNode().id, start, context.getInputData()[itemIndex]?.json];
  return JSON.stringify(content);
}

/**
 * Returns whether the execution may derive references from the start time. Only the first execution with a start time
 * and its retries may do so.
 */
function ownsStart(context: IExecuteFunctions, start: number): boolean {
  if (context.getMode() === 'retry') return true;
  const key = JSON.stringify([context.getWorkflow().id, context.getNode().id, start]);
  const own = context.getExecutionId();
  const owner = owners.get(key) ?? own;
  owners.set(key, owner);
  const [oldest = key] = owners.keys();
  if (owners.size > MOST_STARTS) owners.delete(oldest);
  return owner === own;
}

type Kept = { [CONTEXT_KEY]?: string };

const newSeed = (kept: Kept): string => (kept[CONTEXT_KEY] = randomBytes(12).toString('base64url'));
