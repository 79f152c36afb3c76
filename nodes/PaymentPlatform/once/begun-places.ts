import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound, isSaved, lineageOf } from '../n8n/lineage';
import { KeyRow, type KeyStore } from '../n8n/key-row';
import { placeKey, type WriteKey } from './write-keys';

/**
 * Returns the indexes of the items that an earlier attempt began to send, for items that the node currently can't plan.
 * In a retry in n8n 1, returns none unless n8n saves the execution progress.
 */
export async function begunPlaces(context: IExecuteFunctions, items: number[]): Promise<Set<number>> {
  const { asked } = lineageOf(context);
  const { id } = context.getWorkflow();
  if (asked.size === 0 || !isSaved(id)) return new Set();
  const row = KeyRow.of(`${id} ${context.getNode().id}`);
  const { itemsBefore } = currentRound(context);
  const keysOf = (item: number) => [...asked].map((name) => placeKey(name, itemsBefore + item));
  const found = await row.find(context.helpers, items.flatMap(keysOf));
  await row.flush(context.helpers);
  return new Set(items.filter((item) => keysOf(item).some((key) => found.has(key))));
}

/**
 * Returns the number of positions at which an earlier attempt began a write, minus the number of items that it began.
 * If the result is positive, earlier attempts began items that are missing now or have different content.
 */
export async function countMissing(row: KeyRow, store: KeyStore, keys: WriteKey[]): Promise<number> {
  const found = await row.find(
    store,
    keys.map(({ key }) => key),
  );
  const count = (wanted: WriteKey['kind']) => keys.filter(({ kind, key }) => kind === wanted && found.has(key)).length;
  return count('place') - count('content');
}
