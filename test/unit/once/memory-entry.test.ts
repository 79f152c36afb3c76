import { keepable, moveEntries, ofEach, type MemoryEntry } from '../../../nodes/PaymentPlatform/once/memory-entry';
import { requestOf } from '../fake-run';

const entry = (request: string, more: Partial<MemoryEntry> = {}): MemoryEntry => ({
  request,
  origin: `origin of ${request}`,
  fields: '',
  ...more,
});
const edited = (...requests: string[]) =>
  requests.map((request, item) => ({ place: `${item}.0`, request, origin: `edited ${item}` }));
/** Moves remembered writes and returns their requests by place. */
function moved(entries: Record<string, MemoryEntry>, now: Parameters<typeof moveEntries>[1]) {
  moveEntries(entries, now);
  return Object.fromEntries(Object.entries(entries).map(([place, { request }]) => [place, request]));
}

describe('remembered writes of earlier attempts', () => {
  test('remembered writes move if two items change positions', () => {
    expect(moved({ '0.0': entry('a'), '1.0': entry('b'), '2.0': entry('c') }, edited('c', 'b', 'a'))).toEqual({
      '0.0': 'c',
      '1.0': 'b',
      '2.0': 'a',
    });
  });

  test('a remembered write leaves its position if the new write at the position was never sent', () => {
    expect(moved({ '0.0': entry('a') }, edited('b', 'a'))).toEqual({ '1.0': 'a' });
  });

  test('a remembered write stays with an item whose parameters and input are unchanged', () => {
    const entries = { '0.0': entry('at noon', { origin: 'same' }) };
    const now = [
      { place: '0.0', request: 'at one', origin: 'same' },
      { place: '1.0', request: 'at noon', origin: 'other' },
    ];
    expect(moved(entries, now)).toEqual({ '0.0': 'at noon' });
  });

  test('each equal write is remembered once', () => {
    expect(moved({ '0.0': entry('a'), '1.0': entry('a') }, edited('b', 'a', 'a', 'a'))).toEqual({
      '1.0': 'a',
      '2.0': 'a',
    });
  });

  test('moved equal writes keep their order', () => {
    const entries = { '0.0': entry('a', { fields: 'first' }), '1.0': entry('a', { fields: 'second' }) };
    moveEntries(entries, edited('b', 'c', 'a', 'a'));
    expect(entries).toEqual({
      '2.0': entry('a', { fields: 'first' }),
      '3.0': entry('a', { fields: 'second' }),
    });
  });

  test('a remembered write moves between items whose numbers have several digits', () => {
    expect(moved({ '12.0': entry('a') }, [{ place: '107.0', request: 'a', origin: 'edited' }])).toEqual({
      '107.0': 'a',
    });
  });

  test('a moved write never replaces a remembered write that stays', () => {
    expect(moved({ '0.0': entry('a'), '1.0': entry('b'), '2.0': entry('gone') }, edited('x', 'a', 'b'))).toEqual({
      '0.0': 'a',
      '1.0': 'b',
      '2.0': 'gone',
    });
  });

  test('a remembered write that was not applied can be replaced and never moves', () => {
    expect(moved({ '0.0': entry('a'), '1.0': entry('b', { notApplied: true }) }, edited('b', 'a'))).toEqual({
      '1.0': 'a',
    });
  });

  test('remembered writes move only to the same part of an item', () => {
    const entries = { '0.0': entry('a'), '0.1': entry('a') };
    expect(
      moved(entries, [
        { place: '1.1', request: 'a', origin: 'edited' },
        { place: '1.2', request: 'a', origin: 'edited' },
      ]),
    ).toEqual({ '0.0': 'a', '1.1': 'a' });
  });
});

test.each([true, false])(
  'the result of an unknown record contains the reference only if each attempt sends the same: %s',
  (isLasting) => {
    const reference = { name: 'merch_ref_num', value: 'REF', isLasting };
    const body = { amt_tran: 2, merch_ref_num: 'REF' };
    const request = { ...requestOf({ values: { path: {}, query: {}, body, node: {}, reference } }), items: [0, 1] };
    const record = { done_by_earlier_try: true, amt_tran: '2', ...(isLasting && { merch_ref_num: 'REF' }) };
    expect(ofEach(request, { done_by_earlier_try: true })).toEqual([record, record]);
  },
);

test.each(['security_key', 'secret', 'user_password'])(
  'a stored result omits %s at any depth and records the omission',
  (name) => {
    const record = { id: 1, [name]: 'S1', list: [{ [name]: 'S2', a: null }], auth: { [name]: 'S3', user_name: 'u' } };
    expect(keepable([record, { id: 2 }])).toEqual({
      records: [{ id: 1, list: [{ a: null }], auth: { user_name: 'u' } }, { id: 2 }],
      left: [name],
    });
  },
);

test('a stored result names each removed secret once', () => {
  expect(keepable([{ security_key: 'a', user_password: 'b' }, { security_key: 'c' }]).left).toEqual([
    'security_key',
    'user_password',
  ]);
});

test('a stored result contains everything else unchanged', () => {
  const records = [{ a: 'text', b: 0, c: false, d: [1, 'x', null], e: { f: { g: [] } }, password: 'word' }];
  const copy = structuredClone(records);
  expect(keepable(records)).toEqual({ records: copy, left: [] });
  keepable([{ security_key: 'a' }]);
  expect(records).toEqual(copy);
});
