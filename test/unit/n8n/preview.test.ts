import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DayTotal } from '../../../nodes/PaymentPlatform/limits/day-total';
import { copyOf, KeyRow, unproven, type KeyStore } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { currentRound, endPreviewedRound } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { previewOf } from '../../../nodes/PaymentPlatform/n8n/preview';
import { ProcessedData } from '../../processed-data';
import { timeIsSimulated } from '../../simulated-time';

timeIsSimulated();

let rows = 0;

function previewed(stored: Record<string, IDataObject> = {}) {
  const database = new ProcessedData();
  const getContext = (type: string) => (stored[type] ??= {});
  const name = `row ${(rows += 1)}`;
  const [getWorkflow, getNode] = [() => ({ id: name }), () => ({ id: 'node' })];
  const context = { getContext, getMode: () => 'manual', getWorkflow, getNode } as unknown as IExecuteFunctions;
  const preview = previewOf(context);
  return {
    ...{ stored, preview, database, store: database.helpers(name) as KeyStore },
    kept: () => database.rows.get(name) ?? [],
    real: KeyRow.ofNode(context),
    row: KeyRow.ofNode(preview),
    again: () => KeyRow.ofNode(preview),
  };
}

test('a preview reads copies of the execution data and changes only them', () => {
  const { stored, preview } = previewed({ node: { runs: { one: 1 } } });
  const copy = preview.getContext('node');
  (copy.runs as IDataObject).one = 2;
  copy.more = true;
  preview.getContext('flow').tools = {};
  expect(stored).toEqual({ node: { runs: { one: 1 } }, flow: {} });
  expect(preview.getContext('node')).toBe(copy);
  expect(preview.getContext('flow')).toEqual({ tools: {} });
  expect(preview.getMode()).toBe('manual');
});

test('a preview has its own row, and another preview another one', () => {
  const { real, row, again } = previewed();
  expect(row).not.toBe(real);
  expect(again()).toBe(row);
  expect(previewed().row).not.toBe(row);
});

test('a preview finds the keys of the row and its own new keys, and the row stays unchanged', async () => {
  const { store, real, row, kept } = previewed();
  await real.record(store, ['a', 'b']);
  expect([...(await row.record(store, ['a', 'c']))]).toEqual(['c']);
  expect([...(await row.record(store, ['b', 'c', 'd']))]).toEqual(['d']);
  expect([...(await row.find(store, ['a', 'c', 'e']))]).toEqual(['a', 'c']);
  await row.flush(store);
  expect(kept()).toEqual(['a', 'b']);
});

test('a key that a preview removes is missing only in the preview, until the preview records it again', async () => {
  const { store, real, row, kept } = previewed();
  await real.record(store, ['a', 'b']);
  row.remove(store, ['a']);
  await row.flush(store);
  expect([...(await row.find(store, ['a', 'b']))]).toEqual(['b']);
  expect([...(await row.record(store, ['a']))]).toEqual(['a']);
  expect([...(await row.record(store, ['a']))]).toEqual([]);
  row.remove(store, ['a']);
  await row.flush(store);
  expect([...(await row.find(store, ['a']))]).toEqual([]);
  await row.flush(store);
  expect(kept()).toEqual(['a', 'b']);
});

test('a key that proves nothing proves nothing in a preview either', async () => {
  const { store, real, row } = previewed();
  await real.record(store, ['a', unproven('a'), 'b']);
  expect([...(await row.findProofs(store, ['a', 'b']))]).toEqual(['b']);
});

test('the next preview can record a copy that a killed preview has left', async () => {
  const { store, real, row } = previewed();
  const copy = copyOf('a');
  await real.record(store, [copy, unproven(copy)]);
  expect([...(await row.record(store, [copy]))]).toEqual([copy]);
});

test('a preview runs a task without a lock and returns its result', async () => {
  const { store, row, kept } = previewed();
  const during: string[] = [];
  const task = async () => {
    during.push(...kept());
    return await Promise.resolve('done');
  };
  expect(await row.exclusively(store, 'day', task)).toBe('done');
  expect(during).toEqual([]);
});

test('a preview tells whether the row has space', async () => {
  const { store, real, row } = previewed();
  expect(await row.hasSpace(store)).toBe(true);
  await real.record(
    store,
    Array.from({ length: 400 }, (_, index) => `a${index}`),
  );
  await real.record(
    store,
    Array.from({ length: 400 }, (_, index) => `b${index}`),
  );
  await real.record(
    store,
    Array.from({ length: 400 }, (_, index) => `c${index}`),
  );
  expect(await row.hasSpace(store)).toBe(false);
});

test.each([0, 60, 120, 180])(
  "a kill during a preview leaves the day's total unchanged, with %d other keys in the same look-up",
  async (others) => {
    for (let calls = 1; calls <= 4; calls += 1) {
      const { store, database, real, row } = previewed();
      await DayTotal.of(real).change(store, 'day', () => 500);
      const [check, remove] = [database.check.bind(database), database.remove.bind(database)];
      let made = 0;
      database.check = async (...how) =>
        (made += 1) <= calls ? await check(...how) : await Promise.reject(new Error('killed'));
      database.remove = async (...how) => (made < calls ? await remove(...how) : undefined);
      const keys = Array.from({ length: others }, (_, index) => `key ${index}`);
      const killed = [row.find(store, keys), DayTotal.of(row).change(store, 'day', (cents) => cents + 100)];
      await Promise.allSettled(killed);
      Object.assign(database, { check, remove });
      let seen = 0;
      await DayTotal.of(real).change(store, 'day', (cents) => (seen = cents));
      expect([calls, seen]).toEqual([calls, 500]);
    }
  },
);

test("a preview fails closed if n8n's database fails", async () => {
  const { row } = previewed();
  const failing = async () => await Promise.reject(new Error('gone'));
  const store = { checkProcessedAndRecord: failing, removeProcessed: failing } as unknown as KeyStore;
  await expect(row.record(store, ['a'])).rejects.toThrow('gone');
});

test('each preview of a loop continues with the iteration of the preview before', () => {
  const stored = { node: {} };
  const roundAt = (runIndex: number) => {
    const context = {
      getContext: () => stored.node,
      getInputData: () => [{ json: {} }],
      evaluateExpression: () => runIndex,
    } as unknown as IExecuteFunctions;
    const preview = previewOf(context);
    const { number, itemsBefore } = currentRound(preview);
    endPreviewedRound(context, preview);
    return { number, itemsBefore };
  };
  expect([0, 1, 2].map(roundAt)).toEqual([
    { number: 0, itemsBefore: 0 },
    { number: 1, itemsBefore: 1 },
    { number: 2, itemsBefore: 2 },
  ]);
  expect(stored.node).toEqual({});
  expect(roundAt(0)).toEqual({ number: 0, itemsBefore: 0 });
});
