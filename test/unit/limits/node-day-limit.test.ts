import { NodeDayLimit } from '../../../nodes/PaymentPlatform/limits/node-day-limit';
import type { Account, Operation, Planned, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Remembered, WriteMemory } from '../../../nodes/PaymentPlatform/model/write-memory';
import type { Answer } from '../../../nodes/PaymentPlatform/model/failure';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { KeyRow } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { ProcessedData } from '../../processed-data';
import { timeIsSimulated } from '../../simulated-time';

timeIsSimulated();

const NOON = Date.parse('2026-06-15T16:00:00Z');
const HOURS = 60 * 60 * 1000;
beforeEach(() => jest.setSystemTime(NOON));

const creating = resources
  .find(({ value }) => value === 'checkout')
  ?.operations.find(({ value }) => value === 'create') as Operation;
const account = { baseUrl: 'https://service.example', merchantId: '1' } as Account;

/** n8n's database stores the total of each node. */
let workflows = 0;
interface Setting {
  database?: ProcessedData;
  mode?: string;
  workflow?: number;
  own?: Account;
}
function dayLimitOf({ database = new ProcessedData(), mode = 'trigger', workflow, own = account }: Setting = {}) {
  const number = workflow ?? (workflows += 1);
  const id = `w${number}`;
  const context = {
    helpers: database.helpers('row'),
    getMode: () => mode,
    getNode: () => ({ id: 'node' }),
    getTimezone: () => 'America/New_York',
    getWorkflow: () => ({ id }),
  };
  return { context, database, workflow: number, dayLimit: new NodeDayLimit(context as never, own) };
}

let items = 0;
const request = (amt_tran: number, limitPerDay?: number, more: object = {}) =>
  ({
    operation: creating,
    items: [(items += 1)],
    part: 0,
    effect: 'writesOnce',
    options: { limitPerDay },
    values: { path: {}, query: {}, body: { amt_tran }, node: {} },
    ...more,
  }) as unknown as PlannedRequest;
const plan = (one: PlannedRequest): Planned => ({ request: one });
const memoryOf = (recall: (one: PlannedRequest) => Remembered | undefined = () => undefined, moved = 0) =>
  ({ recall, moved: () => moved }) as unknown as WriteMemory;
const refusalsOf = (all: Planned[]) => all.map((one) => ('failure' in one ? one.failure.message : 'passes'));
const over = (limit: number, total: number, adds: number) =>
  `"Limit per Day" allows ${limit} per day. Today's total is ${total} (counted by this node), and this request would add ${adds}`;
const NOT_COUNTED = '"Limit per Day": n8n\'s database could not record today\'s total, so the item was not sent';
const applied: Answer = { ok: true, record: {} };
const failing = (outcome: 'declined' | 'unknown'): Answer => ({
  ok: false,
  failure: { outcome, message: 'm', advice: '' },
});

async function send(dayLimit: NodeDayLimit, request: PlannedRequest, answer?: Answer) {
  const [planned] = refusalsOf(await dayLimit.within([plan(request)], memoryOf()));
  if (planned !== 'passes') return planned;
  const failure = await dayLimit.leaves(request);
  if (failure) return failure.message;
  dayLimit.settle(request, answer);
  await dayLimit.end();
  return 'sent';
}

describe("the limit per day on the node's own requests", () => {
  test('uses no database for items without a limit', async () => {
    const { dayLimit, database } = dayLimitOf();
    const planned = [plan(request(4))];
    expect(await dayLimit.within(planned, memoryOf())).toBe(planned);
    await dayLimit.end();
    expect(database.calls).toBe(0);
  });

  test('refuses items above the limit in order and reserves the amounts of the other items', async () => {
    const { dayLimit } = dayLimitOf();
    const planned = [4, 5, 3, 1].map((amount) => plan(request(amount, 8)));
    expect(refusalsOf(await dayLimit.within(planned, memoryOf()))).toEqual([
      'passes',
      over(8, 4, 5),
      'passes',
      'passes',
    ]);
  });

  test("names the item, the day's time zone and the solution in a refusal", async () => {
    const { dayLimit } = dayLimitOf();
    const one = request(5, 4);
    expect(await dayLimit.within([plan(one)], memoryOf())).toEqual([
      {
        item: one.items[0],
        refused: one,
        failure: {
          outcome: 'invalid',
          message: over(4, 0, 5),
          advice:
            'The limit resets at midnight (America/New_York). A person who can edit the workflow can raise the limit in the parameters of the node.',
        },
      },
    ]);
  });

  test('counts an item without a limit but never refuses it', async () => {
    const { dayLimit } = dayLimitOf();
    const within = await dayLimit.within([plan(request(9)), plan(request(2, 10))], memoryOf());
    expect(refusalsOf(within)).toEqual(['passes', over(10, 9, 2)]);
  });

  test("doesn't count items that are refused, only read, or have a result in the memory", async () => {
    const { dayLimit } = dayLimitOf();
    const [done, open, next] = [request(9, 10), request(9, 10), request(10, 10)];
    const recall = (one: PlannedRequest): Remembered | undefined => {
      if (one === done) return { outcome: 'done', records: [] };
      return one === open ? { outcome: 'unknown' } : undefined;
    };
    const refused: Planned = { failure: { outcome: 'invalid', message: 'm', advice: '' }, item: 1 };
    const planned = [plan(done), plan(open), plan(request(9, 10, { effect: 'reads' })), plan(next)];
    expect(await dayLimit.within([...planned, refused], memoryOf(recall))).toEqual([...planned, refused]);
  });

  test('counts only the remaining steps of an item', async () => {
    const { dayLimit } = dayLimitOf();
    const steps = { sends: [], each: [{}, {}] };
    const one = request(9, 10, { operation: { ...creating, steps } });
    const recall = ({ part }: PlannedRequest): Remembered | undefined =>
      part === 0 ? { outcome: 'done', records: [] } : undefined;
    const within = await dayLimit.within([plan(one), plan(request(9, 10))], memoryOf(recall, 800));
    expect(refusalsOf(within)).toEqual(['passes', 'passes']);
  });
});

describe('the amounts of earlier runs', () => {
  test.each([
    ['applied', applied, over(10, 7, 4)],
    ['unknown', failing('unknown'), over(10, 7, 4)],
    ['declined', failing('declined'), 'sent'],
    ['not sent', undefined, 'sent'],
  ])('earlier requests with the outcome %s count if money may have moved', async (_, answer, next) => {
    const { database, dayLimit } = dayLimitOf({ workflow: 1e6 + workflows });
    expect(await send(dayLimit, request(7, 10), answer)).toBe('sent');
    expect(await send(dayLimitOf({ database, workflow: 2e6 + workflows }).dayLimit, request(4, 10), applied)).toBe(
      next,
    );
  });

  test('an earlier request counts if sending it threw an error', async () => {
    const { database, dayLimit } = dayLimitOf();
    const one = request(7, 10);
    await dayLimit.within([plan(one)], memoryOf());
    await dayLimit.leaves(one);
    await dayLimit.end();
    expect(await send(dayLimitOf({ database }).dayLimit, request(4, 10), applied)).toBe(over(10, 7, 4));
  });

  test('the amounts of unsent items no longer count, and other amounts still count', async () => {
    const { database, dayLimit } = dayLimitOf();
    expect(await send(dayLimit, request(5, 10), applied)).toBe('sent');
    const { dayLimit: refused } = dayLimitOf({ database });
    await refused.within([plan(request(3, 10)), plan(request(2, 10))], memoryOf());
    await refused.end();
    expect(await send(dayLimitOf({ database }).dayLimit, request(6, 10), applied)).toBe(over(10, 5, 6));
  });

  test("unsent items of the day before don't lower today's total", async () => {
    const { database, dayLimit } = dayLimitOf();
    await dayLimit.within([plan(request(6, 10))], memoryOf());
    jest.setSystemTime(NOON + 13 * HOURS);
    expect(await send(dayLimitOf({ database }).dayLimit, request(7, 10), applied)).toBe('sent');
    await dayLimit.end();
    expect(await send(dayLimitOf({ database }).dayLimit, request(4, 10), applied)).toBe(over(10, 7, 4));
  });

  test("amounts of earlier runs count until midnight in the workflow's time zone", async () => {
    const { database, dayLimit } = dayLimitOf();
    expect(await send(dayLimit, request(7, 10), applied)).toBe('sent');
    jest.setSystemTime(NOON + 11.9 * HOURS);
    expect(await send(dayLimitOf({ database }).dayLimit, request(7, 10), applied)).toBe(over(10, 7, 7));
    jest.setSystemTime(NOON + 12.1 * HOURS);
    expect(await send(dayLimitOf({ database }).dayLimit, request(7, 10), applied)).toBe('sent');
  });

  test('amounts of earlier runs count only for the same account', async () => {
    const { database, dayLimit } = dayLimitOf();
    expect(await send(dayLimit, request(7, 10), applied)).toBe('sent');
    const own = { ...account, merchantId: '2' };
    expect(await send(dayLimitOf({ database, own }).dayLimit, request(7, 10), applied)).toBe('sent');
  });

  test('the amounts of a killed run count, even if its items were not sent', async () => {
    const { database, dayLimit } = dayLimitOf();
    await dayLimit.within([plan(request(6, 10)), plan(request(3, 10))], memoryOf());
    expect(await send(dayLimitOf({ database }).dayLimit, request(2, 10), applied)).toBe(over(10, 9, 2));
  });

  test('the amounts of simultaneous runs count', async () => {
    const { database } = dayLimitOf();
    const workflow = (workflows += 1);
    const sent = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => await send(dayLimitOf({ database, workflow }).dayLimit, request(4, 10), applied)),
    );
    expect(sent.filter((one) => one === 'sent')).toHaveLength(2);
  });
});

describe('an item that is about to be sent', () => {
  test.each([
    ['may already exist', 'trigger', { existing: { then: 'return' } }],
    ['belongs to a retry', 'retry', {}],
  ])('an item reserves its amount when it is sent if it %s', async (_, mode, options) => {
    const { dayLimit } = dayLimitOf({ mode });
    const all = [6, 5, 4].map((amount) => request(amount, 10, { options: { limitPerDay: 10, ...options } }));
    expect(refusalsOf(await dayLimit.within(all.map(plan), memoryOf()))).toEqual(['passes', 'passes', 'passes']);
    const failures: unknown[] = [];
    for (const one of all) failures.push((await dayLimit.leaves(one))?.message);
    expect(failures).toEqual([undefined, over(10, 6, 5), undefined]);
  });

  test('an item reserves its amount again if a new day has begun since the check', async () => {
    const { dayLimit, database } = dayLimitOf();
    const one = request(6, 10);
    await dayLimit.within([plan(one)], memoryOf());
    jest.setSystemTime(NOON + 13 * HOURS);
    expect(await dayLimit.leaves(one)).toBeUndefined();
    expect(await send(dayLimitOf({ database }).dayLimit, request(5, 10), applied)).toBe(over(10, 6, 5));
  });

  test('keeps the amount of an item if a later step is refused', async () => {
    const { dayLimit, database } = dayLimitOf();
    const one = request(6, 10);
    await dayLimit.within([plan(one)], memoryOf());
    for (const answer of [applied, failing('declined')]) {
      await dayLimit.leaves(one);
      dayLimit.settle(one, answer);
    }
    await dayLimit.end();
    expect(await send(dayLimitOf({ database }).dayLimit, request(5, 10), applied)).toBe(over(10, 6, 5));
  });

  test('records the total again before n8n removes it to make room for the keys of many requests', async () => {
    const { context, dayLimit, database, workflow } = dayLimitOf();
    const { dayLimit: other } = dayLimitOf({ database, workflow });
    const one = request(6, 20);
    await dayLimit.within([plan(one)], memoryOf());
    // A request records up to 25 keys.
    const sends = async (limit: NodeDayLimit) => {
      await limit.leaves(one);
      const keys = Array.from({ length: 25 }, (_, index) => `${(items += 1)} ${index}`);
      await KeyRow.ofNode(context as never).record(database.helpers('row'), keys);
    };
    for (let sent = 0; sent < 500; sent += 1) {
      await sends(dayLimit);
      await sends(other);
    }
    expect(await send(dayLimitOf({ database }).dayLimit, request(9, 20), applied)).toBe(over(20, 12, 9));
  });
});

describe('an amount that the node could not reserve', () => {
  const during = (database: ProcessedData, call: number, happens: () => Promise<unknown> | void) => {
    const check = database.check.bind(database);
    let seen = 0;
    database.check = async (...all) => {
      seen += 1;
      if (seen === call) await happens();
      return await check(...all);
    };
  };
  const reservations = {
    'before anything is sent': async (dayLimit: NodeDayLimit, one: PlannedRequest) =>
      refusalsOf(await dayLimit.within([plan(one)], memoryOf()))[0],
    'right before sending': async (dayLimit: NodeDayLimit, one: PlannedRequest) =>
      (await dayLimit.leaves(one))?.message,
  };

  test.each(Object.entries(reservations))(
    'lowers no total at the end of the run if another process used the amount, checked %s',
    async (_, reserve) => {
      const { database, dayLimit } = dayLimitOf();
      during(database, 1, async () => {
        expect(await send(dayLimitOf({ database }).dayLimit, request(10, 10), applied)).toBe('sent');
      });
      expect(await reserve(dayLimit, request(10, 10))).toBe(over(10, 10, 10));
      await dayLimit.end();
      expect(await send(dayLimitOf({ database }).dayLimit, request(10, 10), applied)).toBe(over(10, 10, 10));
    },
  );

  test.each(Object.entries(reservations))(
    'lowers no total at the end of the run if the database failed, checked %s',
    async (_, reserve) => {
      const { database, dayLimit: earlier } = dayLimitOf();
      expect(await send(earlier, request(6, 10), applied)).toBe('sent');
      const { dayLimit } = dayLimitOf({ database });
      during(database, 2, () => void (database.failing = new Error('disk full')));
      expect(await reserve(dayLimit, request(4, 10))).toBe(NOT_COUNTED);
      delete database.failing;
      await dayLimit.end();
      expect(await send(dayLimitOf({ database }).dayLimit, request(5, 10), applied)).toBe(over(10, 6, 5));
    },
  );
});

describe("a failure of n8n's database", () => {
  const broken = () => {
    const database = new ProcessedData();
    database.failing = new Error('disk full');
    return dayLimitOf({ database });
  };

  test('before anything is sent, a database failure stops only items with a limit', async () => {
    const { dayLimit } = broken();
    const within = await dayLimit.within([plan(request(1)), plan(request(1, 10))], memoryOf());
    expect(refusalsOf(within)).toEqual(['passes', NOT_COUNTED]);
  });

  test('right before sending, a database failure stops only an item with a limit', async () => {
    const { dayLimit } = broken();
    expect(await dayLimit.leaves(request(1, 10))).toEqual({
      outcome: 'notSent',
      message: NOT_COUNTED,
      advice: "If the workflow is new, save it. Run this item again when n8n's database works.",
    });
    const free = request(1);
    expect(await dayLimit.leaves(free)).toBeUndefined();
    expect(() => dayLimit.settle(free, applied)).not.toThrow();
  });

  test('a database failure at the end of a run discards no results', async () => {
    const { dayLimit, database } = dayLimitOf();
    const one = request(1, 10);
    await dayLimit.within([plan(one)], memoryOf());
    database.failing = new Error('disk full');
    await expect(dayLimit.end()).resolves.toBeUndefined();
  });
});
