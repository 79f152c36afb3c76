import { isDeep } from '../quantity';
import { DEFECTS, DEFECTS_AFTER_KILLS, SCHEDULES_ABOUT, withoutJournal } from './defects';
import { draw } from './draw';
import type { Schedule } from './schedule';
import { simulate } from './simulate';

/** A defect that is not found within as many seeds as `npm run test:deep` plays could come back unseen. */
const MOST_SEEDS = 1100;

afterEach(() => jest.restoreAllMocks());

/** The first seed that fails with the defect and passes without it, and how it fails. */
async function firstFailing(
  plant: () => void,
  isAbout: (schedule: Schedule) => boolean,
): Promise<{ seed: number; violation?: string }> {
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    const schedule = draw(seed);
    if (!isAbout(schedule)) continue;
    plant();
    const { violations } = await simulate(schedule);
    jest.restoreAllMocks();
    if (violations.length === 0) continue;
    const { violations: without } = await simulate(schedule);
    if (without.length === 0) return { seed, violation: violations[0] };
  }
  return { seed: MOST_SEEDS + 1 };
}

async function isFound(name: string, plant: () => void, isAbout: (schedule: Schedule) => boolean): Promise<void> {
  const { seed, violation } = await firstFailing(plant, isAbout);
  console.info(`${name}: found by seed ${seed}: ${violation}`);
  expect(seed).toBeLessThanOrEqual(MOST_SEEDS);
}

/** All of them in `npm run test:deep`. In `npm test` the first one shows that the simulator finds defects at all. */
const planted = (defects: typeof DEFECTS) => Object.entries(defects).slice(0, isDeep ? Infinity : 1);

test.each(planted(DEFECTS))(`planted: %s; found within ${MOST_SEEDS} seeds`, async (name, plant) => {
  await isFound(
    name,
    () => {
      withoutJournal();
      plant();
    },
    // After a kill n8n's database is the only witness.
    (schedule) => schedule.host === undefined && (SCHEDULES_ABOUT[name]?.(schedule) ?? true),
  );
});

test.each(planted(DEFECTS_AFTER_KILLS))(
  `planted: %s; found within ${MOST_SEEDS} seeds in which n8n is killed`,
  async (name, plant) => {
    await isFound(
      name,
      plant,
      (schedule) => schedule.host !== undefined && (SCHEDULES_ABOUT[name]?.(schedule) ?? true),
    );
  },
);
