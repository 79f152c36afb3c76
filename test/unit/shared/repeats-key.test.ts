import { repeatsKey } from '../../../nodes/PaymentPlatform/shared/objects';

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"b":2,"a":3}',
  '{ "a" : 1 , "a" : 2 }',
  '{"a":{"b":1},"a":2}',
  '{"a":[{"b":1},{"b":2}],"a":2}',
  '{"a":"x","a":"y"}',
  '{"a":1,"\\u0061":2}',
  '{"a\\"b":1,"a\\"b":2}',
  '{"":1,"":2}',
  '{"a":"}","a":"{"}',
  '{"a":":","a":","}',
  '{"__proto__":1,"__proto__":2}',
  '{"a":{"b":1,"b":2}}',
  '{"a":[{"b":1,"b":2}]}',
  '[{"a":1,"a":2}]',
])('%s repeats a key', (json) => expect(repeatsKey(json)).toBe(true));

test.each([
  '{}',
  '{"a":1}',
  '{"a":1,"b":1}',
  '{"a":1,"A":2}',
  '{"a":1,"a ":2}',
  '{"a":{"a":1}}',
  '{"a":{"b":1},"b":2}',
  '{"a":[{"b":1},{"b":2}],"b":{"b":[]}}',
  '{"a":"b","b":"a"}',
  '{"a":"{\\"b\\":1,\\"b\\":2}"}',
  '{"a":"\\"b\\":1","b":2}',
  '[{"a":1},{"a":2}]',
  '"a"',
  '5',
  '',
])('%s repeats no key', (json) => expect(repeatsKey(json)).toBe(false));

test('a long response is checked whole', () => {
  const many = Array.from({ length: 5000 }, (_, index) => `"k${index}":"${'\\"'.repeat(5)}"`).join(',');
  expect([repeatsKey(`{${many}}`), repeatsKey(`{${many},"k0":1}`)]).toEqual([false, true]);
});
