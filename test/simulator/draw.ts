import { MONEY, moneyFacts, SALE_CENTS, type MoneyName } from './money';
import { REFUSED_CENTS } from './parameters';
import { Random } from './random';
import type { Doing, Happening, Item, Kill, OperationName, Options, Retry, Schedule } from './schedule';

/** Amount in cents that exceeds the service's sales, so that the service refuses the refund. */
const TOO_MUCH = REFUSED_CENTS;

/**
 * Returns the schedule of a seed. Equal seeds always result in equal schedules.
 * @param money operation that replaces each operation that moves money.
 */
export function draw(seed: number, money?: MoneyName): Schedule {
  const schedule = drawSchedule(seed);
  const random = new Random(seed + SHARED_SALT);
  if (schedule.caller === 'items' && random.percent(SHARED_SHARE)) return drawShared(random, schedule);
  const drawn = drawMoney(new Random(seed + MONEY_SALT), drawSecond(new Random(seed + SECOND_SALT), schedule), money);
  return drawDayLimit(new Random(seed + DAY_SALT), drawn);
}

/** Operations whose daily total the node counts in n8n's database. */
const COUNTED_BY_NODE: OperationName[] = ['invoice', 'payment', 'subscription', 'api'];
const DAY_SHARE = 25;
const DAY_SALT = 56_000_168;

/**
 * Adds the option "Limit per Day" to some schedules. Excludes schedules that empty n8n's database before a retry, because
 * the node then counts from zero.
 */
function drawDayLimit(random: Random, schedule: Schedule): Schedule {
  const { operation, second, host, retries, options } = schedule;
  const isCounted = COUNTED_BY_NODE.includes(operation) && second === undefined;
  const keepsDatabase = host !== undefined || retries.every(({ of }) => of === 'latest');
  if (!isCounted || !keepsDatabase || !random.percent(DAY_SHARE)) return schedule;
  return { ...schedule, options: { ...options, limitPerDay: random.pick([1000, 2000, 4000]) } };
}

/** Percentage of refund schedules that use a different operation that moves money. */
const MONEY_SHARE = 50;
const MONEY_SALT = 42_000_126;

/** Replaces the refunds of some schedules with another operation that moves money. */
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

/** Percentage of schedules in which one request contains several items. */
const SHARED_SHARE = 20;
const SHARED_SALT = 14_000_042;

/** Operations that one workflow can combine, because their write requests have different paths. */
const PAIRED: OperationName[] = ['refund', 'invoice', 'payment', 'subscription'];
const SECOND_SHARE = 25;
const SECOND_SALT = 28_000_084;

/** Adds a second node or tool to some schedules. The second node sends another write for each item. */
function drawSecond(random: Random, schedule: Schedule): Schedule {
  const { operation, items, runs, service } = schedule;
  if (!PAIRED.includes(operation) || !random.percent(SECOND_SHARE)) return schedule;
  const second = random.pick(PAIRED.filter((one) => one !== operation));
  const firstWrites = items.length * runs;
  // Moves half of the kills to requests of the second node.
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

/** Edits that don't apply to cards. A card has no amount and lacks the edited fields. */
const NOT_OF_CARDS: Array<Doing['kind']> = ['amount', 'field', 'limitPerItem'];

/** Replaces the items of a schedule with cards. One request contains several cards. */
function drawShared(random: Random, schedule: Schedule): Schedule {
  const { options } = schedule;
  const items = drawItems(random, random.pick([2, 3, 4, 5, 7, 9])).map(({ object, cents }) => ({
    object,
    cents: cents === REFUSED_CENTS ? 400 : cents,
    ...(options.testEnvironmentOnly === 'item' && { test: random.pick([true, 'true', false]) }),
  }));
  const order = () => {
    const left = items.map((_item, index) => index);
    const shuffled = random.list(items.length, () => left.splice(random.integer(0, left.length - 1), 1)[0] ?? 0);
    const kept = random.percent(50) ? shuffled.toSorted((a, b) => a - b) : shuffled;
    return random.percent(50) && items.length > 2
      ? kept.slice(random.integer(0, 1), items.length - random.integer(0, 1))
      : kept;
  };
  const doing = (): Doing =>
    random.percent(50)
      ? { kind: 'rows', order: order() }
      : { kind: 'amount', item: random.integer(0, items.length - 1), cents: random.pick([300, TOO_MUCH, TOO_MUCH]) };
  const objects = Math.max(...items.map(({ object }) => object)) + 1;
  const { writes } = schedule.service;
  return {
    ...schedule,
    operation: 'updater',
    items,
    ...(random.percent(40) && { order: order() }),
    options: { ...options, changing: false, limitPerItem: undefined, limitPerExecution: undefined },
    service: {
      ...schedule.service,
      writes: random.list(objects, (object) => writes[object % writes.length] ?? []),
    },
    retries: schedule.retries.map((retry) => ({
      ...retry,
      doings: [
        ...retry.doings.filter(({ kind }) => !NOT_OF_CARDS.includes(kind)),
        ...random.list(random.integer(0, 2), doing),
      ],
    })),
  };
}

function drawSchedule(seed: number): Schedule {
  const random = new Random(seed);
  const caller = random.weighted([
    [70, 'items'],
    [15, 'supplyData'],
    [15, 'engine'],
  ] as const);
  const tool = caller !== 'items';
  const operation: OperationName = random.weighted([
    [50, 'refund'],
    [15, 'invoice'],
    [15, 'payment'],
    [10, 'subscription'],
    [tool ? 0 : 10, 'api'],
    [tool ? 0 : 15, 'split'],
  ] as const);
  const calm = random.percent(10) ? 0 : random.pick([15, 35, 60]);
  const items = drawItems(
    random,
    tool
      ? random.integer(1, 3)
      : random.weighted([
          [3, 1],
          [4, 3],
          [2, 6],
          [1, 12],
        ] as const),
  );
  const options = drawOptions(random, tool);
  if (options.limitPerItem === 'item')
    for (const item of items)
      item.limit = random.weighted<unknown>([
        [6, 1000],
        [3, item.cents / 100],
        [2, 5],
        [1, ''],
        [1, 'abc'],
        [1, null],
        [1, '1,000.00'],
        [1, '50'],
      ]);
  if (options.testEnvironmentOnly === 'item')
    for (const item of items) item.test = random.pick([true, false, 'true', 1, 'false', '', null, 'perhaps']);
  const guarded = options.testEnvironmentOnly !== undefined && options.testEnvironmentOnly !== false;
  const environment = random.percent(guarded ? 40 : 10) ? 'production' : 'test';
  const objects = Math.max(...items.map(({ object }) => object)) + 1;
  const runs = !tool && random.percent(25) ? random.pick([2, 2, 4]) : 1;
  const isKilled = random.percent(tool ? 10 : 25);
  const drawKill = (): Kill => ({
    write: random.integer(1, Math.min(8, items.length * runs)),
    afterMs: random.pick([1, 2, 5, 50, 300, 2000]),
  });
  return {
    seed,
    operation,
    caller,
    items,
    runs,
    ...(runs > 1 && { loop: random.percent(60), equalRuns: random.percent(30) }),
    numbered: random.percent(50),
    node: {
      onError: tool
        ? 'stopWorkflow'
        : random.weighted([
            [5, 'stopWorkflow'],
            [3, 'continueRegularOutput'],
            [3, 'continueErrorOutput'],
          ] as const),
      tries: random.weighted([
        [4, 1],
        [3, 2],
        [3, 3],
      ] as const),
      waitMs: random.pick([10, 1000, 5000]),
    },
    options,
    service: {
      environment,
      ...(environment === 'production' &&
        random.percent(20) && { spelling: random.pick(['Production', 'prod', '', 'live']) }),
      settled: random.percent(60),
      lagMs: random.pick([0, 0, 1000, 60_000, 900_000]),
      writes: random.list(objects, () => random.list(random.integer(0, 4), () => drawHappening(random, calm))),
      reads: random.list(random.integer(0, 4), () => drawHappening(random, Math.min(calm, 30), true)),
    },
    retries:
      isKilled || random.percent(55)
        ? random.list(random.integer(1, 3), () => ({
            ...drawRetry(random, items.length, tool),
            ...(isKilled && random.percent(25) && { kill: drawKill() }),
          }))
        : [],
    ...(isKilled && {
      host: {
        major: random.percent(75) ? 2 : 1,
        savesProgress: random.percent(25),
        nodeLast: random.percent(50),
      },
      ...(random.percent(85) && { kill: drawKill() }),
    }),
    ...(!tool && random.percent(operation === 'split' ? 15 : 4) && { stopAtMs: random.pick([1, 50, 300, 5000]) }),
    agent: {
      again: tool
        ? random.list(random.integer(0, 2), () =>
            random.list(random.integer(1, 2), () => random.integer(0, items.length - 1)),
          )
        : [],
      fails: tool && random.percent(30),
      tries: tool ? random.integer(1, 2) : 1,
    },
  };
}

function drawItems(random: Random, count: number): Item[] {
  const items: Item[] = [];
  for (let index = 0; index < count; index += 1) {
    const equal = index > 0 && random.percent(15) ? items[random.integer(0, index - 1)] : undefined;
    const sameObject = index > 0 && random.percent(5) ? items[index - 1] : undefined;
    const object = equal?.object ?? sameObject?.object ?? Math.max(-1, ...items.map((item) => item.object)) + 1;
    items.push({ object, cents: equal?.cents ?? random.pick([400, 400, 1000, 1000, 1050, 2599, 9999, TOO_MUCH]) });
  }
  return items;
}

function drawOptions(random: Random, tool: boolean): Options {
  const guard = random.percent(25);
  return {
    parallel: random.pick([1, 2, 5, 20]),
    maxTries: random.pick([1, 2, 3, 5]),
    retryTime: random.pick([0, 10, 120, 600]),
    timeout: random.pick([5, 60]),
    changing: random.percent(15),
    resend: !tool && random.percent(10),
    duplicateCheck: random.percent(15),
    ...(tool && { limitPerItem: random.pick([1000, 100_000]), limitPerExecution: random.pick([2000, 1_000_000]) }),
    ...(!tool && random.percent(8) && { limitPerExecution: random.pick([2000, 10_000]) }),
    ...(tool && random.percent(15) && { allowEqual: true }),
    ...(!tool && guard && { limitPerItem: random.pick([500, 1000, 5000, 'item' as const, 'item' as const]) }),
    ...(random.percent(25) && {
      testEnvironmentOnly: tool ? random.percent(50) : random.pick([true, 'item' as const, 'item' as const]),
    }),
    ...(!tool && random.percent(12) && { returnExisting: true }),
  };
}

export function drawHappening(random: Random, share: number, reads = false): Happening {
  const latencyMs = random.weighted([
    [6, random.integer(5, 400)],
    [1, random.integer(400, 4000)],
    [1, 30_000],
  ] as const);
  if (!random.percent(share)) return { kind: 'answer', latencyMs };
  const kind = random.weighted<Happening['kind']>([
    [8, 'refused'],
    [8, 'busy'],
    [8, 'serverError'],
    [12, 'cut'],
    [4, 'noConnection'],
    [6, 'timeout'],
    [reads ? 0 : 2, 'lateApply'],
    [5, 'truncated'],
    [5, 'page'],
    [1, 'redirect'],
    [3, 'otherRefusal'],
    [2, 'emptyRecord'],
    [1, 'textRecord'],
    [reads ? 0 : 3, 'errorField'],
    [3, 'echo'],
  ]);
  const more: Partial<Happening> = {};
  if (['serverError', 'cut', 'timeout', 'page', 'truncated'].includes(kind)) more.applied = random.percent(60);
  if (kind === 'refused')
    [more.status, more.code] = random.pick([
      [402, '005'],
      [400, '104'],
      [409, '402'],
      [403, '6'],
      [402, '051'],
    ] as Array<[number, string]>);
  if (kind === 'serverError') more.status = random.pick([500, 503, 504, 408]);
  if (kind === 'busy' || more.status === 503) {
    more.retryAfter = random.pick([0, 1, 3, 30, 90, 3600]);
    more.asDate = random.percent(20);
  }
  if (kind === 'noConnection')
    more.code = random.pick(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'CERT_HAS_EXPIRED']);
  if (kind === 'cut') more.code = random.pick(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ERR_BAD_RESPONSE']);
  if (kind === 'otherRefusal') more.code = random.pick(['rcode', 'rcodeNumber', 'code', 'codeText', 'both']);
  return { kind, latencyMs, ...more };
}

function drawRetry(random: Random, items: number, tool: boolean): Retry {
  const doing = (): Doing =>
    random.weighted<() => Doing>([
      [5, () => ({ kind: 'amount', item: random.integer(0, items - 1), cents: random.pick([300, 1000, 777]) })],
      [3, () => ({ kind: 'field' })],
      [3, () => ({ kind: 'parallel' })],
      [tool ? 0 : 3, () => ({ kind: 'resend' })],
      [
        tool ? 0 : 6,
        () => ({ kind: 'resolve', looks: random.percent(70), claim: random.pick(['applied', 'notApplied']) }),
      ],
      [2, () => ({ kind: 'key' })],
      [3, () => ({ kind: 'baseUrl', spelling: random.integer(1, 5) })],
      [1, () => ({ kind: 'environment' })],
      [1, () => ({ kind: 'limitPerItem', cents: random.pick([300, 1000, 100_000]) })],
    ])();
  return {
    of: random.weighted([
      [3, 'latest'],
      [1, 'original'],
    ] as const),
    waitMs: random.pick([1000, 120_000, 3_600_000]),
    doings: random.list(
      random.weighted([
        [4, 0],
        [4, 1],
        [1, 2],
      ] as const),
      doing,
    ),
  };
}
