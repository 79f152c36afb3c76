/**
 * Runs random tests. The variables SEEDS, FROM, SEED and SCHEDULE select the tests, and `--shrink` reduces a failing
 * test.
 */
import { readFileSync } from 'node:fs';

import { draw } from './draw';
import type { Schedule } from './schedule';
import { kindOf, shrink } from './shrink';
import { simulate } from './simulate';

const { SEED, SCHEDULE, SEEDS = '100000', FROM = '1' } = process.env;
const NAMED = 20;

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

async function playAll(): Promise<number> {
  const began = Date.now();
  const seconds = () => (Date.now() - began) / 1000;
  const failing = new Map<string, number[]>();
  let [failed, requests, runs] = [0, 0, 0];
  const last = Number(FROM) + Number(SEEDS) - 1;
  for (let seed = Number(FROM); seed <= last; seed += 1) {
    const { violations, ...counts } = await simulate(draw(seed));
    requests += counts.sent;
    runs += counts.runs;
    const kind = kindOf(violations);
    if (kind !== undefined) {
      failed += 1;
      const seeds = failing.get(kind) ?? [];
      if (seeds.length === 0) console.log(`SEED=${seed}: ${violations[0]}`);
      failing.set(kind, [...seeds, seed]);
    }
    if (seed % 10_000 === 0) console.log(`${seed} seeds, ${seconds().toFixed(0)} s, ${failed} failed`);
  }
  for (const [kind, seeds] of failing)
    console.log(`${seeds.length} times: ${kind} (SEED=${seeds.slice(0, NAMED).join(', ')})`);
  console.log(
    `Seeds ${FROM} to ${last}: ${runs} runs of the node, ${requests} requests, ${seconds().toFixed(1)} s, ${failed} failed`,
  );
  return failed;
}

const given = SCHEDULE === undefined ? undefined : (JSON.parse(readFileSync(SCHEDULE, 'utf8')) as Schedule);
const work = given ? replay(given) : SEED === undefined ? playAll() : replay(draw(Number(SEED)));
void work.then((failures) => process.exit(failures > 0 ? 1 : 0));
