import type { IDataObject } from 'n8n-workflow';

import { ReportDayLimit } from '../../../nodes/PaymentPlatform/limits/report-day-limit';
import { NotStarted } from '../../../nodes/PaymentPlatform/service/gate';
import type { Planned, Account, Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Remembered, WriteMemory } from '../../../nodes/PaymentPlatform/model/write-memory';
import type { Answer } from '../../../nodes/PaymentPlatform/model/failure';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { DayWriteRecorder, dayWritesOf } from '../../../nodes/PaymentPlatform/limits/day-writes';
import type { DayRecords } from '../../../nodes/PaymentPlatform/model/day-records';
import { accountAtService } from '../../../nodes/PaymentPlatform/service/account';
import { BASE_URL, fakeService, type Asked, type Reply } from '../fake-service';

const NOON = Date.parse('2026-06-15T16:00:00Z');
beforeEach(() => jest.useFakeTimers({ now: NOON, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** The process remembers each account's amounts. */
let accounts = 0;
const newAccount = () => ({ baseUrl: BASE_URL, merchantId: String((accounts += 1)) }) as Account;
const options = { maxParallelRequests: 5, timeoutMs: 1, maxTries: 1, retryTimeMs: 0 };
const dayLimitOf = (
  reply: (asked: Asked, number: number) => Reply = () => ({}),
  account = newAccount(),
  more: object = {},
) => {
  const { context, asked } = fakeService(reply, more);
  return { asked, account, dayLimit: new ReportDayLimit({ context, account, options }) };
};

let items = 0;
const request = (amt_tran: number, limitPerDay?: number, more: object = {}) =>
  ({
    operation: refund as unknown as Operation,
    items: [(items += 1)],
    part: 0,
    effect: 'writesOnce',
    options: { limitPerDay },
    values: { path: { pgIdOrig: '1' }, query: {}, body: { amt_tran }, node: {} },
    ...more,
  }) as unknown as PlannedRequest;
const plan = (one: PlannedRequest): Planned => ({ request: one });
const memoryOf = (recall: (one: PlannedRequest) => Remembered | undefined = () => undefined, moved = 0) =>
  ({ recall, moved: () => moved }) as unknown as WriteMemory;

const reported = (pg_id: string, amt_tran: number, more: IDataObject = {}): IDataObject => ({
  ...{ rec_id: pg_id, pg_id, pg_id_linked: '1', amt_tran, request_type: 'refund', tran_status: 'P', rcode: '000' },
  ...{ tran_time: '2026-06-15T15:59:30.000Z', ...more },
});
const applied = (pg_id: string): Answer => ({ ok: true, record: { pg_id } });
const failing = (outcome: 'invalid' | 'declined' | 'unknown' | 'notSent'): Answer => ({
  ok: false,
  failure: { outcome, message: 'm', advice: '' },
});
const refusalsOf = (all: Planned[]) => all.map((one) => ('failure' in one ? one.failure.message : 'passes'));
const allows = (limit: number, taken: number, shown: string, adds: number) =>
  `"Limit per Day" allows ${limit} per day. Today's total is ${taken} (${shown}), and this request would add ${adds}`;

describe('checking the limit per day before anything is sent', () => {
  test('reads no report for items without the limit', async () => {
    const { dayLimit, asked } = dayLimitOf();
    const planned = [plan(request(4))];
    expect(await dayLimit.within(planned, memoryOf())).toEqual(planned);
    expect(asked).toEqual([]);
  });

  test('reads no report for reads, operations without a limit per day, and failed items', async () => {
    const { dayLimit, asked } = dayLimitOf();
    const planned: Planned[] = [
      plan(request(4, 1, { effect: 'reads' })),
      plan(request(4, 1, { operation: { ...refund, dayRecords: undefined } })),
      { failure: { outcome: 'invalid', message: 'm', advice: '' }, item: 3 },
    ];
    expect(await dayLimit.within(planned, memoryOf())).toEqual(planned);
    expect(asked).toEqual([]);
  });

  test('refuses items above the limit in order and still reserves the amounts of the other items', async () => {
    const { dayLimit } = dayLimitOf(() => ({ data: [reported('a', 6)] }));
    const planned = [4, 5, 3, 1].map((amount) => plan(request(amount, 14)));
    const within = await dayLimit.within(planned, memoryOf());
    const shown = '6 from 1 refunds, voids and credits in the transaction report';
    expect(refusalsOf(within)).toEqual([
      'passes',
      allows(14, 10, `${shown}, 4 from 1 not shown there yet`, 5),
      'passes',
      'passes',
    ]);
  });

  test("names the item, the day's time zone and the solution in a refusal", async () => {
    const { dayLimit } = dayLimitOf();
    const over = request(5, 4);
    expect(await dayLimit.within([plan(over)], memoryOf())).toEqual([
      {
        item: over.items[0],
        refused: over,
        failure: {
          outcome: 'invalid',
          message: allows(4, 0, '0 from 0 refunds, voids and credits in the transaction report', 5),
          advice:
            'The limit resets at midnight (America/New_York). A person who can edit the workflow can raise the limit in the parameters of the node.',
        },
      },
    ]);
  });

  test('counts an item without a limit but never refuses it', async () => {
    const { dayLimit } = dayLimitOf();
    const within = await dayLimit.within([plan(request(9)), plan(request(2, 10))], memoryOf());
    expect(refusalsOf(within)).toEqual([
      'passes',
      allows(10, 9, '0 from 0 refunds, voids and credits in the transaction report, 9 from 1 not shown there yet', 2),
    ]);
  });

  test("doesn't count items with a remembered result", async () => {
    const { dayLimit } = dayLimitOf();
    const [done, open, next] = [request(9, 10), request(9, 10), request(2, 10)];
    const recall = (one: PlannedRequest): Remembered | undefined => {
      if (one === done) return { outcome: 'done', records: [] };
      return one === open ? { outcome: 'unknown' } : undefined;
    };
    const within = await dayLimit.within([done, open, next].map(plan), memoryOf(recall));
    expect(refusalsOf(within)).toEqual(['passes', 'passes', 'passes']);
  });

  test('counts an item that may already exist only when the item is sent', async () => {
    const { dayLimit } = dayLimitOf();
    const mayExist = request(9, 10, { options: { limitPerDay: 10, existing: { then: 'return' } } });
    const other = request(9, 10);
    expect(refusalsOf(await dayLimit.within([mayExist, other].map(plan), memoryOf()))).toEqual(['passes', 'passes']);
    expect(await dayLimit.leaves(mayExist)).toMatchObject({ outcome: 'invalid' });
    expect(await dayLimit.leaves(other)).toBeUndefined();
  });

  test('counts an item that the report may contain only when a retry sends the item', async () => {
    const mode = (getMode: string) => ({ getMode: () => getMode });
    const shown = () => ({ data: [reported('a', 6)] });
    const retry = dayLimitOf(shown, newAccount(), mode('retry'));
    const [first, second] = [request(6, 8), request(6, 8)];
    expect(refusalsOf(await retry.dayLimit.within([first, second].map(plan), memoryOf()))).toEqual([
      'passes',
      expect.stringContaining("Today's total is 6") as string,
    ]);
    const manual = dayLimitOf(shown, newAccount(), mode('manual'));
    expect(refusalsOf(await manual.dayLimit.within([plan(request(6, 8))], memoryOf()))).not.toEqual(['passes']);
  });

  test.each([
    ['is of another sale', { pg_id_linked: '2' }],
    ['was made more than two minutes before the day', { tran_time: '2026-06-15T03:57:59.000Z' }],
  ])("doesn't assign a record to an item in a retry if the item %s", async (_, more) => {
    const records = [reported('a', 6, more), reported('b', 3)];
    const { dayLimit } = dayLimitOf(() => ({ data: records }), newAccount(), { getMode: () => 'retry' });
    expect(refusalsOf(await dayLimit.within([plan(request(6, 8))], memoryOf()))).not.toEqual(['passes']);
  });

  test("sends nothing if the report can't be read, except items without a limit", async () => {
    const { dayLimit } = dayLimitOf(() => ({ status: 403, data: {} }));
    const mayExist = request(1, 4, { options: { limitPerDay: 4, existing: { then: 'return' } } });
    const within = await dayLimit.within([request(1, 4), request(1), mayExist].map(plan), memoryOf());
    const refused = expect.stringMatching(
      /^"Limit per Day": the node could not calculate the day's total from the transaction report, so nothing was sent: /,
    ) as string;
    expect(refusalsOf(within)).toEqual([refused, 'passes', refused]);
  });

  test.each([
    ['an item of a retry', { getMode: () => 'retry' }],
    ["a tool's call", { getNode: () => ({ type: 'paymentPlatformTool' }) }],
  ])("refuses %s only when it is sent if the report can't be read", async (_, more) => {
    const { dayLimit } = dayLimitOf(() => ({ status: 403, data: {} }), newAccount(), more);
    const one = request(1, 4);
    expect(refusalsOf(await dayLimit.within([plan(one)], memoryOf()))).toEqual(['passes']);
    expect(await dayLimit.leaves(one)).toMatchObject({
      message: expect.stringContaining('so nothing was sent: ') as string,
    });
  });

  test('reads the report again for the next attempt after a failure', async () => {
    let requests = 0;
    const reply = () => ({ status: (requests += 1) === 1 ? 403 : 200, data: [] });
    const { dayLimit } = dayLimitOf(reply, newAccount(), { getMode: () => 'retry' });
    const one = request(1, 4);
    expect(await dayLimit.leaves(one)).toBeDefined();
    expect(await dayLimit.leaves(one)).toBeUndefined();
  });

  test('refuses no item after the user stops the run, because the gate sends nothing', async () => {
    const { dayLimit } = dayLimitOf(undefined, newAccount(), { getExecutionCancelSignal: () => ({ aborted: true }) });
    const planned = [plan(request(9, 4))];
    expect(await dayLimit.within(planned, memoryOf())).toEqual(planned);
  });

  test('throws any other read error', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    const { dayLimit } = dayLimitOf(undefined, newAccount(), { getExecutionCancelSignal: broken });
    await expect(dayLimit.within([plan(request(9, 4))], memoryOf())).rejects.toThrow('broken');
  });

  test("counts the amounts of an item's earlier steps once", async () => {
    const { dayLimit } = dayLimitOf();
    const steps = { each: [{}, {}] };
    const stepped = request(9, 4, { operation: { ...refund, steps } });
    const recall = (one: PlannedRequest): Remembered | undefined =>
      one.part === 0 ? { outcome: 'done', records: [] } : undefined;
    expect(refusalsOf(await dayLimit.within([plan(stepped)], memoryOf(recall, 500)))).toEqual(['passes']);
    const other = dayLimitOf();
    expect(refusalsOf(await other.dayLimit.within([plan(stepped)], memoryOf(recall, 499)))).not.toEqual(['passes']);
  });
});

describe('the limit per day of two runs', () => {
  const first = async (account: Account) => {
    const run = dayLimitOf(undefined, account);
    const kept = request(6, 10);
    await run.dayLimit.within([plan(kept)], memoryOf());
    return { ...run, kept };
  };
  const roomIsTaken = async (account: Account, reply?: () => Reply) => {
    const within = await dayLimitOf(reply, account).dayLimit.within([plan(request(6, 10))], memoryOf());
    return refusalsOf(within)[0] !== 'passes';
  };

  test('the limit per day of two runs is shared by runs of one account and separate for other merchants', async () => {
    const { account } = await first(newAccount());
    expect(await roomIsTaken(account)).toBe(true);
    expect(await roomIsTaken(newAccount())).toBe(false);
  });

  test.each<[string, boolean, Answer | undefined]>([
    ['was applied', true, applied('r1')],
    ['has an unknown outcome', true, failing('unknown')],
    ['was declined', false, failing('declined')],
    ['was not sent', false, failing('notSent')],
    ['did not leave', false, undefined],
  ])('keeps the reserved amount of a request that %s: %s', async (_, keeps, answer) => {
    const { account, dayLimit, kept } = await first(newAccount());
    await dayLimit.leaves(kept);
    dayLimit.settle(kept, answer);
    expect(await roomIsTaken(account)).toBe(keeps);
  });

  test('counts a refund once if the report contains its ID', async () => {
    const { account, dayLimit, kept } = await first(newAccount());
    await dayLimit.leaves(kept);
    dayLimit.settle(kept, applied('r1'));
    const other = dayLimitOf(() => ({ data: [reported('r1', 6)] }), account).dayLimit;
    expect(refusalsOf(await other.within([plan(request(4, 10))], memoryOf()))).toEqual(['passes']);
    other.end();
    const unlike = dayLimitOf(() => ({ data: [reported('r2', 6)] }), account).dayLimit;
    expect(refusalsOf(await unlike.within([plan(request(4, 10))], memoryOf()))).not.toEqual(['passes']);
  });

  test.each([
    ['was voided', { tran_status: 'V' }, true],
    ['was declined later', { rcode: '005' }, true],
    ['has another type', { request_type: 'sale' }, false],
    ['belongs to another day', { tran_time: '2026-06-14T12:00:00.000Z' }, false],
  ])('counts no refund that the report shows without an effect: %s', async (_, more, isFree) => {
    const { account, dayLimit, kept } = await first(newAccount());
    await dayLimit.leaves(kept);
    dayLimit.settle(kept, applied('r1'));
    const other = dayLimitOf(() => ({ data: [reported('r1', 6, more)] }), account).dayLimit;
    expect(refusalsOf(await other.within([plan(request(10, 10))], memoryOf()))[0] === 'passes').toBe(isFree);
  });

  test.each([
    ['of the same sale', {}, true],
    ['of another sale', { pg_id_linked: '2' }, false],
    ['two minutes before it left', { tran_time: '2026-06-15T15:58:00.000Z' }, true],
    ['more than two minutes before it left', { tran_time: '2026-06-15T15:57:59.999Z' }, false],
    ['whose time is unknown', { tran_time: undefined }, false],
  ])('assigns a record %s to a refund without an ID: %s', async (_, more, counts) => {
    const { account, dayLimit, kept } = await first(newAccount());
    await dayLimit.leaves(kept);
    dayLimit.settle(kept, { ok: true, record: {} });
    jest.setSystemTime(NOON + 1000);
    const other = dayLimitOf(() => ({ data: [reported('r2', 6, more)] }), account).dayLimit;
    expect(refusalsOf(await other.within([plan(request(4, 10))], memoryOf()))[0] === 'passes').toBe(counts);
  });

  test('removes the reserved amounts of unsent items at the end of a run', async () => {
    const account = newAccount();
    const { dayLimit } = dayLimitOf(undefined, account);
    const [sent, unsent] = [request(3, 10), request(4, 10)];
    await dayLimit.within([sent, unsent].map(plan), memoryOf());
    await dayLimit.leaves(sent);
    dayLimit.end();
    const within = await dayLimitOf(undefined, account).dayLimit.within([plan(request(8, 10))], memoryOf());
    expect(refusalsOf(within)).toEqual([
      allows(10, 3, '0 from 0 refunds, voids and credits in the transaction report, 3 from 1 not shown there yet', 8),
    ]);
  });
});

describe('requests without a limit', () => {
  const over = (takenCents: number, count = 1) =>
    allows(
      10,
      takenCents,
      `0 from 0 refunds, voids and credits in the transaction report, ${takenCents} from ${count} not shown there yet`,
      10,
    );
  const recorder = () => {
    const account = newAccount();
    return { account, dayLimit: new DayWriteRecorder(account) };
  };
  const laterRun = async (account: Account) =>
    refusalsOf(await dayLimitOf(undefined, account).dayLimit.within([plan(request(10, 10))], memoryOf()))[0];

  test.each([
    ['was applied', applied('r1'), over(4)],
    ['has a response without an ID', { ok: true, record: [] } as Answer, over(4)],
    ['has an unknown outcome', failing('unknown'), over(4)],
    ['was declined', failing('declined'), 'passes'],
    ['did not leave', undefined, 'passes'],
  ])('count in a later run if the request %s', async (_, answer, expected) => {
    const { dayLimit, account } = recorder();
    const one = request(4);
    await dayLimit.leaves(one);
    dayLimit.settle(one, answer);
    dayLimit.end();
    expect(await laterRun(account)).toBe(expected);
  });

  test.each([
    ['999', 'passes'],
    [undefined, over(4)],
  ])('count only for the merchant of the credential, not for %j', async (merchant, expected) => {
    const { dayLimit, account } = recorder();
    const body = { amt_tran: 4 };
    const values = { path: { pgIdOrig: '1' }, query: {}, body, node: {}, ...(merchant !== undefined && { merchant }) };
    const other = request(4, undefined, { values });
    await dayLimit.leaves(other);
    dayLimit.settle(other, applied('r1'));
    expect(await laterRun(account)).toBe(expected);
  });

  test('of another merchant reserve nothing in a run with limits', async () => {
    const { dayLimit } = dayLimitOf();
    const values = { path: { pgIdOrig: '1' }, query: {}, body: { amt_tran: 4 }, node: {}, merchant: '999' };
    const other = request(4, undefined, { values });
    expect(refusalsOf(await dayLimit.within([other, request(10, 10)].map(plan), memoryOf()))).toEqual([
      'passes',
      'passes',
    ]);
  });

  test('are not refused', async () => {
    const { dayLimit } = recorder();
    const planned = [plan(request(4))];
    expect(await dayLimit.within(planned, memoryOf())).toEqual(planned);
  });

  test('count until the end of the request even if it is attempted twice', async () => {
    const { dayLimit, account } = recorder();
    const one = request(4);
    await dayLimit.leaves(one);
    dayLimit.settle(one, failing('unknown'));
    await dayLimit.leaves(one);
    expect(await laterRun(account)).toBe(over(4));
  });

  test.each(['r1', undefined])('count only their approved part (ID %s)', async (pg_id) => {
    const { dayLimit, account } = recorder();
    const partialFailure = {
      find: () => ({ text: '', about: '', failure: {}, unmovedCents: 300 }),
      fails: () => false,
    };
    const one = request(4, undefined, { operation: { ...refund, partialFailure } });
    await dayLimit.leaves(one);
    dayLimit.settle(one, { ok: true, record: { pg_id } });
    expect(await laterRun(account)).toBe(over(1));
  });

  test('keep no values of a request whose ID is known', async () => {
    const { dayLimit, account } = recorder();
    const [known, open] = [request(4), request(4)];
    for (const one of [known, open]) await dayLimit.leaves(one);
    dayLimit.settle(known, applied('r1'));
    const all = dayWritesOf(refund.dayRecords as DayRecords, accountAtService(account)).all();
    expect(all.map(({ id, write }) => [id, write !== undefined])).toEqual([
      ['r1', false],
      [undefined, true],
    ]);
  });
});

describe('checking the limit per day right before sending', () => {
  test('reads no report for requests without a limit per day or a limit', async () => {
    const { dayLimit, asked } = dayLimitOf();
    expect(await dayLimit.leaves(request(4))).toBeUndefined();
    expect(await dayLimit.leaves(request(4, 1, { operation: { ...refund, dayRecords: undefined } }))).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('reads no report if every item with a limit is done', async () => {
    const { dayLimit, asked } = dayLimitOf();
    const [done, other] = [request(4, 10), request(4)];
    const recall = ({ items: [item] }: PlannedRequest): Remembered | undefined =>
      item === done.items[0] ? { outcome: 'done', records: [] } : undefined;
    await dayLimit.within([done, other].map(plan), memoryOf(recall));
    expect(asked).toEqual([]);
  });

  test('reads the report once for requests that were not reserved', async () => {
    const { dayLimit, asked } = dayLimitOf();
    for (const one of [request(1, 10), request(1, 10)]) expect(await dayLimit.leaves(one)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  test('sends a request with a reserved amount even if later requests without a limit used the rest', async () => {
    const account = newAccount();
    const [one, other] = [dayLimitOf(undefined, account).dayLimit, dayLimitOf(undefined, account).dayLimit];
    const reserved = request(6, 10);
    await one.within([plan(reserved)], memoryOf());
    expect(await other.leaves(request(9))).toBeUndefined();
    expect(await one.leaves(reserved)).toBeUndefined();
  });

  test('reads the report once per run', async () => {
    const { dayLimit, asked } = dayLimitOf();
    const [one, other] = [request(1, 10), request(1, 10)];
    await dayLimit.within([one, other].map(plan), memoryOf());
    expect(await dayLimit.leaves(one)).toBeUndefined();
    expect(await dayLimit.leaves(other)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  test("doesn't count a request twice if its amount is already reserved", async () => {
    const { dayLimit } = dayLimitOf();
    const one = request(6, 10);
    await dayLimit.within([plan(one)], memoryOf());
    expect([await dayLimit.leaves(one), await dayLimit.leaves(one)]).toEqual([undefined, undefined]);
  });

  test('removes a reserved amount of an earlier day and reads the new day', async () => {
    const { dayLimit, asked } = dayLimitOf((_, number) => ({
      data: number === 1 ? [] : [reported('a', 6, { tran_time: '2026-06-16T10:00:00.000Z' })],
    }));
    const one = request(6, 10);
    await dayLimit.within([plan(one)], memoryOf());
    jest.setSystemTime(Date.parse('2026-06-16T12:00:00Z'));
    expect(await dayLimit.leaves(one)).toMatchObject({
      message: expect.stringContaining("Today's total is 6") as string,
    });
    expect(asked).toHaveLength(2);
  });

  test('counts a request without a limit toward the limits of other requests', async () => {
    const { dayLimit } = dayLimitOf();
    await dayLimit.within([plan(request(1, 10))], memoryOf());
    expect(await dayLimit.leaves(request(9))).toBeUndefined();
    expect(await dayLimit.leaves(request(1, 10))).toMatchObject({ outcome: 'invalid' });
  });

  test('keeps the amount of a sent request at the end of the run', async () => {
    const { dayLimit, account } = dayLimitOf();
    expect(await dayLimit.leaves(request(6, 10))).toBeUndefined();
    dayLimit.end();
    expect(await dayLimitOf(undefined, account).dayLimit.leaves(request(5, 10))).toMatchObject({ outcome: 'invalid' });
  });

  test("refuses a request with the reason if the report can't be read", async () => {
    const { dayLimit } = dayLimitOf(() => ({ status: 403, data: {} }));
    expect(await dayLimit.leaves(request(1, 10))).toMatchObject({
      message: expect.stringContaining('so nothing was sent: ') as string,
    });
  });

  test("uses the item's reserved amount for its steps", async () => {
    const { dayLimit } = dayLimitOf();
    const asked = request(6, 10);
    const step = {
      ...request(6, 10),
      decided: { asked: { ...asked }, to: refund.request, kept: [] },
    } as unknown as PlannedRequest;
    await dayLimit.within([plan(asked)], memoryOf());
    expect(await dayLimit.leaves(step)).toBeUndefined();
    dayLimit.settle(step, failing('declined'));
    expect(await dayLimit.leaves(request(10, 10))).toBeUndefined();
  });

  test("doesn't send a request if the run stops while the report is read", async () => {
    const { dayLimit } = dayLimitOf(undefined, newAccount(), { getExecutionCancelSignal: () => ({ aborted: true }) });
    await expect(dayLimit.leaves(request(1, 10))).rejects.toBeInstanceOf(NotStarted);
  });
});
