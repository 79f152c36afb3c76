import { drawAlike } from './alike';
import { LACKED, UNREADABLE } from './answers';
import { MONEY, moneyFacts, SALE_CENTS, type MoneyName } from './money';
import { drawHappening, drawItems, drawSchedule, TOO_MUCH } from './draw-schedule';
import { drawExecutions, drawOrder, withPromptReport } from './draw-executions';
import { REFUSED_CENTS } from './parameters';
import { Random } from './random';
import type { Doing, Happening, Kill, OperationName, Schedule } from './schedule';
import { OTHER_HOST } from './wire';

/** Generates random test input from a seed. The same seed generates the same input. */
export function draw(seed: number, money?: MoneyName): Schedule {
  const schedule = drawSchedule(seed);
  const alike = drawAlike(new Random(seed + ALIKE_SALT), drawOperation(seed, schedule, money));
  const earlier = drawEarlier(new Random(seed + EARLIER_SALT), alike);
  const drawn = drawExecutions(new Random(seed + EXECUTIONS_SALT), earlier);
  const shown = drawError(new Random(seed + ERROR_SALT), drawUnreadable(new Random(seed + UNREADABLE_SALT), drawn));
  return drawReference(new Random(seed + REFERENCE_SALT), drawSettings(new Random(seed + SETTINGS_SALT), shown));
}

const REFERENCE_SHARE = 40;
const REFERENCE_SALT = 3_584_010_752;

/** Lets the rows name their sales by order number. */
function drawReference(random: Random, schedule: Schedule): Schedule {
  if (moneyFacts(schedule.operation)?.on !== 'sale' || !random.percent(REFERENCE_SHARE)) return schedule;
  return { ...schedule, options: { ...schedule.options, byReference: true } };
}

const ALIKE_SALT = 896_002_688;
const EXECUTIONS_SALT = 1_344_004_032;
const EARLIER_SHARE = 45;
const EARLIER_SALT = 448_001_344;
/** User changes after which the refunds of an earlier execution still match the items. */
const KEEPS_ITEMS: Array<Doing['kind']> = ['parallel', 'key', 'limitPerItem'];

const SETTINGS_SALT = 672_002_016;
const HAVE_TARGETS: OperationName[] = [...MONEY, 'invoice', 'subscription'];

/** Sets Allowed IDs, a time zone that doesn't exist, or invoice numbers that other invoices have. */
function drawSettings(random: Random, schedule: Schedule): Schedule {
  const { operation, second, items, options, caller, runs, retries, service } = schedule;
  if (random.percent(2)) return { ...schedule, zone: 'Europe/Nowhere' };
  if (caller !== 'items' && HAVE_TARGETS.includes(operation) && second === undefined && random.percent(30)) {
    const objects = items.flatMap(({ object }) => (random.percent(60) ? [object] : []));
    const allowed = { objects, hasBlank: objects.length === 0 || random.percent(20) };
    return { ...schedule, options: { ...options, allowed } };
  }
  const isAlone =
    schedule.twinMs === undefined && retries.every(({ isNew, alongMs }) => !isNew && alongMs === undefined);
  const isNumbered = operation === 'invoice' && caller === 'items' && second === undefined && !options.changing;
  if (!isNumbered || runs > 1 || options.oncePerKey || !isAlone || !random.percent(30)) return schedule;
  return {
    ...schedule,
    occupied: items.flatMap((_, index) => (random.percent(50) ? [index] : [])),
    options: { ...options, returnExisting: true, resend: false },
    // A guard can't know of a record that the service doesn't show.
    service: {
      ...service,
      reads: service.reads.map((one) => (one.kind === 'stale' ? { ...one, kind: 'answer' } : one)),
    },
  };
}

/** Lets an earlier execution complete some refunds, which If It Already Exists must then find. */
function drawEarlier(random: Random, schedule: Schedule): Schedule {
  const { operation, caller, runs, items, options, retries, service } = schedule;
  const isRefund = operation === 'refund' && caller === 'items' && runs === 1;
  if (!isRefund || options.changing || options.oncePerKey || !random.percent(EARLIER_SHARE)) return schedule;
  return {
    ...schedule,
    earlier: items.flatMap(({ cents }, index) => (cents < TOO_MUCH && random.percent(60) ? [index] : [])),
    options: { ...options, returnExisting: true, resend: false },
    service: { ...service, settled: true },
    retries: retries.map((retry) => ({
      ...retry,
      doings: retry.doings.filter(({ kind }) => KEEPS_ITEMS.includes(kind)),
    })),
  };
}

/** Probabilities in percent, with a guard that reads a list and otherwise. */
const UNREADABLE_SHARES = [70, 15] as const;
const UNREADABLE_SALT = 224_000_672;
const MOST_READS = 12;

/** Makes some of the lists unreadable that the node reads. */
function drawUnreadable(random: Random, schedule: Schedule): Schedule {
  const { service, options } = schedule;
  const isGuarded = options.limitPerDay !== undefined || options.returnExisting || options.resend;
  if (!random.percent(UNREADABLE_SHARES[isGuarded ? 0 : 1])) return schedule;
  // A guard can't know of a record that the service doesn't show.
  const isStale = !isGuarded && random.percent(30);
  const readAt = (index: number): Happening =>
    random.percent(15)
      ? { kind: isStale ? 'stale' : 'lacking', code: random.pick(LACKED), latencyMs: random.integer(5, 400) }
      : random.percent(30)
        ? { kind: 'unreadable', code: random.pick([...UNREADABLE]), latencyMs: random.integer(5, 400) }
        : (service.reads[index] ?? { kind: 'answer', latencyMs: random.integer(5, 400) });
  return { ...schedule, service: { ...service, reads: random.list(MOST_READS, readAt) } };
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

const KEY_SHARE = 20;
const KEY_SALT = 1_792_005_376;

/** Adds the option Once per Key and a second execution of the workflow. */
function drawKeys(random: Random, schedule: Schedule): Schedule {
  const { items, host, options, service } = schedule;
  const operation = random.pick(['api', 'api', 'refund', 'sale', 'sale', 'payout'] as const);
  const isShared = random.percent(30);
  const keyed = random.percent(35) ? withRefusal(schedule) : schedule;
  return {
    ...keyed,
    operation,
    // Rows with the same key run one after another.
    items: isShared ? items : items.map((item, object) => ({ ...item, object })),
    ...(keyed === schedule && random.percent(80) && { twinMs: random.pick([1, 20, 300, 2000, 10_000, 60_000]) }),
    options: { ...options, oncePerKey: true, resend: keyed !== schedule || random.percent(50) },
    service: {
      ...service,
      lagMs: random.pick([service.lagMs, 60_000]),
      writes: random.list(items.length, () => random.list(random.integer(0, 4), () => drawHappening(random, 60))),
      ...(keyed !== schedule && keyed.service),
    },
    // A retry of the first execution would have an empty database.
    retries: host ? keyed.retries : keyed.retries.map((retry) => ({ ...retry, of: 'latest' })),
    stopAtMs: undefined,
  };
}

/** Makes the service apply each write without a response, refuse the next execution's attempt, and list records late. */
const withRefusal = ({ items, service, node, ...schedule }: Schedule): Schedule => ({
  ...schedule,
  items,
  node: { ...node, onError: 'continueRegularOutput' },
  twinMs: 20_000,
  service: {
    ...service,
    lagMs: 60_000,
    writes: items.map(() => [
      { kind: 'cut', code: 'ECONNRESET', applied: true },
      { kind: 'refused', status: 402, code: '005' },
    ]),
  },
  retries: [{ of: 'latest', waitMs: 3_600_000, doings: [], isNew: true }],
});

const ROWS_SHARE = 40;
const ROWS_SALT = 1_358_004_074;

/** Adds, removes and reorders items. A retry reads the new items only if n8n lost the earlier items (n8n.md#retries). */
function drawRows(random: Random, schedule: Schedule): Schedule {
  const { caller, items, runs, host, retries, options } = schedule;
  const count = items.length * runs;
  if (caller !== 'items' || count === 1 || !host || host.savesProgress) return schedule;
  const order = () => drawOrder(random, count);
  const edit = (): Doing => ({ kind: 'amount', item: random.integer(0, items.length - 1), cents: 300 });
  return {
    ...schedule,
    // Without Send Again, the node often only reports that it doesn't find a record.
    ...(random.percent(ROWS_SHARE) && { options: { ...options, resend: true } }),
    ...(random.percent(ROWS_SHARE) && { order: order() }),
    retries: retries.map((retry) =>
      random.percent(ROWS_SHARE)
        ? {
            ...retry,
            waitMs: 3_600_000,
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

/** Operations whose day total the node stores in n8n's database. */
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
  const limitPerDay = random.pick(isReported ? [2000, 4000, 10_000, 151_000] : [1000, 2000, 4000]);
  const limited = { ...schedule, options: { ...options, limitPerDay } };
  return isReported ? withReport(limited) : limited;
}

/**
 * After a kill or with another host, the node counts only reported writes
 * (guards.md#total-from-the-transaction-report), so the report shows each write at once.
 */
function withReport(schedule: Schedule): Schedule {
  const movesHost = (one: Doing) => one.kind === 'baseUrl' && one.spelling === OTHER_HOST;
  const isLost = schedule.host !== undefined || schedule.retries.some(({ doings }) => doings.some(movesHost));
  return isLost ? withPromptReport(schedule) : schedule;
}
const MONEY_SHARE = 70;
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
