import { isDeep, quantity } from '../quantity';
import { timeIsSimulated } from '../simulated-time';
import { sandboxForFile } from '../workflow/bench';
import { LIFE_DEFECTS } from './life-defects';
import { drawLife } from './life-schedule';
import { live } from './live';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });

/** Number of random lives to run, and the first seed. */
const SEEDS = Number(process.env.SEEDS ?? quantity(20, 200));
const FROM = Number(process.env.FROM ?? 1);
/** Maximum number of seeds within which the simulator must find each defect. */
const MOST_SEEDS = 150;

test('random lives of a trigger leave no unwanted webhook and lose no event unnoticed', async () => {
  const failing: Array<{ seed: number; violations: string[] }> = [];
  for (let seed = FROM; seed < FROM + SEEDS; seed += 1) {
    const violations = await live(sandbox, drawLife(seed));
    if (violations.length > 0) failing.push({ seed, violations });
  }
  expect(failing).toEqual([]);
});

/** `npm run test:deep` tests all defects. `npm test` tests one defect. */
test.each(Object.entries(LIFE_DEFECTS).slice(0, isDeep ? Infinity : 1))(
  `the simulator of the trigger finds the defect within ${MOST_SEEDS} seeds: %s`,
  async (name, plant) => {
    for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
      const remove = plant();
      const [violation] = await live(sandbox, drawLife(seed)).finally(remove);
      if (violation === undefined) continue;
      console.info(`${name}: found by seed ${seed}: ${violation}`);
      expect(await live(sandbox, drawLife(seed))).toEqual([]);
      return;
    }
    throw new Error('No seed finds the defect');
  },
);
