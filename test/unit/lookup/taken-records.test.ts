import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { endRound } from '../../../nodes/PaymentPlatform/n8n/lineage';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { MOST_RECORDS, TakenRecords } from '../../../nodes/PaymentPlatform/lookup/record-owners';

const contextOf = (kept: IDataObject, type = 'paymentPlatform', runIndex = 0) =>
  ({
    getContext: (type: string) => (type === 'node' ? kept : {}),
    getNode: () => ({ type }),
    getInputData: () => [],
    evaluateExpression: () => runIndex,
  }) as unknown as IExecuteFunctions;

function inRound(kept: IDataObject, runIndex: number, type?: string): TakenRecords {
  const context = contextOf(kept, type, runIndex);
  const records = TakenRecords.of(context);
  endRound(context);
  return records;
}
const item = (index: number) => ({ items: [index], part: 0 }) as PlannedRequest;

test('remembers a record from an earlier run of a loop without storing its ID', () => {
  const kept: IDataObject = {};
  TakenRecords.of(contextOf(kept)).add('pg1234567890');
  const next = TakenRecords.of(contextOf(JSON.parse(JSON.stringify(kept)) as IDataObject));
  expect([next.has('pg1234567890', true), next.has('pg1234567891', true)]).toEqual([true, false]);
  expect(JSON.stringify(kept)).not.toContain('1234567890');
});

describe('the number of records that an execution stores', () => {
  const filled = (count: number) => {
    const kept: IDataObject = {};
    const made = TakenRecords.of(contextOf(kept));
    for (let index = 0; index < count; index += 1) made.add(`pg${index}`);
    return { kept, made, next: TakenRecords.of(contextOf(kept)) };
  };

  test('3,000 records are stored in less than 30 kB, and none of them is forgotten', () => {
    const { kept, made, next } = filled(3000);
    expect(JSON.stringify(kept.paymentPlatformMade).length).toBeLessThan(30_000);
    expect(['pg0', 'pg1500', 'pg2999', 'pg3000'].map((id) => next.has(id, true))).toEqual([true, true, true, false]);
    expect([made.isCut, next.isCut]).toEqual([false, false]);
  });

  test('50,000 records are stored, and later attempts know that a further record is missing', () => {
    const { kept, made, next } = filled(MOST_RECORDS);
    expect([MOST_RECORDS, made.isCut, next.isCut]).toEqual([50_000, false, false]);
    made.add('pg0');
    made.add('');
    expect(made.isCut).toBe(false);
    made.add('more');
    expect([made.isCut, made.has('more', true)]).toEqual([true, true]);
    expect(kept).toHaveProperty('paymentPlatformMadeCut', true);
    const later = TakenRecords.of(contextOf(JSON.parse(JSON.stringify(kept)) as IDataObject));
    expect(later.isCut).toBe(true);
    expect(['pg0', 'pg49999', 'more'].map((id) => later.has(id, true))).toEqual([true, true, false]);
  });
});

test('never stores empty or already known values', () => {
  const kept: IDataObject = {};
  const made = TakenRecords.of(contextOf(kept));
  for (const id of ['', 'pg1', 'pg1']) made.add(id);
  expect(kept.paymentPlatformMade).toHaveLength(8);
  const next = TakenRecords.of(contextOf(kept));
  expect([next.has('pg1', true), next.has('', true)]).toEqual([true, false]);
});

describe('the records of other nodes', () => {
  /** Opens the records of nodes of an execution, which n8n stores and reads again before each. */
  function nodesOf() {
    let stored: Record<string, IDataObject> = {};
    const open = (name: string) => {
      stored = JSON.parse(JSON.stringify(stored)) as typeof stored;
      const places: Record<string, string> = { node: name, flow: 'of all nodes' };
      const getContext = (type: string) => (stored[places[type] ?? 'unknown'] ??= {});
      return TakenRecords.of({ ...contextOf({}), getContext, getNode: () => ({ type: '', name }) } as never);
    };
    return Object.assign(open, { stored: () => stored });
  }

  test('are known to the other nodes of the execution', () => {
    const open = nodesOf();
    const first = open('A');
    first.add('pg1');
    first.keepUnplaced(item(0), 'key1');
    const second = open('B');
    const known = (records: TakenRecords) =>
      ['pg1', 'key1', 'pg2'].map((one) => [records.isOfOtherNode(one), records.has(one, true)]);
    expect(known(second)).toEqual([
      [true, false],
      [true, false],
      [false, false],
    ]);
    second.add('pg2');
    expect(Object.keys(open.stored())).toEqual(['of all nodes', 'A', 'B']);
    expect(Object.keys(open.stored()['of all nodes'] ?? {})).toEqual(['paymentPlatformMadeByNode']);
    expect(known(open('A'))).toEqual([
      [false, true],
      [false, false],
      [true, false],
    ]);
  });

  test('lose a write without a record once its record is known', () => {
    const open = nodesOf();
    const first = open('A');
    first.keepUnplaced(item(0), 'key1');
    first.forgetUnplaced(item(0));
    expect(open('B').isOfOtherNode('key1')).toBe(false);
  });

  test('may be missing if one of the nodes has too many', () => {
    const open = nodesOf();
    const first = open('A');
    for (let index = 0; index <= MOST_RECORDS; index += 1) first.add(`pg${index}`);
    expect([open('B').isCut, open('A').isCut]).toEqual([true, true]);
  });
});

describe('writes whose record is unknown', () => {
  test('writes without a known record count in other loop iterations', () => {
    const kept: IDataObject = {};
    const first = inRound(kept, 0);
    first.keepUnplaced(item(0), 'key A');
    first.keepUnplaced(item(1), 'key A');
    first.keepUnplaced(item(2), 'key B');
    expect(first.unplacedElsewhere(['key A'])).toBe(0);
    const second = inRound(JSON.parse(JSON.stringify(kept)) as IDataObject, 1);
    expect(['key A', 'key B', 'key C'].map((key) => second.unplacedElsewhere([key]))).toEqual([2, 1, 0]);
    expect(second.unplacedElsewhere(['key A', 'key B', 'key C'])).toBe(3);
    second.keepUnplaced(item(0), 'key A');
    expect(second.unplacedElsewhere(['key A'])).toBe(2);
  });

  test('writes without a known record are counted once for each position', () => {
    const kept: IDataObject = {};
    const first = inRound(kept, 0);
    first.keepUnplaced(item(0), 'key A');
    first.keepUnplaced(item(0), 'key A');
    expect(inRound(kept, 1).unplacedElsewhere(['key A'])).toBe(1);
  });

  test('writes without a known record are removed when their record becomes known', () => {
    const kept: IDataObject = {};
    const first = inRound(kept, 0);
    first.forgetUnplaced(item(0));
    first.keepUnplaced(item(0), 'key A');
    first.keepUnplaced(item(1), 'key A');
    first.forgetUnplaced(item(0));
    const second = inRound(kept, 1);
    expect(second.unplacedElsewhere(['key A'])).toBe(1);
    second.forgetUnplaced(item(1));
    expect(second.unplacedElsewhere(['key A'])).toBe(1);
  });

  test('no writes without a known record exist before the first write', () => {
    expect(inRound({}, 0).unplacedElsewhere(['key A'])).toBe(0);
  });

  test('writes without a known record are stored without their key', () => {
    const kept: IDataObject = {};
    inRound(kept, 0).keepUnplaced(item(0), 'customer 1234567890');
    expect(JSON.stringify(kept)).not.toContain('1234567890');
  });

  test('writes without a known record are stored under the name that retries of earlier executions read', () => {
    const kept: IDataObject = {};
    inRound(kept, 0).keepUnplaced(item(0), 'key A');
    expect(kept.paymentPlatformUnplaced).toEqual({ 0: { '0.0': expect.any(String) as string } });
  });
});

test('reserves a record only during its run, unless the node created it', () => {
  const kept: IDataObject = {};
  const first = inRound(kept, 0);
  first.take('pg1');
  first.add('pg2');
  expect(['pg1', 'pg2', 'pg3'].map((id) => first.has(id, false))).toEqual([true, true, false]);
  const second = inRound(kept, 1);
  expect(['pg1', 'pg2'].map((id) => second.has(id, true))).toEqual([false, true]);
  expect(['pg1', 'pg2'].map((id) => second.has(id, false))).toEqual([false, false]);
});

test("stores nothing in the node's context for a tool", () => {
  const kept: IDataObject = {};
  const tool = inRound(kept, 0, 'paymentPlatformTool');
  tool.add('pg1');
  tool.keepUnplaced(item(0), 'key A');
  expect(tool.has('pg1', true)).toBe(true);
  expect(kept).toEqual({});
});
