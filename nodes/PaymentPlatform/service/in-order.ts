/**
 * Runs a task for each number from `first` to `end` - 1, several at a time, while `goesOn` returns true. Yields each
 * number in order after its task. If a task returns false, no other task takes its place.
 * @param mostAhead maximum number of tasks to start before the caller takes a number.
 */
export async function* inOrder(
  [first, end]: readonly [number, number],
  { parallel, mostAhead = Infinity }: { parallel: number; mostAhead?: number },
  task: (number: number) => Promise<boolean>,
  goesOn = () => true,
): AsyncGenerator<number, void> {
  const tasks = new Map<number, Promise<void>>();
  let [next, taken, running, isStopped] = [first, first, 0, false];
  const start = () => {
    while (running < parallel && next < Math.min(end, taken + mostAhead) && !isStopped && goesOn()) {
      running += 1;
      tasks.set(next, run(next));
      next += 1;
    }
  };
  const run = async (number: number) => {
    if (!(await task(number))) return;
    running -= 1;
    start();
  };
  start();
  try {
    while (taken < next) {
      await tasks.get(taken);
      tasks.delete(taken);
      taken += 1;
      start();
      yield taken - 1;
    }
  } finally {
    isStopped = true;
    await Promise.all(tasks.values());
  }
}
