/**
 * Runs random tests. The variables SEEDS, FROM, SEED and SCHEDULE select the tests, and `--shrink` reduces a failing
 * test.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { draw } from './draw';
import { playSeeds, type Played } from './play';
import type { Schedule } from './schedule';
import { kindOf, shrink } from './shrink';
import { simulate } from './simulate';

const { SEED, SCHEDULE, SEEDS = '100000', FROM = '1' } = process.env;
const NAMED = 20;
/** Number of seeds that a process runs before it reports. */
const AT_ONCE = 250;
/** Argument of a process that runs the seeds it receives. */
const PLAYER = '--player';

type Range = [first: number, last: number];

async function replay(given: Schedule): Promise<number> {
  const first = await simulate(given);
  const kind = kindOf(first.violations);
  const smaller = process.argv.includes('--shrink') && kind !== undefined;
  const schedule = smaller
    ? await shrink(given, async (candidate) => kindOf((await simulate(candidate)).violations) === kind)
    : given;
  const { violations, footprint } = smaller ? await simulate(schedule) : first;
  console.log(`${JSON.stringify(schedule)}\n${footprint.join('\n')}`);
  console.log(violations.length === 0 ? 'All was well.' : `Not as promised:\n${violations.join('\n')}`);
  return violations.length;
}

/** Runs the seeds in one process per processor core. */
async function playAll(): Promise<number> {
  const began = Date.now();
  const seconds = () => ((Date.now() - began) / 1000).toFixed(1);
  const [first, last] = [Number(FROM), Number(FROM) + Number(SEEDS) - 1];
  const failing = new Map<string, number[]>();
  let [next, played, failed, requests, runs] = [first, 0, 0, 0, 0];
  const count = (given: Played) => {
    requests += given.requests;
    runs += given.runs;
    for (const { seed, kind, violations } of given.failing) {
      failed += 1;
      const seeds = failing.get(kind) ?? [];
      if (seeds.length === 0) console.log(`SEED=${seed}: ${violations[0]}`);
      failing.set(kind, [...seeds, seed]);
    }
  };
  const playInProcess = async () => {
    const player = fork(__filename, [PLAYER]);
    const ended = once(player, 'exit');
    while (next <= last) {
      const range: Range = [next, Math.min(next + AT_ONCE - 1, last)];
      next = range[1] + 1;
      player.send(range);
      const [answer] = (await Promise.race([once(player, 'message'), ended])) as [Played | number | null];
      if (answer === null || typeof answer === 'number') throw new Error(`Seeds from ${range[0]}: the process ended`);
      count(answer);
      played += range[1] - range[0] + 1;
      if (played % 10_000 === 0) console.log(`${played} seeds, ${seconds()} s, ${failed} failed`);
    }
    player.disconnect();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, playInProcess));
  for (const [kind, seeds] of failing) {
    const named = seeds.toSorted((one, other) => one - other).slice(0, NAMED);
    console.log(`${seeds.length} times: ${kind} (SEED=${named.join(', ')})`);
  }
  console.log(
    `Seeds ${first} to ${last}: ${runs} runs of the node, ${requests} requests, ${seconds()} s, ${failed} failed`,
  );
  return failed;
}

if (process.argv.includes(PLAYER))
  process.on('message', ([first, last]: Range) => void playSeeds(first, last).then((played) => process.send?.(played)));
else {
  const given = SCHEDULE === undefined ? undefined : (JSON.parse(readFileSync(SCHEDULE, 'utf8')) as Schedule);
  const work = given ? replay(given) : SEED === undefined ? playAll() : replay(draw(Number(SEED)));
  void work.then((failures) => process.exit(failures > 0 ? 1 : 0));
}
