import { NeverEnds } from './clock';
import { execute, executeAgain, newDatabase, restartProcess, stored, type Execution } from './engine';
import { act } from './person';
import type { Doing, Kill, Schedule } from './schedule';
import { checkSend } from './sending';
import { Telling } from './telling';
import { World, type Checks } from './world';

/** Result of one schedule. */
export interface Simulated {
  /** Violations that the checks found. Empty if there is no violation. */
  violations: string[];
  /** Log of the events in the simulation. */
  footprint: string[];
  /** Number of requests that the node sent. */
  sent: number;
  runs: number;
}

/** Maximum duration of an execution in simulated milliseconds. */
const LONGEST_MS = 24 * 3_600_000;
/** Time in simulated milliseconds after which every request in transit has arrived. */
const SETTLED_MS = 3_600_000;
/** Time in simulated milliseconds that n8n takes to restart. */
const RESTART_MS = 10_000;

function checksOf(world: World): Checks {
  const telling = new Telling(world);
  return { sent: (sent) => checkSend(world, sent), told: (run, told) => telling.check(run, told) };
}

/** Runs a schedule: the execution, the user's changes and the retries. Checks the service's records at the end. */
export async function simulate(schedule: Schedule): Promise<Simulated> {
  const isSlow = schedule.host !== undefined;
  newDatabase(isSlow);
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
  const { violations, footprint, wire, runs } = world;
  return { violations, footprint, sent: wire.sent.length, runs };
}

/** State of an execution that ended or that a kill interrupted. */
interface Ended {
  execution: number;
  data: string;
  /**
   * Whether n8n offers a retry. n8n offers a retry for failed and crashed executions, but not for stopped executions.
   */
  canBeRetried: boolean;
  hasCrashed?: true;
}

/**
 * User changes that preserve the content of each item. After a kill, n8n 1 identifies items only by content. No version
 * of n8n stores the position of a tool call (security.md#the-journal).
 */
const KNOWN_AGAIN = new Set<Doing['kind']>([
  'parallel',
  'resend',
  'resolve',
  'baseUrl',
  'limitPerItem',
  'key',
  'environment',
]);

async function play(world: World, schedule: Schedule): Promise<void> {
  const { clock } = world;
  const stoppable = (stop: () => void) => {
    if (schedule.stopAtMs !== undefined)
      clock.after(schedule.stopAtMs, () => {
        if (world.current.execution === 0 && !world.hasEnded) world.stopped(stop);
      });
  };
  const first = await toTheEnd(world, execute(world.saved(), stoppable), schedule.kill);
  let latest = first;
  let isBlind = false;
  for (const retry of schedule.retries) {
    if (!latest.canBeRetried || world.isStopped) break;
    isBlind ||= latest.hasCrashed === true && (schedule.host?.major === 1 || world.isTool());
    await clock.pass(retry.waitMs);
    const from = retry.of === 'original' ? first : latest;
    for (const doing of retry.doings) if (!isBlind || KNOWN_AGAIN.has(doing.kind)) act(world, doing);
    // In a schedule without kills, ignores the work of other retries and therefore clears the database.
    if (from !== latest && !schedule.host) newDatabase(false);
    world.goOnFrom(from.execution);
    world.note(`retry of the ${retry.of === 'original' ? 'original' : 'latest'} execution`);
    latest = await toTheEnd(world, executeAgain(world.saved(), from.data), retry.kill);
  }
  await clock.pass(SETTLED_MS);
  world.booksClosed();
}

/** Runs an execution until it ends. If the schedule kills n8n, restarts n8n after the kill. */
async function toTheEnd(world: World, { run, crashed }: Execution, kill?: Kill): Promise<Ended> {
  const { clock } = world;
  const { execution } = world.current;
  world.hasEnded = false;
  const end = kill ? Promise.race([run, world.killed(kill)]) : run;
  const ended = await clock.until(end, LONGEST_MS);
  world.hasEnded = true;
  if (ended !== 'killed') {
    const data = stored(ended);
    world.executionEnded(ended.status, data);
    return { execution, data, canBeRetried: ended.status === 'error' };
  }
  const data = crashed();
  world.executionEnded('crashed', data);
  await clock.pass(RESTART_MS);
  restartProcess();
  world.restarted(execution);
  return { execution, data, canBeRetried: true, hasCrashed: true };
}
