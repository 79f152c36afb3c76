import { NeverEnds } from './clock';
import { execute, executeAgain, newDatabase, stored } from './engine';
import { act } from './person';
import type { Schedule } from './schedule';
import { checkSend } from './sending';
import { Telling } from './telling';
import { World, type Checks } from './world';

/** What came of one schedule. */
export interface Simulated {
  /** What was not as promised; empty when all was well. */
  violations: string[];
  /** What happened, line by line. */
  trace: string[];
  /** Requests that were sent, and runs of the node. */
  sent: number;
  runs: number;
}

/** No execution may take longer than this, in simulated milliseconds. */
const LONGEST_MS = 24 * 3_600_000;
/** After this, whatever was on its way has arrived. */
const SETTLED_MS = 3_600_000;

function checksOf(world: World): Checks {
  const telling = new Telling(world);
  return { sent: (sent) => checkSend(world, sent), told: (run, told) => telling.check(run, told) };
}

/** Plays a schedule: the execution, its retries and what a person does before each; then looks into the books. */
export async function simulate(schedule: Schedule): Promise<Simulated> {
  newDatabase();
  const world = new World(schedule, checksOf);
  world.install();
  try {
    await play(world, schedule);
  } catch (error) {
    if (!(error instanceof NeverEnds)) throw error;
    world.violation(`never ends: ${error.message}`);
  } finally {
    world.uninstall();
  }
  const { violations, trace, wire, runs } = world;
  return { violations, trace, sent: wire.sent.length, runs };
}

async function play(world: World, schedule: Schedule): Promise<void> {
  const { clock } = world;
  let running = true;
  const stoppable = (stop: () => void) => {
    if (schedule.stopAtMs !== undefined) clock.after(schedule.stopAtMs, () => running && world.stopped(stop));
  };
  let run = await clock.until(execute(world.saved(), stoppable), LONGEST_MS);
  running = false;
  world.executionEnded(run, stored(run));
  const first = { execution: 0, data: stored(run) };
  let latest = first;
  for (const retry of schedule.retries) {
    // n8n offers a retry for executions that failed, not for those that a person stopped.
    if (run.status !== 'error' || world.isStopped) break;
    await clock.pass(retry.waitMs);
    const from = retry.of === 'original' ? first : latest;
    for (const doing of retry.doings) act(world, doing);
    // The books of the simulator forget another retry's work, so n8n's database does as well: it may be emptied.
    if (from !== latest) newDatabase();
    world.goOnFrom(from.execution);
    world.note(`retry of the ${retry.of === 'original' ? 'original' : 'latest'} execution`);
    run = await clock.until(executeAgain(world.saved(), from.data), LONGEST_MS);
    latest = { execution: world.current.execution, data: stored(run) };
    world.executionEnded(run, latest.data);
  }
  await clock.pass(SETTLED_MS);
  world.booksClosed();
}
