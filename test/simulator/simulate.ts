import { NeverEnds } from './clock';
import { execute, executeAgain, newDatabase, restartProcess, stored, type Execution } from './engine';
import { TWIN } from './executions';
import { act } from './person';
import type { Doing, Kill, Schedule } from './schedule';
import { checkDays, checkSend } from './sending';
import { Telling } from './telling';
import { World, type Checks } from './world';

/** Result of one random test. */
export interface Simulated {
  violations: string[];
  footprint: string[];
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

/** Runs a random test and checks the service's records at the end. */
export async function simulate(schedule: Schedule): Promise<Simulated> {
  const isSlow = schedule.host !== undefined || schedule.twinMs !== undefined;
  newDatabase(isSlow, `simulated ${schedule.seed}`);
  restartProcess();
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

interface Ended {
  execution: number;
  data: string;
  /** n8n offers a retry for failed and crashed executions, but not for stopped executions. */
  canBeRetried: boolean;
  hasCrashed?: true;
}

/** User changes that preserve the content of each item, because n8n 1 identifies items by content. */
const KNOWN_AGAIN = new Set<Doing['kind']>([
  'rows',
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
        if (world.executions.current === 0 && !world.hasEnded) world.stopped(stop);
      });
  };
  if (schedule.twinMs !== undefined)
    clock.after(schedule.twinMs, () => {
      if (!world.isDown) void execute(world.saved(TWIN), () => undefined).run;
    });
  const rowsAt = (items: number[] = []) => items.flatMap((item) => world.rows[item] ?? []);
  if (schedule.earlier ?? schedule.occupied) {
    world.others.completeEarlier(rowsAt(schedule.earlier));
    world.others.occupy(rowsAt(schedule.occupied));
    await clock.pass(SETTLED_MS);
  }
  for (const stranger of schedule.alike?.strangers ?? [])
    for (const row of rowsAt([stranger.item])) clock.after(stranger.atMs, () => world.others.pay(stranger, row));
  const first = await toTheEnd(world, execute(world.saved(), stoppable), schedule.kill);
  let latest = first;
  let isBlind = false;
  for (const retry of schedule.retries) {
    if ((!latest.canBeRetried && !retry.isNew) || world.isStopped) break;
    isBlind ||= latest.hasCrashed === true && (schedule.host?.major === 1 || world.isTool());
    await clock.pass(retry.waitMs);
    const from = retry.of === 'original' ? first : latest;
    // n8n passes the stored items to the failed node, so new items would reach the node's later runs twice.
    const keepsItems = !retry.isNew && from.hasCrashed !== true;
    for (const doing of retry.doings)
      if ((!isBlind || KNOWN_AGAIN.has(doing.kind)) && !(keepsItems && doing.kind === 'rows')) act(world, doing);
    if (retry.isNew) {
      world.beginAnew();
      latest = await toTheEnd(world, execute(world.saved(), stoppable), retry.kill);
      continue;
    }
    // If no kill occurs, the test ignores other retries' writes.
    if (from !== latest && !schedule.host) newDatabase(false);
    world.goOnFrom(from.execution);
    world.note(`retry of the ${retry.of === 'original' ? 'original' : 'latest'} execution`);
    if (retry.alongMs !== undefined) retryAlong(world, from, retry.alongMs);
    latest = await toTheEnd(world, executeAgain(world.saved(), from.data), retry.kill);
  }
  await clock.pass(SETTLED_MS);
  world.booksClosed();
  checkDays(world);
}

/** Starts a second retry of the same execution, which runs at the same time. */
function retryAlong(world: World, from: Ended, afterMs: number): void {
  const second = world.executions.besides(from.execution);
  world.clock.after(afterMs, () => {
    if (!world.isDown) void executeAgain(world.saved(second), from.data).run;
  });
}

async function toTheEnd(world: World, { run, crashed }: Execution, kill?: Kill): Promise<Ended> {
  const { clock } = world;
  const execution = world.executions.current;
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
