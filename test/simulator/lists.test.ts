import { createRequire } from 'node:module';

import { quantity } from '../quantity';
import { drawList, simulateList } from './lists';

const SEEDS = 100;

async function failingSeeds(seeds: number): Promise<Array<{ seed: number; violations: string[] }>> {
  const failing: Array<{ seed: number; violations: string[] }> = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const violations = await simulateList(drawList(seed));
    if (violations.length > 0) failing.push({ seed, violations });
  }
  return failing;
}

test('a list that changes during the read is returned without repeated records, with a hint if a record may be missing', async () => {
  expect(await failingSeeds(quantity(20, SEEDS))).toEqual([]);
});

test(`the simulator finds the defect of unverified pages within ${SEEDS} seeds`, async () => {
  const load = createRequire(__filename);
  const fetching = load('../../nodes/PaymentPlatform/service/fetch-list.ts') as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  const before = fetching.fetchList as (list: object, ...rest: unknown[]) => unknown;
  jest
    .spyOn(fetching, 'fetchList')
    .mockImplementation((list, ...rest) => before({ ...(list as object), isVerified: false }, ...rest));
  const failing = await failingSeeds(SEEDS);
  jest.restoreAllMocks();
  expect(failing[0]?.violations).toEqual([expect.stringMatching(/records are missing, and no hint says so/)]);
});
