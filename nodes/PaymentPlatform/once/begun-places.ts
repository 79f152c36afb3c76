import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, isSaved, lineageOf } from '../n8n/lineage';
import { KeyRow } from '../n8n/key-row';
import { placeKey } from './write-keys';

/** Maximum number of items to check in one database call, so that a full row loses few of its older keys. */
const PLACES_AT_ONCE = 500;

/**
 * Returns the items that an earlier attempt of the execution began to send. Compares positions, because the node can't
 * plan the items now and doesn't know their content. After n8n 1 was killed, returns no items.
 */
export async function begunPlaces(context: IExecuteFunctions, items: number[]): Promise<Set<number>> {
  const begun = new Set<number>();
  const { isRetry, asked } = lineageOf(context);
  const { id } = context.getWorkflow();
  if (!isRetry || !isSaved(id)) return begun;
  const row = KeyRow.of(`${id} ${context.getNode().id}`);
  const { itemsBefore } = currentRound(context);
  const keysOf = (item: number) => [...asked].map((name) => placeKey(name, itemsBefore + item));
  for (let from = 0; from < items.length; from += PLACES_AT_ONCE) {
    const some = items.slice(from, from + PLACES_AT_ONCE);
    const missing = await row.record(context.helpers, some.flatMap(keysOf));
    row.remove(context.helpers, [...missing]);
    for (const item of some) if (keysOf(item).some((key) => !missing.has(key))) begun.add(item);
  }
  await row.flush(context.helpers);
  return begun;
}
