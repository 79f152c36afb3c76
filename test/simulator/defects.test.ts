import { isDeep } from '../quantity';
import { DEFECTS, DEFECTS_AFTER_KILLS, OPERATION_ABOUT, SCHEDULES_ABOUT, withoutJournal } from './defects';
import { IDENTITY_DEFECTS, OPERATION_OF_IDENTITY, SCHEDULES_OF_IDENTITY } from './defects-of-identity';
import { draw } from './draw';
import type { MoneyName } from './money';
import type { Schedule } from './schedule';
import { simulate } from './simulate';

/** Maximum number of random seeds within which the simulator must find each defect. */
const MOST_SEEDS = 2000;

afterEach(() => jest.restoreAllMocks());

/** @param prepare change without which the node would hide the defect. It must cause no violation itself. */
async function firstFailing(
  plant: () => void,
  money: MoneyName | undefined,
  isAbout: (schedule: Schedule) => boolean,
  prepare: () => void,
): Promise<{ seed: number; violation?: string }> {
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    const schedule = draw(seed, money);
    if (!isAbout(schedule) || (money && schedule.operation !== money)) continue;
    prepare();
    plant();
    const { violations } = await simulate(schedule);
    jest.restoreAllMocks();
    if (violations.length === 0) continue;
    prepare();
    const { violations: without } = await simulate(schedule);
    jest.restoreAllMocks();
    if (without.length === 0) return { seed, violation: violations[0] };
  }
  return { seed: MOST_SEEDS + 1 };
}

async function isFound(
  name: string,
  plant: () => void,
  isAbout: (schedule: Schedule) => boolean,
  prepare: () => void = () => undefined,
): Promise<void> {
  const money = OPERATION_ABOUT[name] ?? OPERATION_OF_IDENTITY[name];
  const { seed, violation } = await firstFailing(plant, money, isAbout, prepare);
  console.info(`${name}: found by seed ${seed}: ${violation}`);
  expect(seed).toBeLessThanOrEqual(MOST_SEEDS);
}

/** `npm run test:deep` tests all defects. `npm test` tests one defect. */
const planted = (defects: typeof DEFECTS) => Object.entries(defects).slice(0, isDeep ? Infinity : 1);

test.each(planted(DEFECTS))(`the simulator finds the defect within ${MOST_SEEDS} seeds: %s`, async (name, plant) => {
  await isFound(
    name,
    plant,
    // Never kills n8n, because recovery needs the journal, which this test turns off.
    (schedule) => schedule.host === undefined && (SCHEDULES_ABOUT[name]?.(schedule) ?? true),
    withoutJournal,
  );
});

test.each(planted(DEFECTS_AFTER_KILLS))(
  `the simulator finds the defect within ${MOST_SEEDS} seeds that kill n8n: %s`,
  async (name, plant) => {
    await isFound(
      name,
      plant,
      (schedule) => schedule.host !== undefined && (SCHEDULES_ABOUT[name]?.(schedule) ?? true),
    );
  },
);

test.each(planted(IDENTITY_DEFECTS))(
  `the simulator finds the defect of identity within ${MOST_SEEDS} seeds: %s`,
  async (name, plant) => {
    await isFound(name, plant, SCHEDULES_OF_IDENTITY[name] ?? (() => true));
  },
);
