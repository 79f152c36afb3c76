import type { Doing, Happening, Schedule } from './schedule';

export type StillFails = (schedule: Schedule) => Promise<boolean>;

export async function shrink(found: Schedule, stillFails: StillFails): Promise<Schedule> {
  let smallest = found;
  for (;;) {
    const smaller = await firstFailing(cuts(smallest), stillFails);
    if (!smaller) return smallest;
    smallest = smaller;
  }
}

async function firstFailing(candidates: Iterable<Schedule>, stillFails: StillFails): Promise<Schedule | undefined> {
  for (const candidate of candidates) if (await stillFails(candidate)) return candidate;
  return undefined;
}

function* cuts(schedule: Schedule): Generator<Schedule> {
  const { items, retries, node, options, service, agent, runs } = schedule;
  yield* withoutOne(retries).map((less) => ({ ...schedule, retries: less }));
  for (let item = items.length - 1; item >= 0 && items.length > 1; item -= 1) yield withoutItem(schedule, item);
  for (const [index, retry] of retries.entries()) {
    const replaced = (changed: typeof retry) => ({ ...schedule, retries: retries.with(index, changed) });
    yield* withoutOne(retry.doings).map((doings) => replaced({ ...retry, doings }));
    if (retry.of === 'original') yield replaced({ ...retry, of: 'latest' });
    if (retry.alongMs !== undefined) yield replaced({ ...retry, alongMs: undefined });
    if (retry.isNew) yield replaced({ ...retry, isNew: false });
  }
  if (schedule.twinMs !== undefined) yield { ...schedule, twinMs: undefined };
  if (schedule.earlier) yield { ...schedule, earlier: undefined };
  if (schedule.occupied) yield { ...schedule, occupied: undefined };
  const { alike } = schedule;
  // Only customers that are alike have a second card.
  if (alike && !items.some(({ hasCard }) => hasCard)) yield { ...schedule, alike: undefined };
  if (alike?.linked) yield { ...schedule, alike: { ...alike, linked: undefined } };
  for (const strangers of withoutOne(alike?.strangers ?? []))
    yield { ...schedule, alike: alike && { ...alike, strangers } };
  if (alike?.names) yield { ...schedule, alike: { ...alike, names: false } };
  if (alike?.numbers) yield { ...schedule, alike: { ...alike, numbers: false } };
  if (schedule.order) yield { ...schedule, order: undefined };
  if (schedule.second !== undefined) yield { ...schedule, second: undefined };
  if (runs > 1)
    yield withRows({ ...schedule, runs: runs - 1 }, (row) => (row < items.length * (runs - 1) ? [row] : []));
  if (node.tries > 1) yield { ...schedule, node: { ...node, tries: node.tries - 1 } };
  if (node.onError !== 'stopWorkflow') yield { ...schedule, node: { ...node, onError: 'stopWorkflow' } };
  yield* withoutOne(agent.again).map((again) => ({ ...schedule, agent: { ...agent, again } }));
  if (agent.fails) yield { ...schedule, agent: { ...agent, fails: false } };
  if (agent.tries > 1) yield { ...schedule, agent: { ...agent, tries: 1 } };
  for (const [object, list] of service.writes.entries())
    yield* calmer(list).map((less) => ({
      ...schedule,
      service: { ...service, writes: service.writes.with(object, less) },
    }));
  yield* calmer(service.reads).map((reads) => ({ ...schedule, service: { ...service, reads } }));
  if (service.error !== undefined) yield { ...schedule, service: { ...service, error: undefined } };
  if (service.lagMs > 0) yield { ...schedule, service: { ...service, lagMs: 0 } };
  if (!service.settled) yield { ...schedule, service: { ...service, settled: true } };
  // Without If It Already Exists, the node may send an item whose record exists.
  const exists = schedule.earlier ?? schedule.occupied;
  const isNeeded = (name: string) => name === 'returnExisting' && exists !== undefined;
  for (const name of ['changing', 'resend', 'duplicateCheck', 'returnExisting'] as const)
    if (options[name] && !isNeeded(name)) yield { ...schedule, options: { ...options, [name]: false } };
  for (const name of ['limitPerItem', 'limitPerDay', 'testEnvironmentOnly', 'allowEqual', 'allowed'] as const)
    if (options[name] !== undefined && schedule.caller === 'items')
      yield { ...schedule, options: { ...options, [name]: undefined } };
  if (options.parallel > 1) yield { ...schedule, options: { ...options, parallel: 1 } };
  if (options.maxTries > 1) yield { ...schedule, options: { ...options, maxTries: 1 } };
}

const withoutOne = <Value>(list: Value[]): Value[][] => list.map((_, index) => list.toSpliced(index, 1));

function calmer(list: Happening[]): Happening[][] {
  const shorter = list.length > 0 ? [list.slice(0, -1)] : [];
  const calm = list.flatMap(({ kind }, index) =>
    kind === 'answer' ? [] : [list.with(index, { kind: 'answer', latencyMs: 20 })],
  );
  return [...shorter, ...calm];
}

function withoutItem(schedule: Schedule, item: number): Schedule {
  const { items, agent } = schedule;
  const moved = (index: number) => (index === item ? [] : [index > item ? index - 1 : index]);
  const count = items.length;
  const smaller = withRows(schedule, (row) =>
    moved(row % count).map((index) => Math.floor(row / count) * (count - 1) + index),
  );
  return {
    ...smaller,
    items: items.toSpliced(item, 1),
    ...(smaller.earlier && { earlier: smaller.earlier.flatMap(moved) }),
    ...(smaller.occupied && { occupied: smaller.occupied.flatMap(moved) }),
    retries: smaller.retries.map((retry) => ({
      ...retry,
      doings: retry.doings.flatMap((doing): Doing[] =>
        doing.kind === 'amount' ? moved(doing.item).map((index) => ({ ...doing, item: index })) : [doing],
      ),
    })),
    agent: {
      ...agent,
      again: agent.again.map((round) => round.flatMap(moved)).filter((round) => round.length > 0),
    },
  };
}

function withRows(schedule: Schedule, replaced: (row: number) => number[]): Schedule {
  const { order, retries } = schedule;
  return {
    ...schedule,
    ...(order && { order: order.flatMap(replaced) }),
    retries: retries.map((retry) => ({
      ...retry,
      doings: retry.doings.map((doing) =>
        doing.kind === 'rows' ? { ...doing, order: doing.order.flatMap(replaced) } : doing,
      ),
    })),
  };
}

/** Returns the first violation's text, without numbers or IDs. */
export function kindOf([first]: string[]): string | undefined {
  return first
    ?.replace(/\b(?=\w*\d)\w{20,}\b/g, 'ID')
    .replace(/\(.*\)/, '')
    .replace(/\d+/g, 'n');
}
