import { sleep } from 'n8n-workflow';

import { previewOf } from '../../../nodes/PaymentPlatform/n8n/preview';
import { DatabaseKeys } from '../../../nodes/PaymentPlatform/once/database-keys';
import { timeIsSimulated } from '../../simulated-time';
import { account } from '../requests';
import {
  keyed,
  keysBench,
  resolving,
  settled,
  startProcess,
  stateOf,
  TIMEOUT_MS,
  unknownKey,
  withBody,
} from './keys-bench';

const bench = keysBench();
const { open } = bench;
const other = startProcess();
const third = startProcess();

timeIsSimulated();

describe('while a preview in another process looks up the attempts at a key', () => {
  /** Runs a step. The keys of the preview's look-up stay until the step has looked up attempts. */
  async function whileLooking<Result>(step: () => Promise<Result>): Promise<Result> {
    const { database } = bench;
    const isOfAttempts = (keys: unknown[]) => keys.some((key) => String(key).startsWith('attempt '));
    let end = () => {};
    const looked = new Promise<void>((resolve) => (end = resolve));
    const context = bench.contextOf('2');
    const remove = jest.spyOn(context.helpers, 'removeProcessed');
    const removeNow = remove.getMockImplementation();
    remove.mockImplementation(async (...given) => {
      if (isOfAttempts(given[0])) await looked;
      await removeNow?.(...given);
    });
    const preview = DatabaseKeys.open(previewOf(context), account, [keyed()], TIMEOUT_MS);
    const state = stateOf(preview);
    while (!isOfAttempts(database.rows.get('row') ?? [])) await sleep(1);
    const check = jest.spyOn(database, 'check');
    const result = step();
    while (!check.mock.calls.some(([keys]) => keys.some((key) => /^attempt .* 0$/.test(key)))) await sleep(1);
    check.mockRestore();
    end();
    await state;
    await preview.end();
    return await result;
  }

  test('a payment that waits is sent', async () => {
    const waiting = open('1', { process: other });
    expect(await stateOf(waiting)).toBeUndefined();
    await sleep(40_000);
    expect(await whileLooking(async () => await waiting.oncePerKey.renew(keyed()))).toBe(true);
  });

  test('an attempt keeps its code, which approves no attempt after another one', async () => {
    await settled(open('1', { process: other }), 'unknown');
    const { code } = await unknownKey(open('2', { process: third }));
    const sending = open('3', { process: other });
    const found = await whileLooking(async () => await unknownKey(sending));
    expect(await found.resume()).toBeUndefined();
    sending.settle(keyed(), 'unknown');
    await sending.end();
    await sleep(20 * TIMEOUT_MS);
    const later = await unknownKey(open('4', { process: third }), resolving(code));
    expect([found.code === code, later.isApproved]).toEqual([true, false]);
  });
});

test('a payment whose key another payment has is not done because three processes look it up', async () => {
  await settled(open('1'), 'unknown');
  const one = withBody({ amt_tran: 26 });
  const remove = bench.database.remove.bind(bench.database);
  const held: Array<() => void> = [];
  let holds: (gone: string[]) => boolean = () => false;
  bench.database.remove = async (gone, row) => {
    if (holds(gone)) await new Promise<void>((resolve) => held.push(resolve));
    await remove(gone, row);
  };
  const contains = (gone: string[], begins: string) => gone.some((key) => key.startsWith(begins));
  const untilHeld = async (count: number) => {
    for (let left = 30_000; left > 0 && held.length < count; left -= 1) await sleep(1);
  };
  holds = (gone) => contains(gone, 'unproven done ') && !contains(gone, 'done ');
  const first = stateOf(open('2', { process: startProcess() }), one);
  await untilHeld(1);
  holds = (gone) => contains(gone, 'done ') && !contains(gone, 'unproven done ');
  const second = stateOf(open('3', { process: startProcess() }), one);
  await untilHeld(2);
  holds = () => false;
  held[0]?.();
  await sleep(20);
  expect(await stateOf(open('4'), one)).toBe('invalid');
  held[1]?.();
  expect([await first, await second]).toEqual(['invalid', 'invalid']);
});

describe('a payment that waited until its time ended, while another process looks it up at the service', () => {
  async function waited() {
    const waiting = open('1');
    expect(await stateOf(waiting)).toBeUndefined();
    await sleep(10 * TIMEOUT_MS);
    return { waiting, again: await unknownKey(open('2', { process: other })) };
  }
  async function freed() {
    const { waiting, again } = await waited();
    waiting.settle(keyed(), 'refused');
    await waiting.end();
    return again;
  }

  test('is not sent again if it was sent in the meantime', async () => {
    const { waiting, again } = await waited();
    expect(await waiting.renew(keyed())).toBe(true);
    waiting.settle(keyed(), 'unknown');
    await waiting.end();
    expect(await again.resume()).toEqual({ state: 'underWay' });
  });

  test('is not approved by an earlier decision if it was sent in the meantime', async () => {
    const { waiting, again } = await waited();
    expect(await waiting.renew(keyed())).toBe(true);
    waiting.settle(keyed(), 'unknown');
    await waiting.end();
    const { code, isApproved } = await unknownKey(open('3', { process: third }), resolving(again.code));
    expect([isApproved, code === again.code]).toEqual([false, false]);
    expect((await unknownKey(open('4', { process: third }), resolving(code))).isApproved).toBe(true);
  });

  test.each([0, 10])(
    'is approved by a decision about its item only if it was on time: %d time limits',
    async (limits) => {
      const first = open('1', { established: 1000 });
      expect(await stateOf(first)).toBeUndefined();
      await sleep(limits * TIMEOUT_MS);
      expect(await first.renew(keyed())).toBe(true);
      first.settle(keyed(), 'unknown');
      await first.end();
      const retry = open('2', { mode: 'retry', established: 1000, process: other });
      expect((await unknownKey(retry, keyed(), '1.0')).isApproved).toBe(limits === 0);
    },
  );

  test.each([
    ['unknown', keyed()],
    ['done', withBody({ amt_tran: 26 })],
  ] as const)('is not sent if another payment with its key was %s in the meantime', async (outcome, one) => {
    const again = await freed();
    await settled(open('3', { process: third }), outcome, one);
    expect(await again.resume()).toEqual({ state: 'underWay' });
  });

  test('leaves no trace if another payment with its key is under way', async () => {
    const again = await freed();
    const next = open('3', { process: third });
    expect(await stateOf(next)).toBeUndefined();
    expect(await again.resume()).toEqual({ state: 'underWay' });
    await sleep(40_000);
    expect(await next.renew(keyed())).toBe(true);
    next.settle(keyed(), 'refused');
    await next.end();
    expect(await stateOf(open('4'))).toBeUndefined();
  });
});
