import { keepable } from '../../../nodes/PaymentPlatform/model/write-memory';

test.each(['security_key', 'secret', 'user_password'])(
  "doesn't store %s at any depth and records that it is missing",
  (name) => {
    const record = { id: 1, [name]: 'S1', list: [{ [name]: 'S2', a: null }], auth: { [name]: 'S3', user_name: 'u' } };
    expect(keepable([record, { id: 2 }])).toEqual({
      records: [{ id: 1, list: [{ a: null }], auth: { user_name: 'u' } }, { id: 2 }],
      left: [name],
    });
  },
);

test('names each removed secret once', () => {
  expect(keepable([{ security_key: 'a', user_password: 'b' }, { security_key: 'c' }]).left).toEqual([
    'security_key',
    'user_password',
  ]);
});

test('keeps a secret that the output already hides', () => {
  expect(keepable([{ user_password: '***' }])).toEqual({ records: [{ user_password: '***' }], left: [] });
});

test('stores everything else unchanged without changing the given record', () => {
  const records = [{ a: 'text', b: 0, c: false, d: [1, 'x', null], e: { f: { g: [] } }, password: 'word' }];
  const copy = structuredClone(records);
  expect(keepable(records)).toEqual({ records: copy, left: [] });
  keepable([{ security_key: 'a' }]);
  expect(records).toEqual(copy);
});
