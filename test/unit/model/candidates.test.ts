import type { IDataObject } from 'n8n-workflow';

import { candidates } from '../../../nodes/PaymentPlatform/model/candidates';
import type { Footprint } from '../../../nodes/PaymentPlatform/model/footprint';

const [one, two, spaced, empty, without] = [{ a: '1' }, { a: '2' }, { a: ' 1 ' }, { a: '' }, {}] as IDataObject[];
const list = [one, two, spaced, empty, without] as IDataObject[];
const values = { path: {}, query: {}, body: {} };
const anyRecord = () => true;
const among = (records: IDataObject[], filter: string[], more: Partial<Footprint> = {}, body: IDataObject = {}) =>
  candidates(records, { filter: () => filter as never[], ...more }, { ...values, body });

test("records that may belong to a write have the filter's value", () => {
  expect(among(list, ['a,IS,1'])).toEqual([one, spaced]);
  expect(among([two, one, spaced] as IDataObject[], ['a,IS,1'])).toEqual([one, spaced]);
  expect(among(list, ['a,IS,3'])).toEqual([]);
});

test('a number may be the value without its first and last zeros', () => {
  const records = [{ a: 12 }, { a: '0012' }, { a: 120 }, { a: 0 }] as IDataObject[];
  expect(among(records, ['a,IS,12.0'])).toEqual(records.slice(0, 2));
  expect(among([{ a: '12345678901234567' }], ['a,IS,012345678901234567'])).toHaveLength(1);
  expect(among(records, ['a,IS,0012'])).toEqual(records.slice(0, 2));
  expect(among(records, ['a,IS,00'])).toEqual(records.slice(3));
});

test("records without the filter's value come last if they may belong to the write", () => {
  const mayLackFilter = (record: IDataObject) => record.a === '';
  expect(among(list, ['a,IS,1'], { mayLackFilter })).toEqual([one, spaced, empty]);
  expect(among(list, ['a,IS,1'], { mayLackFilter: anyRecord })).toEqual([one, spaced, empty, without]);
  expect(among(list, ['a,IS,3'], { mayLackFilter: anyRecord })).toEqual([empty, without]);
  expect(among([one, two] as IDataObject[], ['a,IS,3'], { mayLackFilter: anyRecord })).toEqual([]);
  expect(among(list, ['a,IS,1'], { mayLackFilter: () => false })).toEqual([one, spaced]);
});

test.each(['a,GREATER,1', 'the a,IS,1', 'IS,1', ''])(
  'all records may belong to a write with the filter "%s"',
  (filter) => {
    expect(among(list, [filter])).toBe(list);
    expect(among(list, [])).toBe(list);
  },
);

test('the filter that leaves the fewest records is used, in any order', () => {
  const records = [
    { name: 'Ana', text: 'one\ntwo' },
    { name: 'Ana', text: 'three' },
    { name: 'Ben', text: 'three' },
  ];
  for (const filters of [
    ['name,IS,Ana', 'text,IS,one\ntwo'],
    ['text,IS,one\ntwo', 'name,IS,Ana'],
  ])
    expect(among(records, filters)).toEqual([records[0]]);
  // If two filters leave the same number of records, the node uses the first filter.
  expect(among(records, ['name,IS,Ana', 'text,IS,three'])).toEqual(records.slice(0, 2));
  expect(among(records, ['text,IS,three', 'name,IS,Ana'])).toEqual(records.slice(1));
});

test('a record may lack the value of one filter if it has that of another one', () => {
  const records = [{ name: 'Ana' }, { name: 'Ana', text: 'other' }, { text: 'mine' }, { name: 'Ben' }, {}];
  const [lacksText, , lacksName] = records;
  const filters = ['text,IS,mine', 'name,IS,Ana'];
  expect(among(records, filters)).toEqual([lacksName, lacksText]);
  expect(among(records.slice(0, 2), filters)).toEqual([lacksText]);
  expect(among(records, filters, { mayLackFilter: () => false })).toEqual([lacksName]);
  const own = { reference: { name: 'text', value: 'mine', isLasting: true } };
  expect(candidates(records, { filter: () => filters as never }, { path: {}, body: {}, ...own })).toEqual([lacksName]);
});

describe('records of writes with an amount', () => {
  const cents: Footprint['cents'] = {
    shown: ({ amount }) => amount as number | undefined,
    asked: ({ body }) => body.amount as number | undefined,
  };
  const records: IDataObject[] = [{}, { amount: 4 }, { amount: 5 }, { amount: 4 }];
  const [unread, four, five, last] = records;

  test('without a filter, records with the amount come first and records that match any amount last', () => {
    expect(among(records, [], { cents }, { amount: 4 })).toEqual([four, last, unread]);
    expect(among(records, [], { cents }, { amount: 6 })).toEqual([unread]);
    expect(among(records.slice(1), [], { cents }, { amount: 6 })).toEqual([]);
    expect(among(records.slice(1), [], { cents }, { amount: 5 })).toEqual([five]);
  });

  test('all records may belong to a write without an amount', () => {
    expect(among(records, [], { cents })).toBe(records);
  });

  test('records without the value of the filter have the amount', () => {
    const more = { cents, mayLackFilter: anyRecord };
    const linked = { a: '1', amount: 9 };
    expect(among([linked, ...records], ['a,IS,1'], more, { amount: 5 })).toEqual([linked, five, unread]);
  });

  test('equal writes use one list, so that a run can mark the records that are already assigned', () => {
    const same = among(records.slice(1), [], { cents }, { amount: 4 });
    expect(same).toEqual([four, last]);
    const all = records.slice(1);
    expect(among(all, [], { cents }, { amount: 4 })).toBe(among(all, [], { cents }, { amount: 4 }));
    expect(among(list, ['a,IS,1'])).toBe(among(list, ['a,IS,1']));
    const unreadable = [{}, {}];
    const [only] = [1, 2].map(() => among(unreadable, [], { cents }, { amount: 4 }));
    expect(among(unreadable, [], { cents }, { amount: 5 })).toBe(only);
  });
});
