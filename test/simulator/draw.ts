import { MONEY, moneyFacts, SALE_CENTS, type MoneyName } from './money';
import { drawHappening, drawItems, drawSchedule, TOO_MUCH } from './draw-schedule';
import { REFUSED_CENTS } from './parameters';
import { Random } from './random';
import type { Doing, Happening, Kill, OperationName, Schedule } from './schedule';

/** Generates random test input from a seed. The same seed generates the same input. */
export function draw(seed: number, money?: MoneyName): Schedule {
  const schedule = drawSchedule(seed);
  return drawError(new Random(seed + ERROR_SALT), drawOperation(seed, schedule, money));
}

function drawOperation(seed: number, schedule: Schedule, money?: MoneyName): Schedule {
  const random = new Random(seed + SHARED_SALT);
  const rows = new Random(seed + ROWS_SALT);
  if (schedule.caller === 'items' && random.percent(SHARED_SHARE)) return drawRows(rows, drawShared(random, schedule));
  const key = new Random(seed + KEY_SALT);
  const drawn =
    schedule.caller === 'items' && money === undefined && key.percent(KEY_SHARE)
      ? drawKeys(key, schedule)
      : drawMoney(new Random(seed + MONEY_SALT), drawSecond(new Random(seed + SECOND_SALT), schedule), money);
  return drawDayLimit(new Random(seed + DAY_SALT), drawRows(rows, drawn));
}

const KEY_SHARE = 15;
const KEY_SALT = 1_792_005_376;

/** Adds the option Once per Key and a second execution of the workflow. */
function drawKeys(random: Random, schedule: Schedule): Schedule {
  const { items, host, retries, options, service } = schedule;
  return {
    ...schedule,
    operation: 'api',
    // Each item has its own key, because the node refuses a second row with the same key.
    items: items.map((item, object) => ({ ...item, object })),
    ...(random.percent(80) && { twinMs: random.pick([1, 20, 300, 2000, 10_000, 60_000]) }),
    options: { ...options, oncePerKey: true, resend: random.percent(50) },
    service: {
      ...service,
      writes: random.list(items.length, () => random.list(random.integer(0, 4), () => drawHappening(random, 60))),
    },
    // A retry of the first execution would have an empty database.
    retries: host ? retries : retries.map((retry) => ({ ...retry, of: 'latest' })),
    stopAtMs: undefined,
  };
}

const ROWS_SHARE = 40;
const ROWS_SALT = 1_358_004_074;

/** Adds, removes and reorders items. A retry reads the new items only if n8n lost the earlier items (n8n.md#retries). */
function drawRows(random: Random, schedule: Schedule): Schedule {
  const { caller, items, runs, host, retries } = schedule;
  const count = items.length * runs;
  if (caller !== 'items' || count === 1 || !host || host.savesProgress) return schedule;
  const order = () => {
    const all = random.list(count, (number) => number);
    const start = random.integer(0, count - 1);
    const rotated = [...all.slice(start), ...all.slice(0, start)];
    const shuffled = random.list(count, () => all.splice(random.integer(0, all.length - 1), 1)[0] ?? 0);
    const moved = random.percent(50) ? rotated : shuffled;
    return random.percent(50) && count > 2 ? moved.slice(random.integer(0, 1), count - random.integer(0, 1)) : moved;
  };
  const edit = (): Doing => ({ kind: 'amount', item: random.integer(0, items.length - 1), cents: 300 });
  return {
    ...schedule,
    ...(random.percent(ROWS_SHARE) && { order: order() }),
    retries: retries.map((retry) =>
      random.percent(ROWS_SHARE)
        ? {
            ...retry,
            doings: [...retry.doings, { kind: 'rows', order: order() }, ...random.list(random.integer(0, 1), edit)],
          }
        : retry,
    ),
  };
}

const ERROR_SHARE = 20;
const ERROR_SALT = 112_000_336;
const ERRORS: unknown[] = [null, false, 'none', '', 0, {}, []];

function drawError(random: Random, schedule: Schedule): Schedule {
  if (!random.percent(ERROR_SHARE)) return schedule;
  const { node, service, host } = schedule;
  const isN8n1 = random.percent(50);
  return {
    ...schedule,
    node: { ...node, retriesAnyError: host ? host.major === 1 : isN8n1 },
    service: { ...service, error: random.pick(ERRORS) },
  };
}

/** Operations whose daily total the node stores in n8n's database. */
const COUNTED_BY_NODE: OperationName[] = ['invoice', 'payment', 'subscription', 'api'];
const DAY_SHARE = 25;
const DAY_SALT = 56_000_168;

function drawDayLimit(random: Random, schedule: Schedule): Schedule {
  const { operation, second, host, retries, options } = schedule;
  const isReported = moneyFacts(operation) !== undefined;
  // If n8n's database is emptied, the node counts from zero.
  const keepsDatabase = host !== undefined || retries.every(({ of }) => of === 'latest');
  const isCounted = isReported || (COUNTED_BY_NODE.includes(operation) && keepsDatabase);
  if (!isCounted || second !== undefined || !random.percent(DAY_SHARE)) return schedule;
  const limitPerDay = random.pick(isReported ? [4000, 10_000, 151_000] : [1000, 2000, 4000]);
  const limited = { ...schedule, options: { ...options, limitPerDay } };
  return isReported ? withPromptReport(limited) : limited;
}

/**
 * If n8n is killed or the base URL gets another host, the node counts only the earlier writes that the report shows
 * (guards.md#total-from-the-transaction-report). The report then shows each write at once.
 */
function withPromptReport(schedule: Schedule): Schedule {
  const { host, retries, service } = schedule;
  const movesHost = (one: Doing) => one.kind === 'baseUrl' && one.spelling === OTHER_HOST;
  if (host === undefined && !retries.some(({ doings }) => doings.some(movesHost))) return schedule;
  const prompt = (one: Happening): Happening =>
    one.kind === 'lateApply' || (one.latencyMs ?? 0) > PROMPT_MS ? { kind: 'answer' } : one;
  return { ...schedule, service: { ...service, lagMs: 0, writes: service.writes.map((list) => list.map(prompt)) } };
}
/** Time in milliseconds that is shorter than a restart of n8n. */
const PROMPT_MS = 5000;
/** Index in BASES of the URL with another host. */
const OTHER_HOST = 4;

const MONEY_SHARE = 50;
const MONEY_SALT = 42_000_126;

function drawMoney(random: Random, schedule: Schedule, money?: MoneyName): Schedule {
  if (schedule.operation !== 'refund' || schedule.second !== undefined) return schedule;
  if (!money && !random.percent(MONEY_SHARE)) return schedule;
  const operation = money ?? random.pick(MONEY.filter((one) => one !== 'refund'));
  // A void covers the whole sale, so the node refuses a different amount.
  const items = moneyFacts(operation)?.isWhole
    ? schedule.items.map((item) => ({ ...item, cents: item.cents === TOO_MUCH ? TOO_MUCH : SALE_CENTS }))
    : schedule.items;
  return { ...schedule, operation, items };
}

const SHARED_SHARE = 20;
const SHARED_SALT = 14_000_042;

/** Operations that one workflow can combine, because their write requests have different paths. */
const PAIRED: OperationName[] = ['refund', 'invoice', 'payment', 'subscription'];
const SECOND_SHARE = 25;
const SECOND_SALT = 28_000_084;

function drawSecond(random: Random, schedule: Schedule): Schedule {
  const { operation, items, runs, service } = schedule;
  if (!PAIRED.includes(operation) || !random.percent(SECOND_SHARE)) return schedule;
  const second = random.pick(PAIRED.filter((one) => one !== operation));
  const firstWrites = items.length * runs;
  const later = (kill: Kill): Kill =>
    random.percent(50) ? { ...kill, write: firstWrites + ((kill.write - 1) % firstWrites) + 1 } : kill;
  return {
    ...schedule,
    second,
    ...(schedule.kill && { kill: later(schedule.kill) }),
    service: {
      ...service,
      writes: service.writes.map((list, object) => [...list, ...(service.writes[object + 1] ?? [])]),
    },
  };
}

/** User changes that don't apply to cards, which have no amount. */
const NOT_OF_CARDS: Array<Doing['kind']> = ['amount', 'field', 'limitPerItem'];

function drawShared(random: Random, schedule: Schedule): Schedule {
  const { options } = schedule;
  const items = drawItems(random, random.pick([2, 3, 4, 5, 7, 9])).map(({ object, cents }) => ({
    object,
    cents: cents === REFUSED_CENTS ? 400 : cents,
    ...(options.testEnvironmentOnly === 'item' && { test: random.pick([true, 'true', false]) }),
  }));
  const doing = (): Doing => ({
    kind: 'amount',
    item: random.integer(0, items.length - 1),
    cents: random.pick([300, TOO_MUCH, TOO_MUCH]),
  });
  const objects = Math.max(...items.map(({ object }) => object)) + 1;
  const { writes } = schedule.service;
  return {
    ...schedule,
    operation: 'updater',
    items,
    options: { ...options, changing: false, limitPerItem: undefined, limitPerExecution: undefined },
    service: {
      ...schedule.service,
      writes: random.list(objects, (object) => writes[object % writes.length] ?? []),
    },
    retries: schedule.retries.map((retry) => ({
      ...retry,
      doings: [
        ...retry.doings.filter(({ kind }) => !NOT_OF_CARDS.includes(kind)),
        ...random.list(random.integer(0, 1), doing),
      ],
    })),
  };
}
