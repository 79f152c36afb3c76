import type { IDataObject } from 'n8n-workflow';

import { choice } from '../../../nodes/PaymentPlatform/fields/kinds/choice';
import { group, section } from '../../../nodes/PaymentPlatform/fields/kinds/group';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import type { Field } from '../../../nodes/PaymentPlatform/fields/types';
import { when } from '../../../nodes/PaymentPlatform/fields/kinds/when';
import { batchItems, groupKnownShares, withShares } from '../../../nodes/PaymentPlatform/run/batch-items';
import type { ItemOptions } from '../../../nodes/PaymentPlatform/model/option-types';
import type { Planned, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Finished, Remembered } from '../../../nodes/PaymentPlatform/model/write-memory';
import { operationOf } from '../requests';

const seen = { description: '', place: 'body' as const };
const list = (perRequest?: number) =>
  group({
    ...seen,
    name: 'entries',
    label: 'Entries',
    itemLabel: 'Entry',
    type: 'list',
    fields: [text({ ...seen, name: 'id', label: 'ID' })],
    perRequest,
  });
const mode = choice({
  ...seen,
  name: 'mode',
  label: 'Mode',
  place: 'node',
  options: [{ name: 'Many', value: 'many' }],
  default: 'many',
});

const itemOf = (fields: Field[], body: IDataObject, item: number, options: Partial<ItemOptions> = {}): Planned => ({
  request: {
    items: [item],
    part: 0,
    operation: operationOf({ fields }),
    options: { unknownOutcome: 'lookUp', testEnvironmentOnly: false, ...options },
    values: { path: {}, query: {}, body, node: {} },
    method: 'POST',
    path: '/platform/invoice',
    family: 'platform',
    effect: 'writesOnce',
    simplify: false,
  },
});

const planned = (fields: Field[], ...bodies: IDataObject[]) =>
  batchItems(
    operationOf({ fields }),
    bodies.map((body, item) => itemOf(fields, body, item)),
  );

const sent = (...given: Parameters<typeof planned>) =>
  planned(...given).flatMap((plan) =>
    'request' in plan ? [{ items: plan.request.items, part: plan.request.part, body: plan.request.values.body }] : [],
  );
const entries = (...ids: string[]) => ({ entries: ids.map((id) => ({ id })) });

test.each([
  ['stands open', list(2)],
  ['stands in a section', section({ name: 'more', label: 'More', fields: [list(2)] })],
  ['applies under a condition', when(mode, ['many'], list(2))],
])('shares requests between items with a shareable list that %s', (_, field) => {
  expect(sent([field], entries('a'), entries('b', 'c', 'd'), entries('e'))).toEqual([
    { items: [0, 1], part: 0, body: entries('a', 'b') },
    { items: [1], part: 0, body: entries('c', 'd') },
    { items: [2], part: 0, body: entries('e') },
  ]);
});

test('assigns the parts of a shared request to their items', () => {
  const own = planned([list(2)], entries('a'), entries('b', 'c')).map((plan) =>
    'request' in plan ? plan.request.perItem?.map(({ body }) => body) : [],
  );
  expect(own).toEqual([[entries('a'), entries('b')], [entries('c')]]);
});

test('divides one item between several requests', () => {
  expect(sent([list(1)], entries('a', 'b')).map(({ part }) => part)).toEqual([0, 1]);
});

test('shares no request between items that differ outside the list', () => {
  const other = { ...entries('b'), name: 'x' };
  expect(sent([list(9)], entries('a'), other, entries('c'))).toEqual([
    { items: [0, 2], part: 0, body: entries('a', 'c') },
    { items: [1], part: 0, body: other },
  ]);
});

test("sends text shared by several items once, in the first item's request", () => {
  const texts = (...ids: string[]) => ({ entries: ids });
  expect(sent([list(2)], texts('a', 'b'), texts('b', 'c'), texts('a'), texts('d'))).toEqual([
    { items: [0, 1, 2], part: 0, body: texts('a', 'b') },
    { items: [1, 3], part: 0, body: texts('c', 'd') },
  ]);
  const own = planned([list(9)], texts('a', 'b'), texts('b')).map((plan) =>
    'request' in plan ? plan.request.perItem?.map(({ body }) => body) : [],
  );
  expect(own).toEqual([[texts('a', 'b'), texts('b')]]);
});

test('marks an object that several items request and that is sent once', () => {
  const marks = (...bodies: IDataObject[]) =>
    planned([list(9)], ...bodies).flatMap((plan) =>
      'request' in plan ? (plan.request.shares ?? []).map(({ isSentOnce }) => isSentOnce) : [],
    );
  expect(marks({ entries: ['a'] }, { entries: ['a'] })).toEqual([true, true]);
  expect(marks(entries('a'), entries('a'))).toEqual([false, false]);
});

test('sends equal objects of several items as often as they occur', () => {
  expect(sent([list(9)], entries('a'), entries('a'))).toEqual([{ items: [0, 1], part: 0, body: entries('a', 'a') }]);
});

test('sends one request per item without a shareable list', () => {
  expect(sent([list()], entries('a'), entries('b')).map(({ items }) => items)).toEqual([[0], [1]]);
});

test('parts of a partly sent shared request are not shared', () => {
  const [plan] = planned([list(9)], entries('a'), entries('b'), entries('c'));
  if (!plan || !('request' in plan)) throw new Error('The items were not planned');
  const rest = withShares(plan.request, plan.request.shares?.slice(1) ?? []);
  expect(rest.shares?.map(({ items, shares }) => ({ items, shares }))).toEqual([
    { items: [1], shares: undefined },
    { items: [2], shares: undefined },
  ]);
});

function sharedBy(...all: Planned[]): PlannedRequest {
  const [plan, ...others] = batchItems(operationOf({ fields: [list(9)] }), all);
  if (!plan || 'failure' in plan || others.length > 0) throw new Error('The items do not share one request');
  return plan.request;
}

test('keeps the failures of items that were not planned', () => {
  const failed: Planned = { failure: { outcome: 'invalid', message: 'm', advice: '' }, item: 1 };
  const fields = [list(9)];
  const all = batchItems(operationOf({ fields }), [
    itemOf(fields, entries('a'), 0),
    failed,
    itemOf(fields, entries('b'), 2),
  ]);
  expect(all).toEqual([failed, { request: expect.objectContaining({ items: [0, 2] }) as object }]);
});

describe('the options of a shared request', () => {
  const optionsOf = (...each: Array<Partial<ItemOptions>>) =>
    sharedBy(...each.map((options, item) => itemOf([list(9)], entries(`${item}`), item, options))).options;

  test('a shared request is sent again only if all of its items allow it', () => {
    const chosen = (...all: Array<ItemOptions['unknownOutcome']>) =>
      optionsOf(...all.map((unknownOutcome) => ({ unknownOutcome }))).unknownOutcome;
    expect(chosen('resend', 'resend')).toBe('resend');
    expect(chosen('refuse', 'refuse')).toBe('refuse');
    expect(chosen('resend', 'lookUp')).toBe('lookUp');
    expect(chosen('lookUp', 'resend', 'resend')).toBe('lookUp');
  });

  test("a shared request uses the user's statements about each item and the other options of the first item", () => {
    const options = optionsOf(
      { resolved: new Map([['0-a', 'applied']]), testEnvironmentOnly: true },
      {},
      { resolved: new Map([['2-a', 'notApplied']]) },
    );
    expect([...(options.resolved ?? [])]).toEqual([
      ['0-a', 'applied'],
      ['2-a', 'notApplied'],
    ]);
    expect(options.testEnvironmentOnly).toBe(true);
  });
});

describe('objects of a shared request that earlier attempts sent', () => {
  const done = (id: string, more: Partial<Finished> = {}): Remembered => ({
    outcome: 'done',
    records: [{ id }],
    ...more,
  });
  const grouped = (...states: Array<Remembered | undefined>) => {
    const request = sharedBy(itemOf([list(9)], entries('a', 'b'), 0), itemOf([list(9)], entries('c', 'd'), 1));
    const known = (request.shares ?? []).flatMap((share, index): Array<[PlannedRequest, Remembered]> => {
      const { [index]: state } = states;
      return state ? [[share, state]] : [];
    });
    return groupKnownShares(request, new Map(known)).map((group) => ({
      items: group.request.items,
      body: group.request.values.body,
      known: group.known,
    }));
  };

  test('completed objects form one group per item', () => {
    expect(grouped(done('1'), done('2'), done('3'))).toEqual([
      { items: [0], body: entries('a', 'b'), known: { outcome: 'done', records: [{ id: '1' }, { id: '2' }] } },
      { items: [1], body: entries('c'), known: { outcome: 'done', records: [{ id: '3' }] } },
    ]);
  });

  test("objects that aren't sent form one group per reason", () => {
    const open = (code: string, evidence?: 'begun'): Remembered => ({ outcome: 'unknown', code, evidence });
    expect(grouped(open('A'), open('B'), open('A'), open('A', 'begun'))).toEqual([
      { items: [0, 1], body: entries('a', 'c'), known: open('A') },
      { items: [0], body: entries('b'), known: open('B') },
      { items: [1], body: entries('d'), known: open('A', 'begun') },
    ]);
    const other: Remembered = { outcome: 'unrecognisable', code: 'A' };
    expect(grouped(open('A'), other, undefined, done('1')).map(({ body, known }) => [body, known])).toEqual([
      [entries('a'), open('A')],
      [entries('b'), other],
      [entries('d'), done('1')],
    ]);
  });

  test('objects that another item sent form a separate group with each record once', () => {
    const record = { id: '1' };
    const other = done('1', { ofOther: true, records: [record] });
    expect(grouped(other, other, done('2'), done('3', { ofOther: true }))).toEqual([
      { items: [0], body: entries('a', 'b'), known: { outcome: 'done', records: [record], ofOther: true } },
      { items: [1], body: entries('c'), known: { outcome: 'done', records: [{ id: '2' }] } },
      { items: [1], body: entries('d'), known: { outcome: 'done', records: [{ id: '3' }], ofOther: true } },
    ]);
  });

  test.each(['byWord', 'byDatabase'] as const)('objects have one common result if the only evidence is %s', (by) => {
    const [group] = grouped(done('1', { [by]: true }), done('2', { [by]: true }));
    expect(group?.known).toEqual({ outcome: 'done', records: [{ id: '1' }], [by]: true });
  });

  test.each(['byWord', 'byDatabase'] as const)("objects have only the service's results, if any, besides %s", (by) => {
    for (const states of [
      [done('1', { [by]: true }), done('2')],
      [done('2'), done('1', { [by]: true })],
    ]) {
      const [group] = grouped(...states);
      expect(group?.known.outcome === 'done' && group.known.records).toEqual([{ id: '2' }]);
      expect(group?.known).not.toHaveProperty(by, true);
    }
  });
});
