import { draw } from './draw';
import { kindOf } from './shrink';
import { simulate } from './simulate';

/** Results of the seeds from `first` to `last`. */
export interface Played {
  runs: number;
  requests: number;
  failing: Array<{ seed: number; kind: string; violations: string[] }>;
}

/** Runs the random tests of a range of seeds. */
export async function playSeeds(first: number, last: number): Promise<Played> {
  const played: Played = { runs: 0, requests: 0, failing: [] };
  for (let seed = first; seed <= last; seed += 1) {
    const { violations, runs, sent } = await simulate(draw(seed));
    played.runs += runs;
    played.requests += sent;
    const kind = kindOf(violations);
    if (kind !== undefined) played.failing.push({ seed, kind, violations });
  }
  return played;
}
