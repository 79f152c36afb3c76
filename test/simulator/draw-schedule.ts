import { REFUSED_CENTS } from './parameters';
import { Random } from './random';
import type { Doing, Happening, Item, Kill, OperationName, Options, Retry, Schedule } from './schedule';

/** Amount in cents larger than any sale in the service, so that it refuses the refund. */
export const TOO_MUCH = REFUSED_CENTS;

export function drawSchedule(seed: number): Schedule {
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

export function drawItems(random: Random, count: number): Item[] {
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
    [reads ? 0 : 3, 'answer'],
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
