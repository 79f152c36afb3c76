import { createHash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, runIndexOf } from '../n8n/count-rounds';
import { isTool, storedStart } from '../n8n/lineage';

/** The node's context keeps the seed under this name. n8n stores the context with the execution. */
const CONTEXT_KEY = 'paymentPlatformReferences';
/** 80 bits, so that no two items of an account get the same reference. */
const LENGTH = 20;

/** Most executions whose start the node remembers. An execution of any age can reach the node. */
const MOST_STARTS = 10_000;
/** Executions that began at each start, in this n8n process. The first one owns the references of that start. */
const owners = new Map<string, string>();

/**
 * Returns a reference for an item, 20 capital letters and digits. It depends on the start of the execution, on the node
 * and on the item, so each attempt of the item gets the same reference. If n8n would lose the start with a kill, or if another
 * execution began at the same start, the reference depends on a random seed instead. n8n stores the seed with the
 * execution's result.
 */
export function makeReference(context: IExecuteFunctions, itemIndex: number): string {
  const isCall = isTool(context.getNode());
  // Calls of a tool are not counted as rounds, because several calls can run at once.
  const round = isCall ? runIndexOf(context) : currentRound(context).number;
  const kept: Kept = context.getContext('node');
  const origin = kept[CONTEXT_KEY] ?? (isCall ? undefined : originOf(context, itemIndex)) ?? newSeed(kept);
  const hash = createHash('sha256').update(`${origin} ${round} ${itemIndex}`).digest('hex');
  return hash.slice(0, LENGTH).toUpperCase();
}

/** In two n8n processes, executions can begin in the same millisecond, so the content of the item counts too. */
function originOf(context: IExecuteFunctions, itemIndex: number): string | undefined {
  const start = storedStart(context);
  if (start === undefined || !ownsStart(context, start)) return undefined;
  const content = [context.getWorkflow().id, context.getNode().id, start, context.getInputData()[itemIndex]?.json];
  return JSON.stringify(content);
}

/** A retry has the start of an earlier execution but not its ID, so n8n's context decides for it. */
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
