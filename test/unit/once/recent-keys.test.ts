import type { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { KeyRow } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { ProcessedData } from '../../processed-data';
import { timeIsSimulated } from '../../simulated-time';
import { journalBench } from './journal-bench';
import { failAt, inOrder, slow, startProcess, turns, type Process } from './keys-bench';

timeIsSimulated();

const bench = journalBench();
const other = startProcess();
const START = new Date('2030-01-01T12:00:20Z').getTime();
const MINUTE = 60_000;
beforeEach(() => jest.setSystemTime(START));

let executions = 0;
const payment = (item = 0, amt_tran = 4, options: object = {}): PlannedRequest =>
  ({
    ...{ items: [item], part: 0, operation: refund, effect: 'writesOnce', method: 'POST', path: '/pg/refund/42' },
    options,
    values: { path: { pgIdOrig: '42' }, query: {}, body: { amt_tran }, node: {} },
  }) as unknown as PlannedRequest;

/** Opens the keys of a new execution that a person starts in Production. */
const open = (requests = [payment()], process?: Process, mode = 'manual'): DatabaseKeys => {
  executions += 1;
  const id = String(executions);
  const execution = { id, mode, established: executions, account: { environment: 'production' as const } };
  return bench.keysOf({ ...execution, ...(process && { process }) }, requests);
};

/** Returns how many of the payments the node may send. */
async function begin(keys: DatabaseKeys, requests = [payment()]): Promise<number> {
  const sent = await Promise.all(
    requests.map(async (one) => (await keys.begin(one, '0.0')) === undefined && !keys.earlierPayment(one)),
  );
  return sent.filter(Boolean).length;
}

test('the keys distinguish a payment that was made from one whose outcome is unknown', async () => {
  const [done, unknown] = [payment(0, 1), payment(1, 2)];
  for (const [one, outcome] of [
    [done, 'done'],
    [unknown, 'unknown'],
  ] as const) {
    const keys = open([one]);
    expect(await begin(keys, [one])).toBe(1);
    keys.settle(one, outcome);
    await keys.end();
  }
  KeyRow.workflows.clear();
  const keys = open([done, unknown]);
  expect(await begin(keys, [done, unknown])).toBe(0);
  expect([done, unknown].map((one) => keys.earlierPayment(one)?.made)).toEqual(['whole', undefined]);
});

test.each([1, 2, 3, 4, 5, 6])(
  "a payment that was not sent, because call %i of n8n's database failed, leaves no key",
  async (call) => {
    const one = payment();
    const keys = open([one]);
    await begin(keys, [payment(1, 99)]);
    const repair = failAt(bench.database, call);
    const failed = await begin(keys, [one]).catch((error: Error) => error.message);
    if (failed === 1) keys.settle(one, 'refused');
    else expect(failed).toBe("n8n's database failed");
    repair();
    await keys.end();
    KeyRow.workflows.clear();
    expect(await begin(open([one]), [one])).toBe(1);
  },
);

test('a payment whose record a look-up found was made', async () => {
  const one = payment();
  const keys = open([one]);
  await begin(keys, [one]);
  keys.settle(one, 'unknown');
  keys.recordApplied(one);
  await keys.end();
  const later = open([one]);
  await begin(later, [one]);
  expect(later.earlierPayment(one)?.made).toBe('whole');
});

test.each([
  ['refused', 'refused', true],
  ['not necessary', 'done', false],
] as const)(
  'a payment that was %s leaves no key, unless an equal one of the execution does',
  async (_, outcome, isSent) => {
    const rows = [payment(0), payment(1)];
    const [first, second] = rows as [PlannedRequest, PlannedRequest];
    const keys = open(rows);
    expect(await begin(keys, rows)).toBe(2);
    keys.settle(first, outcome, isSent);
    await keys.end();
    const refused = open();
    expect(await begin(refused)).toBe(0);
    refused.settle(payment(), 'refused');
    await refused.end();
    keys.settle(second, outcome, isSent);
    await keys.end();
    expect(await begin(open())).toBe(1);
  },
);

test('a payment counts for ten minutes, and not for eleven', async () => {
  for (let second = 0; second < 60; second += 7) {
    bench.database = new ProcessedData();
    bench.workflowId = `second ${second}`;
    jest.setSystemTime(START + second * 1000);
    const keys = open();
    expect(await begin(keys)).toBe(1);
    keys.settle(payment(), 'done');
    await keys.end();
    const since = Date.now();
    for (const [milliseconds, sent] of [
      [10 * MINUTE, 0],
      [11 * MINUTE, 1],
    ] as const) {
      jest.setSystemTime(since + milliseconds);
      const later = open();
      expect([second, milliseconds, await begin(later)]).toEqual([second, milliseconds, sent]);
      later.settle(payment(), 'refused');
      await later.end();
    }
  }
});

test('a payment that waits counts from the time at which it is sent', async () => {
  const keys = open();
  await begin(keys);
  jest.advanceTimersByTime(6 * MINUTE);
  expect(await keys.renew(payment())).toBe(true);
  jest.advanceTimersByTime(8 * MINUTE);
  KeyRow.workflows.clear();
  expect(await begin(open())).toBe(0);
});

test('a payment that waits and is then refused leaves no key', async () => {
  const keys = open();
  await begin(keys);
  jest.advanceTimersByTime(6 * MINUTE);
  await keys.renew(payment());
  keys.settle(payment(), 'refused');
  await keys.end();
  expect(await begin(open())).toBe(1);
});

test('a process whose clock is ahead by less than a minute finds the payment, and so does one that is behind', async () => {
  for (const [first, second] of [
    [START, START + 50_000],
    [START + 50_000, START],
  ] as const) {
    bench.database = new ProcessedData();
    jest.setSystemTime(first);
    const keys = open();
    await begin(keys);
    keys.settle(payment(), 'done');
    await keys.end();
    jest.setSystemTime(second);
    expect(await begin(open([payment()], other))).toBe(0);
  }
});

test('an execution that a trigger starts only records its payments', async () => {
  expect(await begin(open())).toBe(1);
  const rows = [payment()];
  expect(await begin(open(rows, undefined, 'trigger'), rows)).toBe(1);
});

test('a payment whose keys other processes overwrite each time is not sent, and a later click sends it', async () => {
  const { database, workflowId } = bench;
  const check = database.check.bind(database);
  let calls = 0;
  database.check = async (keys, row, options) => {
    calls += 1;
    if (calls > 1 && row === workflowId) database.rows.set(row, []);
    return await check(keys, row, options);
  };
  const keys = open();
  await expect(begin(keys)).rejects.toThrow('Other processes overwrite the keys');
  database.check = check;
  await keys.end();
  expect(await begin(open())).toBe(1);
});

test('a failed look-up refuses only the payment that needed it', async () => {
  const keys = open();
  bench.database.failing = new Error('gone');
  await expect(keys.begin(payment(), '0.0')).rejects.toThrow('gone');
  keys.settle(payment(), 'refused');
  delete bench.database.failing;
  expect(await begin(keys)).toBe(1);
});

describe('two processes', () => {
  const rows = Array.from({ length: 6 }, (_, item) => payment(item, item + 1));

  test('send each payment once if one starts a little later', async () => {
    for (let late = 0; late < 12; late += 1) {
      bench.database = inOrder();
      bench.workflowId = `late ${late}`;
      const second = async () => {
        await turns(late);
        return await begin(open(rows, other), rows);
      };
      const sent = await Promise.all([begin(open(rows), rows), second()]);
      expect([late, sent.reduce((sum, one) => sum + one, 0)]).toEqual([late, rows.length]);
    }
  });

  test.each([START, START + 39_990])('send a payment at most once even if they overwrite keys (%s)', async (at) => {
    let never = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      jest.setSystemTime(at);
      bench.database = slow(seed, 90);
      bench.workflowId = `overwritten ${at} ${seed}`;
      bench.database.rows.set(bench.workflowId, []);
      const [one, two] = await Promise.all([begin(open()), begin(open([payment()], other))]);
      expect([seed, one + two > 1]).toEqual([seed, false]);
      if (one + two === 0) never += 1;
    }
    expect(never).toBeLessThan(20);
  });
});
