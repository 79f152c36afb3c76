import { hasWitness, isOpen, keepable, type Remembered } from '../../../nodes/PaymentPlatform/model/write-memory';

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

test('a stored result keeps a secret that the output already hides', () => {
  expect(keepable([{ user_password: '***' }])).toEqual({ records: [{ user_password: '***' }], left: [] });
});

test('a stored result contains everything else unchanged', () => {
  const records = [{ a: 'text', b: 0, c: false, d: [1, 'x', null], e: { f: { g: [] } }, password: 'word' }];
  const copy = structuredClone(records);
  expect(keepable(records)).toEqual({ records: copy, left: [] });
  keepable([{ security_key: 'a' }]);
  expect(records).toEqual(copy);
});

describe('a remembered write', () => {
  const done = (byDatabase?: boolean): Remembered => ({ outcome: 'done', records: [], byDatabase });
  const unknown = (witness?: 'begun' | 'forgotten' | 'otherContent' | 'sameContent'): Remembered => ({
    outcome: 'unknown',
    witness,
  });
  const otherAccount: Remembered = { outcome: 'otherAccount', code: 'a' };

  test.each([
    ['finished by the execution', false, done()],
    ["known to be finished from n8n's database alone", true, done(true)],
    ['begun by the execution', false, unknown()],
    ["known to have begun from n8n's database alone", true, unknown('begun')],
    ['of another account', false, otherAccount],
  ])('only the database proves %s: %j', (_, expected, known) => expect(hasWitness(known)).toBe(expected));

  test.each([
    ['that is not known', true, undefined],
    ['whose outcome is unknown', true, unknown()],
    ['that has begun', true, unknown('begun')],
    ['whose keys may have been removed', true, unknown('forgotten')],
    ["that is finished, with a result that n8n's database lacks", true, done(true)],
    ['that is finished', false, done()],
    ['with other content', false, unknown('otherContent')],
    ['that equals a write of another execution', false, unknown('sameContent')],
    ['of another account', false, otherAccount],
  ])('the service shows %s: %j', (_, expected, known) => expect(isOpen(known)).toBe(expected));
});
