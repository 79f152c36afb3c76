import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, isSaved, lineageOf } from '../n8n/lineage';
import { KeyRow, type KeyStore } from '../n8n/key-row';
import { placeKey, type WriteKey, type WriteKeys } from './write-keys';

/**
 * Returns which of the items, which the node can't plan, an earlier attempt began to send. In a retry in n8n 1, returns
 * none unless n8n saves the execution progress.
 */
export async function begunPlaces(context: IExecuteFunctions, items: number[]): Promise<Set<number>> {
  const { asked } = lineageOf(context);
  const { id } = context.getWorkflow();
  if (asked.size === 0 || !isSaved(id)) return new Set();
  const row = KeyRow.ofNode(context);
  const { itemsBefore } = currentRound(context);
  const keysOf = (item: number) => [...asked].map((name) => placeKey(name, itemsBefore + item));
  const found = await row.find(context.helpers, items.flatMap(keysOf));
  await row.flush(context.helpers);
  return new Set(items.filter((item) => keysOf(item).some((key) => found.has(key))));
}

/** Maximum number of successive positions without a begun write. */
const MOST_GAP = 100;

/**
 * Returns the number of positions at which earlier attempts began a write, minus the number of this run's items that
 * they began. If positive, items are missing now or have different content.
 */
export async function countMissing(row: KeyRow, store: KeyStore, keys: WriteKeys): Promise<number> {
  const all = keys.ofEarlierAttempts();
  const of = (...kinds: Array<WriteKey['kind']>) => all.flatMap(({ kind, key }) => (kinds.includes(kind) ? [key] : []));
  // Counts the items first, so that a concurrent retry makes the result too high, not too low.
  const { size: items } = await row.findProofs(store, of('content'));
  const { size: places } = await row.find(store, of('place', 'elsewhere'));
  let later = 0;
  for (let from = 0, size = 1; size !== 0; from += MOST_GAP) {
    ({ size } = await row.find(store, keys.placesAfterAll(from, MOST_GAP)));
    later += size;
  }
  return places + later - items;
}
