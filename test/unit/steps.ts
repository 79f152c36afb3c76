import { isDeep } from '../quantity';
import { CallCounter } from '../shipped-calls';
import { expectLinearTime } from './growth';

const TIMES = 10;
/** Maximum ratio of the step counts for a tenfold input. Quadratic functions reach 100. */
const MOST_TIMES_STEPS = 20;

/** Array functions that visit all elements without calling a function of the package. */
const PASSING = ['includes', 'indexOf', 'join', 'lastIndexOf', 'reverse', 'shift', 'splice', 'unshift'];
/** Array functions that visit only elements they return. */
const COPYING = new Set(['concat', 'slice']);

type ArrayFunction = (this: unknown[], ...given: unknown[]) => unknown;

const counter = isDeep ? undefined : new CallCounter(true);
if (counter) afterAll(() => counter.stop());

async function steps(counter: CallCounter, run: () => unknown): Promise<number> {
  let passed = 0;
  const originals = [...PASSING, ...COPYING].map(
    (name) => [name, Reflect.get(Array.prototype, name) as ArrayFunction] as const,
  );
  for (const [name, original] of originals) {
    const copies = COPYING.has(name);
    const counting: ArrayFunction = function (...given) {
      const result = original.apply(this, given);
      passed += copies ? (result as unknown[]).length : this.length;
      return result;
    };
    Reflect.set(Array.prototype, name, counting);
  }
  counter.take();
  try {
    await run();
  } finally {
    for (const [name, original] of originals) Reflect.set(Array.prototype, name, original);
  }
  const executed = counter.take().flatMap(({ functions }) => functions);
  return executed.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, passed);
}

export async function expectLinear(run: (count: number) => unknown, { few, many }: { few: number; many: number }) {
  if (!counter) return await expectLinearTime(run, many);
  await run(few);
  const [less, more] = [await steps(counter, () => run(few)), await steps(counter, () => run(few * TIMES))];
  expect(less).toBeGreaterThan(few);
  expect(more / less).toBeLessThan(MOST_TIMES_STEPS);
}
