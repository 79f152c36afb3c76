import { createHash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, runIndexOf, isTool, storedStart } from '../n8n/lineage';

/** Name of the seed in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformReferences';
/** 80 bits, so that no two items of an account get the same reference. */
const LENGTH = 20;

/** Maximum number of executions whose start the node remembers. */
const MOST_STARTS = 10_000;
/**
 * Executions of this n8n process by start time. The first execution at a start time owns the references of that time.
 */
const owners = new Map<string, string>();

/**
 * Returns a reference of 20 uppercase letters and digits for an item. It depends on the start of the execution, the
 * node and the item, so each attempt of the item gets the same reference. If n8n would lose the start in a kill, or if
 * another execution began at the same time, the reference depends on a random seed instead. n8n stores the seed with
 * the execution's result.
 */
export function makeReference(context: IExecuteFunctions, itemIndex: number): string {
  const isCall = isTool(context.getNode());
  // Calls of a tool are not counted as rounds, because several calls can run at the same time.
  const round = isCall ? runIndexOf(context) : currentRound(context).number;
  const kept: Kept = context.getContext('node');
  const origin = kept[CONTEXT_KEY] ?? (isCall ? undefined : originOf(context, itemIndex)) ?? newSeed(kept);
  const hash = createHash('sha256').update(`${origin} ${round} ${itemIndex}`).digest('hex');
  return hash.slice(0, LENGTH).toUpperCase();
}

/**
 * Executions in two n8n processes can begin in the same millisecond, so the reference also depends on the content of
 * the item.
 */
function originOf(context: IExecuteFunctions, itemIndex: number): string | undefined {
  const start = storedStart(context);
  if (start === undefined || !ownsStart(context, start)) return undefined;
  const content = [context.getWorkflow().id, context.getNode().id, start, context.getInputData()[itemIndex]?.json];
  return JSON.stringify(content);
}

/**
 * A retry has the start time of an earlier execution but another ID, so only n8n's context shows that it is a retry.
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
