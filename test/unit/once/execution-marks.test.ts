import type { IExecuteFunctions } from 'n8n-workflow';

import type { Account, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Resolution } from '../../../nodes/PaymentPlatform/model/option-types';
import type { Lineage } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { ExecutionAccount, ExecutionMarks, type Kept } from '../../../nodes/PaymentPlatform/once/execution-marks';
import { KeyRow, unproven } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { ProcessedData } from '../../processed-data';
import { account } from '../requests';

const accountOf = (changes: Partial<Account> = {}, established: number | undefined = 1000, source = 'trigger') =>
  new ExecutionAccount(
    { getExecutionContext: () => ({ establishedAt: established, source }) } as unknown as IExecuteFunctions,
    { ...account, ...changes },
  );
const resolving = (...resolved: Array<[string, Resolution]>) =>
  ({ options: { resolved: new Map(resolved) } }) as unknown as PlannedRequest;
const plain = { options: {} } as PlannedRequest;

describe('the account of an execution', () => {
  test('a different account than in the first attempt prevents sending', () => {
    const own = accountOf();
    expect(own.obstacle(undefined, plain)).toBeUndefined();
    expect(own.obstacle(own.mark, plain)).toBeUndefined();
    const other = accountOf({ merchantId: '2' });
    expect(own.obstacle(other.mark, plain)).toEqual({ outcome: 'otherAccount', code: own.code });
  });

  test('another account is accepted after the user confirms it by its code', () => {
    const [own, other] = [accountOf(), accountOf({ environment: 'production' })];
    expect(own.obstacle(other.mark, resolving([own.code, 'notApplied']))).toBeUndefined();
    for (const request of [resolving(), resolving([own.code, 'applied']), resolving([other.code, 'notApplied'])])
      expect(own.obstacle(other.mark, request)).toEqual({ outcome: 'otherAccount', code: own.code });
  });

  test('an account stays the same with a new API key', () => {
    const renewed = accountOf({ digestKey: 'new' });
    expect(renewed.mark).toBe(accountOf().mark);
    expect(renewed.credentialMark).not.toBe(accountOf().credentialMark);
  });

  test('each execution and account has a separate confirmation code', () => {
    const codes = [accountOf(), accountOf({}, 2000), accountOf({ merchantId: '2' }), accountOf({}, 1000, 'retry')];
    expect(new Set(codes.map(({ code }) => code)).size).toBe(4);
    for (let merchant = 1; merchant <= 50; merchant += 1)
      expect(accountOf({ merchantId: String(merchant) }).codes).toEqual([
        expect.stringMatching(/^account-[A-Za-z0-9]{5}$/),
      ]);
  });

  test("codes and account keys never change between versions, because users enter codes and n8n's database stores the keys", () => {
    const { mark, credentialMark, codes } = accountOf({ merchantId: '4' });
    expect({ mark, credentialMark, codes }).toEqual({
      mark: 'bfKtPYziGnz_b51i',
      credentialMark: '0xjzIEv-WjkzJmfk',
      codes: ['account-V38w0'],
    });
  });

  test('if n8n lost the start of the execution, a confirmation code ends after one to two days', () => {
    const codesAt = (day: number) => {
      jest.useFakeTimers({ now: day * 24 * 60 * 60 * 1000 });
      const { codes } = accountOf({}, 1000, 'retry');
      jest.useRealTimers();
      return codes;
    };
    const [today = '', yesterday = ''] = codesAt(20_000);
    expect(codesAt(20_001)).toEqual([expect.any(String), today]);
    expect(codesAt(20_002)).not.toContain(today);
    expect(codesAt(19_999)[0]).toBe(yesterday);
    const lost = accountOf({}, 1000, 'retry');
    for (const code of lost.codes) expect(lost.isConfirmed(resolving([code, 'notApplied']))).toBe(true);
  });
});

const NAME = 'context 1000';
const SINCE = Date.UTC(2030, 2, 1);

function node() {
  const database = new ProcessedData();
  const store = database.helpers('row');
  const open = (changes: Partial<Lineage> = {}, own: Partial<Account> = {}, row = new KeyRow(), kept: Kept = {}) => {
    const lineage: Lineage = {
      isRetry: false,
      names: [NAME],
      asked: new Set([NAME]),
      accountNames: [NAME],
      accountsAsked: [NAME],
      recordsContent: false,
      asksContent: false,
      ...changes,
    };
    return new ExecutionMarks(row, store, lineage, accountOf(own), SINCE, kept, 'run');
  };
  const row = new KeyRow();
  const flush = async () => await row.flush(store);
  const rowOf = () => database.rows.get('row') ?? [];
  const drop = (prefix: string) => {
    database.rows.set(
      'row',
      rowOf().filter((key) => !key.startsWith(prefix)),
    );
  };
  return { database, store, open, flush, rowOf, drop };
}
const PERIODS = ['minutes', 'hour', 'day', 'month'].map((name) => expect.stringMatching(`^${name} \\d+$`) as string);
const keysOfAccount = [
  `latest ${NAME}`,
  `credential ${NAME} ${accountOf().credentialMark}`,
  `account ${NAME} ${accountOf().mark}`,
];

describe('a second kill during the first call of a retry', () => {
  const retry = { isRetry: true };

  /** Ends a retry before n8n's database removes the keys of its look-up. */
  async function killedRetry({ database, open }: ReturnType<typeof node>, own: Partial<Account> = {}) {
    const remove = database.remove.bind(database);
    database.remove = async () => await Promise.resolve();
    await open(retry, own).record(['b'], false);
    database.remove = remove;
  }

  test.each([
    ['account', { merchantId: '2' }],
    ['secret', { digestKey: 'other' }],
  ])('leaves no proof of another %s', async (_, own) => {
    const bench = node();
    await bench.open().record(['a'], false);
    await killedRetry(bench, own);
    const marks = bench.open(retry, own);
    await marks.record(['b'], false);
    expect([await marks.isOtherAccount(), await marks.isOtherCredential()]).toContain(true);
  });

  test('leaves no proof that n8n removed no keys', async () => {
    const bench = node();
    await bench.open().record(['a'], false);
    bench.drop('first');
    await killedRetry(bench);
    const marks = bench.open(retry);
    await marks.record(['b'], false);
    expect(await marks.areCut()).toBe(true);
  });

  test('changes nothing for a retry beside another process', async () => {
    const bench = node();
    await bench.open().record(['a'], false);
    const all = [bench.open(retry), bench.open(retry), bench.open(retry)];
    await Promise.all(all.map(async (marks) => await marks.record(['b'], false)));
    for (const marks of all)
      expect([await marks.areCut(), await marks.isOtherAccount(), await marks.isOtherCredential()]).toEqual([
        ...[false, false, false],
      ]);
  });
});

describe('a retry that looks for keys while another process looks for them', () => {
  const retry = { isRetry: true };
  const look = unproven(`first ${NAME}`);

  test.each([
    ['ends in time', 3, false],
    ['never ends', Infinity, true],
  ])('trusts the keys only after the other look-up: it %s', async (_, endsAtCall, isCut) => {
    const { open, database, rowOf, drop, store } = node();
    await open().record(['a'], false);
    database.rows.set('row', [...rowOf(), look]);
    const check = database.check.bind(database);
    let calls = 0;
    database.check = async (...given) => {
      calls += 1;
      if (calls === endsAtCall) drop(look);
      return await check(...given);
    };
    const row = new KeyRow();
    const marks = open(retry, {}, row);
    await marks.record(['b'], false);
    expect(await marks.areCut()).toBe(isCut);
    await row.flush(store);
    expect(rowOf().includes(look)).toBe(isCut);
  });

  test('leaves no key of its own look-up', async () => {
    const { open, rowOf } = node();
    await open().record(['a'], false);
    const before = rowOf();
    await open(retry).record(['b'], false);
    expect(rowOf()).toEqual([...before, `retried ${NAME}`, 'b']);
  });
});

test('the account keys of an execution are recorded once, before its first write', async () => {
  const { open, rowOf } = node();
  const marks = open();
  expect(marks.isUsed).toBe(false);
  expect([...(await marks.record(['a'], false))]).toContain('a');
  expect(marks.isUsed).toBe(true);
  expect([...(await marks.record(['b'], false))]).toEqual(['b']);
  expect(rowOf()).toEqual([`first ${NAME}`, ...keysOfAccount, ...PERIODS, 'a', 'b']);
});

test('the account keys of an execution are recorded again after a database failure', async () => {
  const { open, database, rowOf } = node();
  const marks = open();
  database.failing = new Error('gone');
  await expect(marks.record(['a'], false)).rejects.toThrow('gone');
  expect(marks.isUsed).toBe(false);
  database.failing = undefined;
  await marks.record(['a'], false);
  expect(rowOf()).toContain(`first ${NAME}`);
});

test('the account keys of an execution are recorded again after 5,000 newer keys, because n8n removes the oldest keys', async () => {
  const { open, store, rowOf } = node();
  const row = new KeyRow();
  const marks = open({}, {}, row);
  await marks.record(['a'], false);
  const newer = Array.from({ length: 4999 }, (_, index) => `key ${index}`);
  await row.record(store, newer);
  marks.renew();
  await row.flush(store);
  expect(rowOf().at(-1)).toBe('key 4998');
  await row.record(store, ['another']);
  marks.renew();
  marks.renew();
  await row.flush(store);
  expect(rowOf()).toEqual([`first ${NAME}`, ...PERIODS, 'a', ...newer, 'another', ...keysOfAccount]);
});

test('keys of earlier attempts are complete as long as the first account key exists', async () => {
  const { open } = node();
  expect(await open().areCut()).toBe(false);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const marks = open();
    await marks.record([], false);
    expect(await marks.areCut()).toBe(false);
  }
});

test('keys of earlier attempts may be missing if the first account key is missing, and every later attempt detects this', async () => {
  const { open, drop, store } = node();
  await open().record(['a'], false);
  drop('first');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const row = new KeyRow();
    const marks = open({}, {}, row);
    await marks.record([], false);
    expect(await marks.areCut()).toBe(true);
    await row.flush(store);
  }
});

test("keys of earlier attempts don't affect an attempt with other names", async () => {
  const { open, drop } = node();
  await open().record(['a'], false);
  drop('first');
  const marks = open({ asked: new Set() });
  await marks.record([], false);
  expect(await marks.areCut()).toBe(false);
});

test('keys of earlier attempts may be missing after another process overwrote keys', async () => {
  const { open, store } = node();
  const row = new KeyRow();
  const marks = open({}, {}, row);
  await marks.record(['a'], false);
  marks.cut();
  await row.flush(store);
  const next = open();
  await next.record([], false);
  expect(await next.areCut()).toBe(true);
});

describe('a retry of an execution without keys', () => {
  const HOUR_MS = 60 * 60 * 1000;
  afterEach(() => jest.useRealTimers());

  /** Records keys of other executions at some times before the retry. */
  async function retryAfter(times: number[], size: number) {
    const bench = node();
    for (const [index, now] of times.entries()) {
      jest.useFakeTimers({ now, doNotFake: ['setImmediate'] });
      const names = [`context ${index}`];
      await bench.open({ names, asked: new Set(), accountNames: names }).record([], false);
    }
    bench.database.rows.set('row', [...bench.rowOf(), ...Array.from({ length: size }, (_, index) => `key ${index}`)]);
    const row = new KeyRow();
    const marks = bench.open({ isRetry: true }, {}, row);
    await marks.record(['a'], false);
    await row.flush(bench.store);
    return { marks, ...bench };
  }

  test.each([
    ['the row contains a key of an earlier hour', [SINCE - 80 * 60_000], false],
    ['the row contains a key of an earlier day', [SINCE - 49 * HOUR_MS], false],
    ['the row contains a key of an earlier month', [SINCE - 100 * 24 * HOUR_MS], false],
    ['the row contains only later keys', [SINCE + 1], true],
    ['the row contains only a key that may be later, because clocks differ', [SINCE - 9 * 60_000], true],
  ])('knows whether n8n removed its keys: %s', async (_, times, isCut) => {
    const { marks, rowOf } = await retryAfter(times, 2000);
    expect([await marks.areCut(), await marks.areFirst()]).toEqual([isCut, !isCut]);
    expect(rowOf().includes(`first ${NAME}`)).toBe(!isCut);
  });

  test('is the first attempt if the row never was full', async () => {
    expect(await (await retryAfter([SINCE + 1], 900)).marks.areCut()).toBe(false);
    expect(await (await retryAfter([SINCE + 1], 1000)).marks.areCut()).toBe(true);
  });
});

test.each([
  ['may have lost keys of an earlier attempt', [NAME], true, true],
  ['had no earlier attempt under its name', [NAME], false, false],
  ['has no earlier attempt', [], false, false],
])(
  'a later loop iteration knows that another process overwrote keys: the execution %s',
  async (_, asked, isRepeated, isCut) => {
    const { open, rowOf, store } = node();
    const [row, kept] = [new KeyRow(), {}];
    const lineage = { asked: new Set(asked) };
    if (isRepeated) await open(lineage).record(['a'], false);
    const first = open(lineage, {}, row, kept);
    await first.record(['a'], false);
    expect([await first.areFirst(), await first.areCut()]).toEqual([!isRepeated, false]);
    const second = open(lineage, {}, row, kept);
    await second.record(['b'], false);
    expect([await second.areFirst(), await second.areCut()]).toEqual([false, false]);
    second.cut();
    const third = open(lineage, {}, row, kept);
    await third.record(['c'], false);
    expect([await third.areFirst(), await third.areCut()]).toEqual([false, isCut]);
    await row.flush(store);
    expect(rowOf()).not.toContain(`first ${NAME}`);
  },
);

test.each([
  ['account', { merchantId: '2' }, [true, true]],
  ['secret', { digestKey: 'other' }, [false, true]],
  ['spelling of the address', { baseUrl: 'https://PAY.example.com/v1/' }, [false, false]],
] as const)('every attempt detects a new %s', async (_, changes, expected) => {
  const { open, store } = node();
  await open().record(['a'], false);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const row = new KeyRow();
    const marks = open({}, changes, row);
    await marks.record([], false);
    expect([await marks.isOtherAccount(), await marks.isOtherCredential()]).toEqual(expected);
    await row.flush(store);
  }
});

test.each([false, true])(
  'an attempt that ends before it reports a new secret does not hide the secret (confirmed account: %s)',
  async (isConfirmed) => {
    const { open, store } = node();
    await open().record(['a'], false);
    const row = new KeyRow();
    await open({}, { digestKey: 'other' }, row).record([], isConfirmed);
    await row.flush(store);
    const next = open({}, { digestKey: 'other' });
    await next.record([], isConfirmed);
    expect(await next.isOtherCredential()).toBe(true);
  },
);

test('a confirmed account becomes the new account of the execution', async () => {
  const { open, store } = node();
  await open().record(['a'], false);
  const row = new KeyRow();
  const confirming = open({}, { merchantId: '2' }, row);
  const { code } = accountOf({ merchantId: '2' });
  expect(confirming.isConfirmed(resolving([code, 'notApplied']))).toBe(true);
  expect(confirming.isConfirmed(resolving([code, 'applied']))).toBe(false);
  await confirming.record(['b'], true);
  await row.flush(store);
  const next = open({}, { merchantId: '2' });
  await next.record([], false);
  expect(await next.isOtherAccount()).toBe(false);
});

test('the account is unknown before anything was recorded', async () => {
  const { open } = node();
  const marks = open();
  expect([await marks.isOtherAccount(), await marks.isOtherCredential()]).toEqual([false, false]);
});
