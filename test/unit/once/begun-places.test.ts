import type { KeyRow, KeyStore } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { countMissing } from '../../../nodes/PaymentPlatform/once/begun-places';
import type { WriteKey, WriteKeys } from '../../../nodes/PaymentPlatform/once/write-keys';

/** Counts with the keys of this run's items, and the keys that earlier attempts recorded. */
async function count(own: string[], recorded: string[]) {
  const asked: string[][] = [];
  const keys = {
    ofEarlierAttempts: () => own.map((key) => ({ kind: key.split(' ')[0], key }) as WriteKey),
    placesAfterAll: (from: number, many: number) => Array.from({ length: many }, (_, index) => `later ${from + index}`),
  } as unknown as WriteKeys;
  const find = async (_: unknown, wanted: string[]) => {
    asked.push(wanted);
    return await Promise.resolve(new Set(wanted.filter((key) => recorded.includes(key))));
  };
  const row = { find, findProofs: find } as unknown as KeyRow;
  return { missing: await countMissing(row, {} as KeyStore, keys), asked };
}

const own = ['place 0', 'content 0', 'open 0', 'place 1', 'content 1', 'elsewhere 1'];

describe('the number of items that are missing in a retry', () => {
  test.each<[string, string[], number]>([
    ['no item began', [], 0],
    ['the same items began', ['place 0', 'content 0', 'place 1', 'content 1'], 0],
    ['an item began that is now another', ['place 0', 'place 1', 'content 1'], 1],
    ['an item began again at the position of another', ['place 0', 'place 1', 'content 1', 'elsewhere 1'], 2],
    ['an item moved from a later position', ['content 0', 'later 3'], 0],
    ['items began after the last item', ['later 0', 'later 99', 'later 120'], 3],
    ['items began after a gap', ['later 0', 'later 199', 'later 320'], 2],
    ['an item began that this run has twice', ['content 0', 'content 1', 'place 0'], -1],
  ])('is counted if %s', async (_, recorded, missing) => {
    expect((await count(own, recorded)).missing).toBe(missing);
  });

  test('is never too low beside a concurrent retry, because the items are counted first', async () => {
    const { asked } = await count(own, ['later 5']);
    expect(asked.map(([first]) => first)).toEqual(['content 0', 'place 0', 'later 0', 'later 100']);
    expect(asked[1]).toEqual(['place 0', 'place 1', 'elsewhere 1']);
    expect(asked[2]).toHaveLength(100);
  });
});
