import { createHash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, runIndexOf, isTool, storedStart } from '../n8n/lineage';

/** Name of the seed in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformReferences';
/** Number of hexadecimal digits. With 80 bits, two items are very unlikely to get the same reference. */
const LENGTH = 20;

const MOST_STARTS = 10_000;
/** First execution in this n8n process, by workflow, node and start time. */
const owners = new Map<string, string>();

/**
 * Returns a reference of 20 uppercase letters and digits for an item. Each attempt at the item gets the same reference,
 * because it depends on the item, the node and the execution's start. In a tool, or if the start can change or isn't
 * unique, the reference depends on a random seed, which n8n stores with the execution and loses if it is killed.
 */
export function makeReference(context: IExecuteFunctions, itemIndex: number): string {
  const isCall = isTool(context.getNode());
  // Several tool calls can run at the same time, so each call uses its run index.
  const round = isCall ? runIndexOf(context) : currentRound(context).number;
  const kept: Kept = context.getContext('node');
  const origin = kept[CONTEXT_KEY] ?? (isCall ? undefined : originOf(context, itemIndex)) ?? newSeed(kept);
  const hash = createHash('sha256').update(`${origin} ${round} ${itemIndex}`).digest('hex');
  return hash.slice(0, LENGTH).toUpperCase();
}

/**
 * Returns the text to hash, or `undefined` if the node needs a random seed. The text includes the item's content,
 * because executions in two n8n processes can start in the same millisecond.
 */
function originOf(context: IExecuteFunctions, itemIndex: number): string | undefined {
  const start = storedStart(context);
  if (start === undefined || !ownsStart(context, start)) return undefined;
  const content = [context.getWorkflow().id, context.getNode().id, start, context.getInputData()[itemIndex]?.json];
  return JSON.stringify(content);
}

/** Returns whether this execution is a retry, or the first execution with its start time. */
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
