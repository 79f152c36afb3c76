import { drawHappening } from './draw-schedule';
import { moneyFacts } from './money';
import { returnsExisting } from './parameters';
import type { Random } from './random';
import type { Doing, Happening, Retry, Schedule } from './schedule';

/** Time in milliseconds that is shorter than a restart of n8n. */
const PROMPT_MS = 5000;

/**
 * Makes the report show each write at once. The node then finds every write that it must find
 * (guards.md#total-from-the-transaction-report).
 */
export function withPromptReport(schedule: Schedule): Schedule {
  const { service } = schedule;
  const prompt = (one: Happening): Happening =>
    one.kind === 'lateApply' || (one.latencyMs ?? 0) > PROMPT_MS ? { kind: 'answer' } : one;
  return { ...schedule, service: { ...service, lagMs: 0, writes: service.writes.map((list) => list.map(prompt)) } };
}

const TIMES_MS = [1, 20, 300, 2000, 10_000, 60_000];
const SHARE = 50;

/** Adds executions that run at the same time, and later executions of the saved workflow with a person's decisions. */
export function drawExecutions(random: Random, given: Schedule): Schedule {
  const schedule = drawBatches(random, given);
  const { caller, options, operation, earlier, second } = schedule;
  const isSettled = options.duplicateCheck || options.limitPerDay !== undefined || earlier !== undefined;
  const isOneNode = caller === 'items' && second === undefined && operation !== 'updater' && operation !== 'split';
  if (!isOneNode || isSettled || !random.percent(SHARE)) return schedule;
  if (returnsExisting(schedule))
    return moneyFacts(operation) ? drawLater(random, withPromptReport(schedule)) : schedule;
  return random.pick([drawTwin, drawAlong, drawLater, drawLater])(random, schedule);
}

/** Moves rows to other positions, and removes some. */
export function drawOrder(random: Random, count: number): number[] {
  const all = random.list(count, (number) => number);
  const start = random.integer(0, count - 1);
  const rotated = [...all.slice(start), ...all.slice(0, start)];
  const shuffled = random.list(count, () => all.splice(random.integer(0, all.length - 1), 1)[0] ?? 0);
  const moved = random.percent(50) ? rotated : shuffled;
  return random.percent(50) && count > 2 ? moved.slice(random.integer(0, 1), count - random.integer(0, 1)) : moved;
}

/** Lets two executions with the same rows run at the same time. Each must find its own records. */
const drawTwin = (random: Random, schedule: Schedule): Schedule => ({
  ...schedule,
  twinMs: schedule.twinMs ?? random.pick(TIMES_MS),
  retries: ofLatest(schedule),
  stopAtMs: undefined,
});

/** Lets two retries of an execution run at the same time. */
const drawAlong = (random: Random, schedule: Schedule): Schedule => ({
  ...schedule,
  ...(schedule.host && { host: { ...schedule.host, major: 2 } }),
  retries: ofLatest(schedule).map((retry) => ({ ...retry, alongMs: random.pick(TIMES_MS) })),
  stopAtMs: undefined,
});

/** Starts a new execution after the retries. The codes that a person entered stay in the workflow. */
function drawLater(random: Random, schedule: Schedule): Schedule {
  const resolve = (): Doing => ({ kind: 'resolve', looks: random.percent(70), claim: random.pick(CLAIMS) });
  const after = (more: Partial<Retry>): Retry => ({ of: 'latest', waitMs: 3_600_000, doings: [], ...more });
  const decided = returnsExisting(schedule) || random.percent(30) ? [] : [after({ doings: [resolve()] })];
  const moved = (): Doing => ({ kind: 'rows', order: drawOrder(random, schedule.items.length * schedule.runs) });
  const isN8n1 = schedule.host?.major === 1;
  const { service, items, runs, node } = schedule;
  const lost = () => [90, 30, 90, 30].map((share) => drawHappening(random, share));
  return {
    ...schedule,
    ...(random.percent(50) && {
      node: { ...node, onError: 'stopWorkflow', tries: 1 },
      service: { ...service, writes: random.list(items.length * runs, lost) },
    }),
    ...(isN8n1 && { host: { ...schedule.host, major: 2, savesProgress: false, nodeLast: true } }),
    retries: [
      ...ofLatest(schedule).slice(0, 1),
      ...decided,
      after({ isNew: true, doings: random.percent(30) ? [moved()] : [] }),
      after({}),
      after({}),
    ],
    stopAtMs: undefined,
  };
}
const CLAIMS = ['applied', 'notApplied'] as const;

/** A retry of the first execution would have an empty database. */
const ofLatest = ({ host, retries }: Schedule): Retry[] =>
  host ? retries : retries.map((retry) => ({ ...retry, of: 'latest' }));

/** Changes the batch size of a loop between two attempts. */
function drawBatches(random: Random, schedule: Schedule): Schedule {
  const { loop, items, runs, retries } = schedule;
  if (!loop || !random.percent(40)) return schedule;
  const batch = (): Doing => ({ kind: 'batch', size: random.integer(1, items.length * runs) });
  return { ...schedule, retries: retries.map((retry) => ({ ...retry, doings: [...retry.doings, batch()] })) };
}
