import { sleep } from 'n8n-workflow';

import { KeyRow, MOST_KEYS, MOST_KEYS_OF_WORKFLOW } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { isSaved } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { previewOf } from '../../../nodes/PaymentPlatform/n8n/preview';
import { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import { KEY_DONE, KEY_OF_OTHER, WORKFLOW_NOT_SAVED } from '../../../nodes/PaymentPlatform/once/once-per-key';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { timeIsSimulated } from '../../simulated-time';
import { account } from '../requests';
import {
  failAt,
  keyed,
  keysBench,
  resolving,
  resume,
  settled,
  startProcess,
  stateOf,
  TIMEOUT_MS,
  unknownKey,
  withBody,
  type Setting,
} from './keys-bench';

timeIsSimulated();
const bench = keysBench();
const { open } = bench;

const OPERATIONS = resources
  .flatMap(({ operations }) => operations)
  .filter(({ request: { effect } }) => effect !== 'reads');

describe('the state of a key', () => {
  test.each([
    ['done', 'done'],
    ['unknown', 'unknown'],
    ['refused', undefined],
  ] as const)('after an attempt was %s, the key is %s for every later execution', async (outcome, state) => {
    await settled(open('1'), outcome);
    for (const execution of ['2', '3']) {
      const keys = open(execution);
      expect(await stateOf(keys)).toBe(state);
      keys.settle(keyed(), 'refused');
      await keys.end();
    }
  });

  test('a key that is being sent is under way for every other execution', async () => {
    const keys = open('1');
    expect(await stateOf(keys)).toBeUndefined();
    for (const execution of ['2', '3']) expect(await stateOf(open(execution))).toBe('underWay');
    keys.settle(keyed(), 'unknown');
    await keys.end();
    expect(await stateOf(open('4'))).toBe('unknown');
  });

  test('a write whose record was found completes its key, and a completed key stays complete', async () => {
    await settled(open('1'), 'unknown');
    const keys = open('2');
    keys.recordApplied(keyed());
    keys.recordApplied(keyed('found by a search'));
    await keys.end();
    for (const key of ['deal', 'found by a search']) expect(await stateOf(open('3'), keyed(key))).toBe('done');
    for (const attempt of ['1', '2']) expect(await stateOf(open('4'), keyed(), attempt)).toBe('done');
  });

  test('reading the state of a key changes no keys', async () => {
    await settled(open('1'), 'done');
    await settled(open('1'), 'unknown', keyed('open'));
    const before = structuredClone(bench.database.rows);
    for (const one of [keyed(), keyed('open'), withBody({ amt_tran: 1 })]) {
      const keys = open('2');
      await stateOf(keys, one);
      await keys.end();
    }
    expect(bench.database.rows).toEqual(before);
  });

  test('a kill during a look-up never completes a key', async () => {
    await settled(open('1'), 'unknown');
    const remove = bench.database.remove.bind(bench.database);
    bench.database.remove = async () => await Promise.resolve();
    const killed = open('2');
    await stateOf(killed);
    await killed.end();
    await sleep(60_000);
    bench.database.remove = remove;
    // The locks and the times of a killed process end by then.
    jest.setSystemTime(Date.now() + 20 * 60_000);
    const next = open('3');
    expect(await stateOf(next)).toBe('unknown');
    next.recordApplied(keyed());
    await next.end();
    expect(await stateOf(open('4'))).toBe('done');
  });

  test('a kill during a preview frees no key and uses none', async () => {
    await settled(open('1'), 'done', keyed('done'));
    await settled(open('1'), 'unknown', keyed('unknown'));
    const requests = ['free', 'done', 'unknown'].map((key) => keyed(key));
    const states = async (keys: DatabaseKeys) =>
      await Promise.all(requests.map(async (one) => await stateOf(keys, one)));
    const preview = () => DatabaseKeys.open(previewOf(bench.contextOf('2')), account, requests, TIMEOUT_MS);
    expect(await states(preview())).toEqual([undefined, 'done', 'unknown']);
    const remove = bench.database.remove.bind(bench.database);
    bench.database.remove = async () => await Promise.resolve();
    const killed = preview();
    expect(await states(killed)).toEqual([undefined, 'done', 'unknown']);
    await killed.end();
    await sleep(60_000);
    bench.database.remove = remove;
    // The times of a killed look-up end by then.
    jest.setSystemTime(Date.now() + 20 * 60_000);
    expect(await stateOf(preview(), keyed('free'))).toBeUndefined();
    expect(await states(open('3'))).toEqual([undefined, 'invalid', 'invalid']);
    for (const one of requests.slice(1))
      expect(await open('4').oncePerKey.begin(one, '0.0')).toMatchObject({
        message: expect.stringContaining("n8n's database does not show for which payment") as string,
        advice: 'Look up the payment at the service before you use a different key.',
      });
  });

  test('an attempt that ended leaves only the keys of its outcome', async () => {
    const rowAfter = async (outcome: 'done' | 'refused' | 'unknown') => {
      bench.database.rows.clear();
      bench.workflowId = `workflow with an attempt that was ${outcome}`;
      await settled(open('1'), outcome);
      return (bench.database.rows.get('row') ?? []).map((key) => key.split(' ')[0]);
    };
    expect(await rowAfter('refused')).toEqual([]);
    expect(await rowAfter('done')).toEqual(['key', 'copy', 'done']);
    expect(await rowAfter('unknown')).toEqual(['key', 'payment', 'began', 'copy', 'own']);
  });

  test('a run knows whether its attempt follows one with an unknown outcome', async () => {
    const [first, second] = [open('1'), open('2')];
    const isResumed = (keys: DatabaseKeys) => keys.oncePerKey.isResumed(keyed());
    expect(isResumed(first)).toBe(false);
    await stateOf(first);
    expect(isResumed(first)).toBe(false);
    first.settle(keyed(), 'unknown');
    await resume(second);
    expect(isResumed(second)).toBe(true);
  });

  test('a completed attempt after an unknown one removes its own keys', async () => {
    await settled(open('1'), 'unknown');
    const keys = open('2');
    expect(await resume(keys)).toBeUndefined();
    const own = async () => {
      await keys.end();
      return bench.database.rows.get('row')?.filter((key) => /^own .* execution 2 /.test(key));
    };
    expect(await own()).toHaveLength(1);
    keys.settle(keyed(), 'done');
    expect(await own()).toEqual([]);
  });
});

describe('an attempt that ended between its key and the payment', () => {
  async function killed(one = keyed()) {
    const keep = jest.spyOn(KeyRow.prototype, 'keep').mockReturnValueOnce(new Promise(() => undefined));
    void stateOf(open('1'), one);
    while (keep.mock.calls.length === 0) await sleep(1);
    await sleep(15 * 60_000);
    keep.mockRestore();
  }

  test.each([
    ['notApplied', undefined, 'done'],
    ['applied', 'applied', 'done'],
  ] as const)('because n8n was killed: a person resolves it as %s', async (finding, resolved, after) => {
    await killed();
    const { code, isApproved } = await unknownKey(open('2'));
    expect(isApproved).toBe(false);
    const keys = open('3');
    const one = resolving(code, finding);
    expect(finding === 'applied' ? await stateOf(keys, one) : await resume(keys, one)).toBe(resolved);
    if (finding === 'applied') keys.recordApplied(one);
    else keys.settle(one, 'done');
    await keys.end();
    expect(await stateOf(open('4'))).toBe(after);
  });

  test('because n8n was killed: the key is not free for another payment', async () => {
    await killed();
    const other = withBody({ amt_tran: 26 });
    expect(await stateOf(open('2'), other)).toBe('invalid');
    const { code } = await unknownKey(open('3'));
    expect(await stateOf(open('4'), { ...resolving(code), values: other.values })).toBe('invalid');
  });

  test('because n8n was killed: a preview shows the same states as the next run', async () => {
    await killed();
    const requests = [keyed(), withBody({ amt_tran: 26 })];
    const codes = new Set<string>();
    for (const context of [previewOf(bench.contextOf('2')), bench.contextOf('3')]) {
      const keys = DatabaseKeys.open(context, account, requests, TIMEOUT_MS);
      for (const [index, state] of ['unknown', 'invalid'].entries())
        expect(await stateOf(keys, requests[index])).toBe(state);
      codes.add((await unknownKey(keys)).code);
      await keys.end();
    }
    expect(codes.size).toBe(1);
  });

  test('because n8n was killed: a step of another payment that needs no request leaves the key as it is', async () => {
    await killed();
    const keys = open('2');
    expect(await keys.oncePerKey.recordDone(withBody({ amt_tran: 26 }))).toEqual(KEY_OF_OTHER);
    await keys.end();
    expect(await stateOf(open('3'))).toBe('unknown');
  });

  test('because n8n was killed: an approval of the payment does not cover another payment with the same key', async () => {
    await killed();
    const other = withBody({ amt_tran: 26 });
    const undo = jest.spyOn(bench.database, 'remove').mockResolvedValue();
    await stateOf(open('2'), other);
    undo.mockRestore();
    jest.setSystemTime(Date.now() + 20 * 60_000);
    const [one, two] = [await unknownKey(open('3')), await unknownKey(open('3'), other)];
    expect(one.code).not.toBe(two.code);
    const keys = open('4');
    expect(await resume(keys, resolving(one.code))).toBeUndefined();
    keys.settle(keyed(), 'done');
    await keys.end();
    expect(await stateOf(open('5'), { ...resolving(two.code), values: other.values })).toBe('invalid');
  });

  test.each([1, 2, 3, 4, 5])(
    "because call %i of n8n's database failed: a later execution sends the payment",
    async (call) => {
      const repair = failAt(bench.database, call);
      const keys = open('1');
      const state = await stateOf(keys);
      if (call <= 4) expect(state).toBe('notSent');
      keys.settle(keyed(), 'refused');
      repair();
      await keys.end();
      expect(await stateOf(open('2', { process: startProcess() }))).toBeUndefined();
    },
  );
});

test('a payment that waits is not sent after a person resolved it as applied', async () => {
  const waiting = open('1');
  expect(await stateOf(waiting)).toBeUndefined();
  jest.setSystemTime(Date.now() + 20 * 60_000);
  const process = startProcess();
  const { code } = await unknownKey(open('2', { process }));
  const keys = open('3', { process });
  const one = resolving(code, 'applied');
  expect(await stateOf(keys, one)).toBe('applied');
  keys.recordApplied(one);
  await keys.end();
  expect(await waiting.oncePerKey.renew(keyed())).toBe(false);
});

test.each([
  ['done', 'done'],
  ['unknown', 'unknown'],
  [undefined, 'underWay'],
] as const)(
  'a payment that was never sent does not free a key that another process used later (%s)',
  async (outcome, state) => {
    const waiting = open('1');
    expect(await stateOf(waiting)).toBeUndefined();
    jest.setSystemTime(Date.now() + 20 * 60_000);
    const later = open('2', { process: startProcess() });
    expect(await resume(later)).toBeUndefined();
    if (outcome) later.settle(keyed(), outcome);
    await later.end();
    waiting.settle(keyed(), 'refused');
    await waiting.end();
    if (outcome) jest.setSystemTime(Date.now() + 20 * 60_000);
    expect(await stateOf(open('3', { process: startProcess() }))).toBe(state);
  },
);

describe('a payment that is not sent because its time has ended', () => {
  /** Opens keys that also have a journal. */
  const openBoth = (id: string, setting: Setting = {}) => {
    const nodes = {
      getChildNodes: () => [],
      getParentNodes: () => [],
      getInputData: () => [{ json: {} }, { json: {} }],
    };
    const context = Object.assign(bench.contextOf(id, { established: 1000, ...setting }), nodes);
    const requests = [keyed(), next];
    return (setting.process?.DatabaseKeys ?? DatabaseKeys).open(context, account, requests, TIMEOUT_MS);
  };
  const next = keyed('deal', { items: [1] });

  test("leaves the key to the run's next row with the key", async () => {
    const keys = openBoth('1');
    expect(await keys.begin(keyed(), '0.0')).toBeUndefined();
    expect(await stateOf(keys)).toBeUndefined();
    jest.setSystemTime(Date.now() + 2 * TIMEOUT_MS);
    keys.settle(keyed(), 'refused');
    expect(await keys.begin(next, '0.0')).toBeUndefined();
    expect(await stateOf(keys, next)).toBeUndefined();
  });

  test('leaves no entry in the journal, even if another execution used the key', async () => {
    const waiting = openBoth('1');
    expect(await waiting.begin(keyed(), '0.0')).toBeUndefined();
    expect(await stateOf(waiting)).toBeUndefined();
    jest.setSystemTime(Date.now() + 20 * 60_000);
    const later = openBoth('2', { established: 2000, process: startProcess() });
    expect(await resume(later)).toBeUndefined();
    later.settle(keyed(), 'done');
    await later.end();
    waiting.settle(keyed(), 'refused');
    await waiting.end();
    jest.setSystemTime(Date.now() + 20 * 60_000);
    const retry = openBoth('3', { mode: 'retry', process: startProcess() });
    expect(await retry.begin(keyed(), '0.0')).toBeUndefined();
    expect(await stateOf(retry)).toBe('done');
  });
});

describe('the same key for another payment', () => {
  test.each(['done', 'unknown'] as const)('is a conflict if the first payment was %s', async (outcome) => {
    await settled(open('1'), outcome, withBody({ amt_tran: 25, customer_id: 'C1' }));
    for (const body of [{ amt_tran: 26 }, { customer_id: 'C2' }, { tran_currency: '978' }, { merch_ref_num: 'B' }])
      expect(await open('2').oncePerKey.begin(withBody({ amt_tran: 25, customer_id: 'C1', ...body }), '0.0')).toEqual(
        KEY_OF_OTHER,
      );
  });

  test('is a conflict while the first payment is under way', async () => {
    expect(await stateOf(open('1'))).toBeUndefined();
    expect(await stateOf(open('2'), withBody({ amt_tran: 26 }))).toBe('invalid');
  });

  test('stays a conflict after n8n was killed during a look-up', async () => {
    await settled(open('1'), 'unknown');
    const other = withBody({ amt_tran: 30, customer_id: 'C1' }, 'deal');
    const remove = bench.database.remove.bind(bench.database);
    bench.database.remove = async () => await Promise.resolve();
    const killed = open('2');
    await stateOf(killed, other);
    await killed.end();
    await sleep(60_000);
    bench.database.remove = remove;
    // The locks and the times of a killed process end by then.
    jest.setSystemTime(Date.now() + 20 * 60_000);
    expect(await stateOf(open('3'), other)).toBe('invalid');
    expect(await stateOf(open('4'))).toBe('unknown');
  });

  test('is a conflict even if a person resolves the first payment as not applied', async () => {
    await settled(open('1'), 'unknown');
    const { code } = await unknownKey(open('2'));
    const other = { ...resolving(code), values: withBody({ amt_tran: 26 }).values };
    expect(await stateOf(open('3'), other)).toBe('invalid');
    expect(await stateOf(open('4'))).toBe('unknown');
  });

  test('is free if the first payment was refused', async () => {
    await settled(open('1'), 'refused');
    expect(await stateOf(open('2'), withBody({ amt_tran: 26 }))).toBeUndefined();
  });

  test('the node ignores details that do not identify the payment', async () => {
    await settled(open('1'), 'done', withBody({ amt_tran: 25, customer_id: 'C1', cardholder_name: 'Ana' }));
    const again = withBody({ amt_tran: '25.00', customer_id: ' C1', cardholder_name: 'A. Silva' });
    expect(await stateOf(open('2'), again)).toBe('done');
  });

  test("the node ignores its own reference but not the user's", async () => {
    const withReference = (value: string, isOwn: boolean) => {
      const { values, ...more } = withBody({ amt_tran: 25, merch_ref_num: value });
      const reference = isOwn ? { reference: { name: 'merch_ref_num', value, isLasting: true } } : {};
      return { ...more, values: { ...values, ...reference } };
    };
    await settled(open('1'), 'done', withReference('A', true));
    expect(await stateOf(open('2'), withReference('B', true))).toBe('done');
    expect(await stateOf(open('2'), withReference('B', false))).toBe('invalid');
  });
});

describe('what a key belongs to', () => {
  test('a key that one operation used is free for every other operation', async () => {
    expect(OPERATIONS.length).toBeGreaterThan(30);
    const of = (operation: (typeof OPERATIONS)[number]) => keyed('deal', { operation });
    for (const operation of OPERATIONS) await settled(open('1'), 'done', of(operation));
    for (const operation of OPERATIONS) expect(await stateOf(open('2'), of(operation))).toBe('done');
  });

  test('a key belongs to an operation, a step and a path', async () => {
    await settled(open('1'), 'done');
    const { operation } = keyed();
    const api = (path: string) => keyed('deal', { operation: { ...operation, request: {} }, path });
    const others = [
      keyed('deal', { operation: { ...operation, request: { operationId: 'refund' } } }),
      keyed('deal', { part: 1 }),
      api('/a'),
      api('/b'),
    ];
    for (const one of others) expect(await stateOf(open('2'), one)).toBeUndefined();
  });

  test('a key stays the same after a new API key or host, and belongs to a merchant and an environment', async () => {
    await settled(open('1'), 'done');
    for (const same of [{ digestKey: 'another' }, { baseUrl: 'https://other.example.com' }])
      expect(await stateOf(open('2', { account: same }))).toBe('done');
    for (const other of [{ merchantId: '2' }, { environment: 'production' as const }])
      expect(await stateOf(open('2', { account: other }))).toBeUndefined();
  });

  test('a key belongs to the merchant on whose behalf the node sends', async () => {
    const of = (merchant?: string) => keyed('deal', { values: { ...keyed().values, merchant } });
    for (const merchant of [undefined, '2', '3']) await settled(open('1'), 'done', of(merchant));
    for (const merchant of [undefined, '2', '3']) expect(await stateOf(open('2'), of(merchant))).toBe('done');
  });

  test('a key belongs to all nodes of the workflow', async () => {
    await settled(open('1', { node: 'a' }), 'done');
    expect(await stateOf(open('1', { node: 'b' }))).toBe('done');
    expect(await stateOf(open('1', { workflowId: 'other' }))).toBeUndefined();
  });

  test('keys of reads and items without a key are not recorded', async () => {
    const keys = open();
    expect(await stateOf(keys, keyed('deal', { effect: 'reads' }))).toBeUndefined();
    const without = keyed('deal', { options: {} });
    expect(await stateOf(keys, without)).toBeUndefined();
    expect(await keys.oncePerKey.renew(without)).toBe(true);
    keys.settle(keyed(), 'done');
    keys.oncePerKey.leaveToOthers(without);
    keys.recordApplied(without);
    await keys.end();
    expect(bench.database.calls).toBe(0);
  });
});

describe("a person's code for a key with an unknown outcome", () => {
  test('every execution shows the same code until an attempt begins', async () => {
    await settled(open('1'), 'unknown');
    const { code } = await unknownKey(open('2'));
    expect(code).toMatch(/^key-[A-Za-z0-9]{5}$/);
    expect(await unknownKey(open('3'))).toMatchObject({ code, isApproved: false });
  });

  test('different keys have different codes', async () => {
    const codes = new Set<string>();
    for (const key of ['a', 'b', 'c']) {
      await settled(open('1'), 'unknown', keyed(key));
      codes.add((await unknownKey(open('2'), keyed(key))).code);
    }
    expect(codes.size).toBe(3);
  });

  test('the finding "not applied" approves one attempt', async () => {
    await settled(open('1'), 'unknown');
    const { code } = await unknownKey(open('2'));
    const one = resolving(code);
    const keys = open('3');
    expect(await unknownKey(keys, one)).toMatchObject({ isApproved: true });
    expect(await resume(keys, one)).toBeUndefined();
    keys.settle(one, 'unknown');
    await keys.end();
    const later = await unknownKey(open('4'), one);
    expect(later).toMatchObject({ isApproved: false });
    expect(later.code).not.toBe(code);
    expect(await unknownKey(keys, one)).toMatchObject({ isApproved: false });
  });

  test('a code of an earlier attempt never matches a later attempt', async () => {
    await settled(open('1'), 'unknown');
    const codes: string[] = [];
    for (let attempt = 0; attempt < 25; attempt += 1) {
      const { code } = await unknownKey(open('2'));
      expect(codes).not.toContain(code);
      for (const stale of codes)
        expect(await unknownKey(open('2'), resolving(stale))).toMatchObject({ isApproved: false, code });
      codes.push(code);
      const keys = open('3');
      const one = resolving(code);
      expect(await resume(keys, one)).toBeUndefined();
      keys.settle(one, attempt % 2 === 0 ? 'unknown' : 'refused');
      await keys.end();
    }
  });

  test('the finding "applied" completes the key without sending', async () => {
    await settled(open('1'), 'unknown');
    const one = resolving((await unknownKey(open('2'))).code, 'applied');
    const keys = open('3');
    expect(await stateOf(keys, one)).toBe('applied');
    keys.recordApplied(one);
    await keys.end();
    expect(await stateOf(open('4'), one)).toBe('done');
  });

  test('an attempt that is refused after an unknown one keeps the key unknown, and a completed one completes it', async () => {
    await settled(open('1'), 'unknown');
    for (const outcome of ['refused', 'unknown', 'done'] as const) {
      const keys = open('2');
      const one = resolving((await unknownKey(keys)).code);
      expect(await resume(keys, one)).toBeUndefined();
      keys.settle(one, outcome);
      await keys.end();
      expect(await stateOf(open('3'))).toBe(outcome === 'done' ? 'done' : 'unknown');
    }
  });

  test('a run may send again after the service refused the approved attempt unread', async () => {
    await settled(open('1'), 'unknown');
    const one = resolving((await unknownKey(open('2'))).code);
    const keys = open('3');
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await unknownKey(keys, one)).toMatchObject({ isApproved: true });
      expect(await resume(keys, one)).toBeUndefined();
      keys.settle(one, 'refused');
    }
    await keys.end();
    expect(await unknownKey(open('4'), one)).toMatchObject({ isApproved: false });
  });

  test('a run may not send again if another execution sent in the meantime', async () => {
    await settled(open('1'), 'unknown');
    const one = resolving((await unknownKey(open('2'))).code);
    const keys = open('3');
    await resume(keys, one);
    keys.settle(one, 'refused');
    const other = open('4');
    await resume(other, resolving((await unknownKey(other)).code));
    other.settle(keyed(), 'unknown');
    expect(await unknownKey(keys, one)).toMatchObject({ isApproved: false });
  });

  test('a run may not send again if the outcome of the approved attempt is unknown', async () => {
    await settled(open('1'), 'unknown');
    const one = resolving((await unknownKey(open('2'))).code);
    const keys = open('3');
    await resume(keys, one);
    keys.settle(one, 'unknown');
    expect(await unknownKey(keys, one)).toMatchObject({ isApproved: false });
  });

  test("a run may not send again after another execution's first attempt", async () => {
    const keys = open('1');
    expect(await stateOf(keys)).toBeUndefined();
    keys.settle(keyed(), 'refused');
    await keys.end();
    await settled(open('2'), 'unknown');
    expect(await unknownKey(keys)).toMatchObject({ isApproved: false });
  });

  test('a run may not send again after an attempt that no person approved', async () => {
    await settled(open('1'), 'unknown');
    const keys = open('2');
    await resume(keys);
    keys.settle(keyed(), 'refused');
    expect(await unknownKey(keys)).toMatchObject({ isApproved: false });
  });

  test('a run knows which codes belong to its keys', async () => {
    await settled(open('1'), 'unknown');
    const { code } = await unknownKey(open('2'));
    const keys = open('3');
    await unknownKey(keys, resolving('0-other'));
    expect([...keys.oncePerKey.codes]).toEqual([]);
    await unknownKey(keys, resolving(code));
    expect([...keys.oncePerKey.codes]).toEqual([code]);
  });
});

describe('an approval of another attempt at the item', () => {
  const began = async () => await settled(open('1', { established: 1000 }), 'unknown');
  const own: Setting = { mode: 'retry', established: 1000 };

  test.each<[string, string, Setting]>([
    ['a retry', '2', { mode: 'retry' }],
    ['Retry On Fail', '1', {}],
  ])('%s may send after an approval, and the key stays unknown after a decline', async (_, id, setting) => {
    await began();
    expect(await unknownKey(open(id, { established: 1000, ...setting }))).toMatchObject({ isApproved: false });
    for (let times = 0; times < 3; times += 1) {
      const keys = open(id, { established: 1000, ...setting });
      expect(await unknownKey(keys, keyed(), '1.0')).toMatchObject({ isApproved: true });
      expect(await resume(keys, keyed(), '1.0')).toBeUndefined();
      keys.settle(keyed(), 'refused');
      await keys.end();
    }
    expect(await stateOf(open('3', { established: 2000 }))).toBe('unknown');
    const keys = open(id, { established: 1000, ...setting });
    expect(await resume(keys, keyed(), '1.0')).toBeUndefined();
    keys.settle(keyed(), 'done');
    await keys.end();
    expect(await stateOf(open(id, { established: 1000, ...setting }), keyed(), '1.0')).toBe('done');
  });

  test.each<[string, string, Setting]>([
    ['another node', '1', { node: 'other' }],
    ['another node of a retry', '2', { mode: 'retry', node: 'other' }],
    ['another loop iteration', '1', { iteration: 1 }],
    ['another execution that began in the same millisecond', '2', {}],
    ['a retry of another execution', '2', { mode: 'retry', established: 2000 }],
    ['a tool', '1', { type: 'paymentPlatformTool' }],
  ])('does not approve an attempt at the key by %s', async (_, id, setting) => {
    await began();
    const keys = open(id, { established: 1000, ...setting });
    expect(await unknownKey(keys, keyed(), '1.0')).toMatchObject({ isApproved: false });
  });

  test('does not approve another attempt at the key that another execution began later', async () => {
    await began();
    const other = open('5', { established: 5000 });
    await resume(other, resolving((await unknownKey(other)).code));
    other.settle(keyed(), 'unknown');
    await other.end();
    expect(await unknownKey(open('2', own), keyed(), '1.0')).toMatchObject({ isApproved: false });
    expect(await unknownKey(open('6', { mode: 'retry', established: 5000 }), keyed(), '1.0')).toMatchObject({
      isApproved: true,
    });
  });

  test.each(['begins', 'resumes'])('does not approve an attempt that n8n killed before it %s', async (how) => {
    await began();
    const killed = open('5', { established: 5000 });
    const found = await unknownKey(killed);
    if (how === 'resumes') {
      const other = open('6', { established: 6000 });
      await resume(other);
      other.settle(keyed(), 'unknown');
      await other.end();
    }
    const remove = bench.database.remove.bind(bench.database);
    bench.database.remove = async () => await Promise.resolve();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const attempt = how === 'resumes' ? found.resume() : stateOf(open('5', { established: 5000 }));
    await jest.advanceTimersByTimeAsync(60_000);
    await attempt;
    await killed.end();
    await sleep(60_000);
    bench.database.remove = remove;
    // The locks and the times of a killed process end by then.
    jest.setSystemTime(Date.now() + 20 * 60_000);
    const keys = open('7', { mode: 'retry', established: 5000 });
    expect(await unknownKey(keys, keyed(), '1.0')).toMatchObject({ isApproved: false });
  });
});

describe('an item that needs no request', () => {
  const recordDone = async (one: PlannedRequest, execution = '2') => {
    const keys = open(execution);
    const failure = await keys.oncePerKey.recordDone(one);
    await keys.end();
    return failure;
  };

  test('completes its key, even if the outcome of an earlier attempt is unknown', async () => {
    await settled(open('1'), 'unknown');
    for (const one of [keyed(), keyed('other')]) expect(await recordDone(one)).toBeUndefined();
    for (const one of [keyed(), keyed('other')]) expect(await stateOf(open('3'), one)).toBe('done');
  });

  test('is no conflict if the same payment was completed before', async () => {
    await settled(open('1'), 'done');
    expect(await recordDone(keyed())).toBeUndefined();
    expect(await stateOf(open('3'))).toBe('done');
  });

  test('does not complete the key of another payment', async () => {
    await settled(open('1'), 'unknown');
    const before = bench.database.rows.get('row');
    expect(await recordDone(withBody({ amt_tran: 26 }))).toEqual(KEY_OF_OTHER);
    expect(bench.database.rows.get('row')).toEqual(before);
    expect(await stateOf(open('3'))).toBe('unknown');
    expect(await stateOf(open('3'), withBody({ amt_tran: 26 }))).toBe('invalid');
  });

  test('needs no key', async () => {
    expect(await recordDone(keyed('deal', { options: {} }))).toBeUndefined();
    expect(bench.database.calls).toBe(0);
  });

  test('fails if other processes overwrite its key five times', async () => {
    const looks = overwritten();
    expect(await open().oncePerKey.recordDone(keyed())).toMatchObject({ outcome: 'notSent' });
    expect(looks()).toBe(5);
  });
});

/** Simulates other processes that overwrite the row before each call. Returns the number of calls. */
function overwritten(by: () => string[] = () => []) {
  const check = bench.database.check.bind(bench.database);
  let looks = 0;
  jest.spyOn(bench.database, 'check').mockImplementation(async (keys, ...more) => {
    looks += 1;
    bench.database.rows.set('row', by());
    return await check(keys, ...more);
  });
  return () => looks;
}

describe("keys that n8n's database doesn't store", () => {
  test.each(['', '__EMPTY__'])('an item with a key is not sent in an unsaved workflow ("%s")', async (workflowId) => {
    const keys = open('1', { workflowId });
    expect(await keys.oncePerKey.begin(keyed(), '0.0')).toEqual(WORKFLOW_NOT_SAVED);
    expect(await keys.oncePerKey.recordDone(keyed())).toEqual(WORKFLOW_NOT_SAVED);
    keys.recordApplied(keyed());
    await keys.end();
    expect(await stateOf(keys, keyed('deal', { options: {} }))).toBeUndefined();
    expect(bench.database.calls).toBe(0);
  });

  test('an item may run again after the database failed', async () => {
    bench.database.failing = new Error('Connection terminated');
    expect(await open().oncePerKey.begin(keyed(), '0.0')).toEqual({
      outcome: 'notSent',
      message: 'n8n\'s database did not save the key of "Once per Key", so the item was not sent',
      advice: "Run this item again when n8n's database works.",
    });
    delete bench.database.failing;
    expect(await stateOf(open('2'))).toBeUndefined();
  });

  test('another attempt is not sent if the database fails', async () => {
    await settled(open('1'), 'unknown');
    const { resume: again, code } = await unknownKey(open('2'));
    const gone = new Error('Connection terminated');
    jest.spyOn(bench.database, 'check').mockRejectedValueOnce(gone).mockRejectedValueOnce(gone);
    expect(await again()).toMatchObject({ outcome: 'notSent' });
    expect(await unknownKey(open('3'))).toMatchObject({ code });
  });

  test('items are not sent if the workflow has no row, without further checks', async () => {
    bench.database.failing = new Error('FOREIGN KEY constraint failed');
    const keys = open();
    expect(await keys.oncePerKey.begin(keyed(), '0.0')).toEqual(WORKFLOW_NOT_SAVED);
    const { calls } = bench.database;
    expect(await keys.oncePerKey.begin(keyed(), '0.0')).toEqual(WORKFLOW_NOT_SAVED);
    expect(bench.database.calls).toBe(calls);
  });

  test('an item is not sent if other processes overwrite its key five times', async () => {
    const looks = overwritten();
    const keys = open();
    expect(await stateOf(keys)).toBe('notSent');
    expect(looks()).toBe(7);
    await keys.end();
    expect(bench.database.rows.get('row')).toEqual([]);
  });

  test('another attempt that is overwritten five times leaves the key unknown', async () => {
    await settled(open('1'), 'unknown');
    const before = [...(bench.database.rows.get('row') ?? [])];
    const keys = open('2');
    const { resume: again } = await unknownKey(keys);
    overwritten(() => [...before]);
    expect(await again()).toMatchObject({ outcome: 'notSent' });
    jest.restoreAllMocks();
    await keys.end();
    expect(await stateOf(open('3'))).toBe('unknown');
  });
});

describe('keys that other processes overwrite after each write', () => {
  const overwritten = () =>
    jest.spyOn(KeyRow.prototype, 'keep').mockResolvedValueOnce('this').mockResolvedValue('lost');
  afterEach(() => jest.restoreAllMocks());

  test('an attempt that has waited is not sent', async () => {
    const keys = open('1');
    await stateOf(keys);
    jest.setSystemTime(Date.now() + TIMEOUT_MS);
    overwritten();
    await expect(keys.renew(keyed())).rejects.toThrow('Other processes overwrite the keys');
  });

  test('another attempt is not sent, and leaves the key unknown', async () => {
    await settled(open('1'), 'unknown');
    const keys = open('2');
    const { resume: again } = await unknownKey(keys);
    overwritten();
    expect(await again()).toMatchObject({ outcome: 'notSent' });
    jest.restoreAllMocks();
    await keys.end();
    expect(await stateOf(open('3'))).toBe('unknown');
  });

  test('a key that others free and use again each time is under way', async () => {
    await settled(open('1'), 'unknown', withBody({ amt_tran: 26 }));
    const { database } = bench;
    const used = (database.rows.get('row') ?? []).filter((key) => /^(key|copy) /.test(key));
    const check = database.check.bind(database);
    jest.spyOn(database, 'check').mockImplementation(async (keys, ...more) => {
      const free = (database.rows.get('row') ?? []).filter((key) => !used.includes(key));
      const isLooking = keys.some((key) => String(key).startsWith('unproven '));
      const isBeginning = !isLooking && keys.some((key) => String(key).startsWith('key '));
      database.rows.set('row', isBeginning ? [...free, ...used] : free);
      return await check(keys, ...more);
    });
    expect(await stateOf(open('2'))).toBe('underWay');
  });
});

describe('the row of the keys', () => {
  test('keeps the latest 10,000 keys', async () => {
    await settled(open('1'), 'done', keyed('later'));
    const row = bench.database.rows.get('row') ?? [];
    expect(row).toHaveLength(3);
    const others = (count: number) => Array.from({ length: count }, (_, index) => `other ${index}`);
    bench.database.rows.set('row', [...row, ...others(MOST_KEYS_OF_WORKFLOW - 50)]);
    await settled(open('2'), 'done', keyed('next'));
    const keys = open('3');
    expect(await stateOf(keys, keyed('later'))).toBe('done');
    await keys.end();
    bench.database.rows.set('row', [...row, ...others(MOST_KEYS_OF_WORKFLOW)]);
    bench.database.rows.set('row of node', others(MOST_KEYS));
    await settled(open('4'), 'done', keyed('last'));
    expect(await stateOf(open('5'), keyed('last'))).toBe('done');
    expect(await stateOf(open('5'), keyed('later'))).toBeUndefined();
  });

  test('is not the row of another workflow', async () => {
    for (const workflowId of ['A', 'B']) {
      const keys = open('1', { workflowId });
      expect(await stateOf(keys)).toBeUndefined();
      keys.settle(keyed(), 'done');
      await keys.end();
    }
    expect(bench.database.rows.get('row')).toHaveLength(6);
  });

  test('contains no key of an item in readable form', async () => {
    await settled(open('1'), 'unknown', keyed('member-17'));
    expect(JSON.stringify([...bench.database.rows])).not.toMatch(/member-17|C1|amt_tran/);
  });
});

test('the failures for keys explain what a person can do', () => {
  expect(KEY_DONE).toEqual({
    outcome: 'doneBefore',
    message:
      '"Once per Key": this workflow already completed an item with the same key in this or an earlier execution, so this item was not sent',
    advice: 'To send this item too, use a different key.',
  });
  expect(KEY_OF_OTHER).toEqual({
    outcome: 'invalid',
    message:
      '"Once per Key": this workflow used the same key for another payment (another customer, account, amount, currency or reference), so this item was not sent',
    advice: 'To send this item too, use a different key.',
  });
  expect(WORKFLOW_NOT_SAVED).toEqual({
    outcome: 'invalid',
    message: '"Once per Key" works only in a saved workflow',
    advice: 'Save the workflow and run it again.',
  });
});

test.each([
  [undefined, false],
  ['', false],
  ['__EMPTY__', false],
  ['8a7b', true],
  ['my__EMPTY', true],
])('a workflow with the ID %j is saved: %j', (id, saved) => {
  expect(isSaved(id)).toBe(saved);
});
