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

const load = createRequire(__filename);
const shipped = (name: string) =>
  load(`../../nodes/PaymentPlatform/service/${name}.ts`) as Record<string, (...given: unknown[]) => unknown>;

/** Plants a defect: `instead` calls the original function. */
function plant(
  name: string,
  method: string,
  instead: (original: (...given: unknown[]) => unknown, given: unknown[]) => unknown,
) {
  const owner = shipped(name);
  const original = owner[method] as (...given: unknown[]) => unknown;
  jest.spyOn(owner, method).mockImplementation((...given) => instead(original, given));
}
afterEach(() => jest.restoreAllMocks());

test.each<[string, () => void, RegExp]>([
  [
    'pages are not verified',
    () =>
      plant('fetch-list', 'fetchList', (fetch, [list, ...rest]) =>
        fetch({ ...(list as object), ignoresNotes: true }, ...rest),
      ),
    /records are missing, and no hint says so/,
  ],
  [
    'an unreadable list counts as empty',
    () =>
      plant('decode-response', 'readRecords', (read, given) => {
        const records = read(...given);
        return Array.isArray(records) ? (records as unknown[]) : [];
      }),
    /records are missing, and no hint says so/,
  ],
])(`the simulator finds the defect within ${SEEDS} seeds: %s`, async (_, defect, violation) => {
  defect();
  const failing = await failingSeeds(SEEDS);
  expect(failing[0]?.violations).toEqual([expect.stringMatching(violation)]);
});
