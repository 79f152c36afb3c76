import { DEFECTS, withoutJournal } from './defects';
import { draw } from './draw';
import { simulate } from './simulate';

/** A defect that is not found within as many seeds as `npm test` plays could come back unseen. */
const MOST_SEEDS = 2000;

afterEach(() => jest.restoreAllMocks());

/** The first seed that fails with the defect and passes without it, and how it fails. */
async function firstFailing(plant: () => void): Promise<{ seed: number; violation?: string }> {
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    withoutJournal();
    plant();
    const { violations } = await simulate(draw(seed));
    jest.restoreAllMocks();
    if (violations.length === 0) continue;
    const { violations: without } = await simulate(draw(seed));
    if (without.length === 0) return { seed, violation: violations[0] };
  }
  return { seed: MOST_SEEDS + 1 };
}

test.each(Object.entries(DEFECTS))(
  `planted: %s; found within ${MOST_SEEDS} seeds`,
  async (name, plant) => {
    const { seed, violation } = await firstFailing(plant);
    console.info(`${name}: found by seed ${seed}: ${violation}`);
    expect(seed).toBeLessThanOrEqual(MOST_SEEDS);
  },
  MOST_SEEDS * 200,
);
