import type { IExecuteFunctions } from 'n8n-workflow';

import type { Account, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Resolution } from '../../../nodes/PaymentPlatform/model/option-types';
import type { Lineage } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { ExecutionAccount, ExecutionMarks } from '../../../nodes/PaymentPlatform/once/execution-marks';
import { KeyRow } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { ProcessedData } from '../../processed-data';

const account: Account = {
  environment: 'test',
  baseUrl: 'https://pay.example.com/v1',
  merchantId: '1',
  digestKey: 'key',
};
const accountOf = (changes: Partial<Account> = {}, established: number | undefined = 1000, source = 'trigger') =>
  new ExecutionAccount(
    { getExecutionContext: () => ({ establishedAt: established, source }) } as unknown as IExecuteFunctions,
    { ...account, ...changes },
  );
const resolving = (...resolved: Array<[string, Resolution]>) =>
  ({ options: { resolved: new Map(resolved) } }) as unknown as PlannedRequest;
const plain = { options: {} } as PlannedRequest;

describe('the account of an execution', () => {
  test('another account than in the first attempt prevents sending', () => {
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
      expect(accountOf({ merchantId: String(merchant) }).code).toMatch(/^account-[A-Za-z0-9]{5}$/);
  });

  test("codes and marks never change between versions, because users enter codes and n8n's database stores marks", () => {
    const { mark, credentialMark, code } = accountOf({ merchantId: '4' });
    expect({ mark, credentialMark, code, lost: accountOf({}, 1000, 'retry').code }).toEqual({
      mark: 'bfKtPYziGnz_b51i',
      credentialMark: '0xjzIEv-WjkzJmfk',
      code: 'account-V38w0',
      lost: 'account-kT8RG',
    });
  });
});

const NAME = 'context 1000';

/** Creates a node whose executions share one database row. Each call of `open` starts an attempt in a new process. */
function node() {
  const database = new ProcessedData();
  const store = database.helpers('row');
  const open = (changes: Partial<Lineage> = {}, own: Partial<Account> = {}, byContent = false, row = new KeyRow()) => {
    const lineage: Lineage = {
      isRetry: true,
      names: [NAME],
      asked: new Set([NAME]),
      accountNames: [NAME],
      accountsAsked: [NAME],
      recordsContent: false,
      asksContent: false,
      ...changes,
    };
    return new ExecutionMarks(row, store, lineage, accountOf(own), byContent);
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
const neither = { account: false, secret: false };
const both = { account: true, secret: true };

describe('the marks of an execution', () => {
  test('the marks of an execution are recorded once, before its first keys', async () => {
    const { open, rowOf } = node();
    const marks = open();
    expect(marks.isUsed).toBe(false);
    expect([...(await marks.record(['a'], neither))]).toContain('a');
    expect(marks.isUsed).toBe(true);
    expect([...(await marks.record(['b'], neither))]).toEqual(['b']);
    expect(rowOf()).toEqual([`first ${NAME}`, `latest ${NAME}`, `account ${NAME} ${accountOf().mark}`, 'a', 'b']);
  });

  test('the marks of an execution include the secret if only its content identifies a write', async () => {
    const { open, rowOf } = node();
    await open({}, {}, true).record(['a'], neither);
    expect(rowOf()).toEqual([
      `first ${NAME}`,
      `latest ${NAME}`,
      `credential ${NAME} ${accountOf().credentialMark}`,
      `account ${NAME} ${accountOf().mark}`,
      'a',
    ]);
  });

  test('the marks of an execution are recorded again after a database failure', async () => {
    const { open, database, rowOf } = node();
    const marks = open();
    database.failing = new Error('gone');
    await expect(marks.record(['a'], neither)).rejects.toThrow('gone');
    expect(marks.isUsed).toBe(false);
    database.failing = undefined;
    await marks.record(['a'], neither);
    expect(rowOf()).toContain(`first ${NAME}`);
  });

  test('the marks of an execution are recorded again after 1,000 writes, so that they outlive the keys', async () => {
    const { open, store, rowOf } = node();
    const row = new KeyRow();
    const marks = open({}, {}, false, row);
    await marks.record(['a'], neither);
    for (let writes = 1; writes < 1000; writes += 1) marks.count();
    await row.flush(store);
    expect(rowOf().at(-1)).toBe('a');
    marks.count();
    await row.flush(store);
    expect(rowOf()).toEqual([`first ${NAME}`, 'a', `latest ${NAME}`, `account ${NAME} ${accountOf().mark}`]);
  });
});

describe('keys of earlier attempts', () => {
  test('keys of earlier attempts are complete as long as the first mark exists', async () => {
    const { open } = node();
    expect(await open().areCut()).toBe(false);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const marks = open();
      await marks.record([], neither);
      expect(await marks.areCut()).toBe(false);
    }
  });

  test('keys of earlier attempts may be missing if the first mark is missing, and every later attempt detects this', async () => {
    const { open, drop, store } = node();
    await open().record(['a'], neither);
    drop('first');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const row = new KeyRow();
      const marks = open({}, {}, false, row);
      await marks.record([], neither);
      expect(await marks.areCut()).toBe(true);
      await row.flush(store);
    }
  });

  test("keys of earlier attempts don't affect an attempt with other names", async () => {
    const { open, drop } = node();
    await open().record(['a'], neither);
    drop('first');
    const marks = open({ asked: new Set() });
    await marks.record([], neither);
    expect(await marks.areCut()).toBe(false);
  });

  test('keys of earlier attempts may be missing after another process overwrote keys', async () => {
    const { open, store } = node();
    const row = new KeyRow();
    const marks = open({}, {}, false, row);
    await marks.record(['a'], neither);
    marks.cut();
    await row.flush(store);
    const next = open();
    await next.record([], neither);
    expect(await next.areCut()).toBe(true);
  });
});

describe('an attempt with another account or secret', () => {
  test.each([
    ['account', { merchantId: '2' }, [true, true]],
    ['secret', { digestKey: 'other' }, [false, true]],
    ['spelling of the address', { baseUrl: 'https://PAY.example.com/v1/' }, [false, false]],
  ] as const)('every attempt detects another %s', async (_, changes, expected) => {
    const { open, store } = node();
    await open({}, {}, true).record(['a'], both);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const row = new KeyRow();
      const marks = open({}, changes, true, row);
      await marks.record([], both);
      expect([await marks.isOtherAccount(), await marks.isOtherCredential()]).toEqual(expected);
      await row.flush(store);
    }
  });

  test('a confirmed account becomes the new account of the execution', async () => {
    const { open, store } = node();
    await open().record(['a'], both);
    const row = new KeyRow();
    const confirming = open({}, { merchantId: '2' }, false, row);
    const { code } = accountOf({ merchantId: '2' });
    expect(confirming.isConfirmed(resolving([code, 'notApplied']))).toBe(true);
    expect(confirming.isConfirmed(resolving([code, 'applied']))).toBe(false);
    await confirming.record(['b'], neither);
    await row.flush(store);
    const next = open({}, { merchantId: '2' });
    await next.record([], both);
    expect(await next.isOtherAccount()).toBe(false);
  });

  test('the account is unknown before anything was recorded', async () => {
    const { open } = node();
    const marks = open();
    expect([await marks.isOtherAccount(), await marks.isOtherCredential()]).toEqual([false, false]);
  });
});
