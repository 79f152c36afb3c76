import type { IDataObject } from 'n8n-workflow';

import { withWords } from '../../../nodes/PaymentPlatform/messages/what-happened';
import { maskRecord } from '../../../nodes/PaymentPlatform/messages/scrubber';
import { typeRecord } from '../../../nodes/PaymentPlatform/output/format-record';
import { computeOnceForText, mapValues } from '../../../nodes/PaymentPlatform/shared/objects';

const parsed = (text: string) => JSON.parse(text) as IDataObject;

test('keeps the order of the names, and passes each value with its name', () => {
  expect(JSON.stringify(mapValues({ b: 1, a: 'x' }, (value, name) => `${name}=${value === 1}`))).toBe(
    '{"b":"b=true","a":"a=false"}',
  );
});

test.each([
  ['mapValues', (record: IDataObject) => mapValues(record, (value) => value)],
  ['typeRecord', typeRecord],
  ['maskRecord', maskRecord],
  ['withWords', (record: IDataObject) => withWords(record, 'getTransactionRequests')],
])('%s keeps an own field named __proto__', (_, copy) => {
  const text = '{"a":"b","__proto__":{"c":"d"}}';
  const copied = copy(parsed(text));
  expect(JSON.stringify(copied)).toBe(text);
  expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
});

test('computes the result for a text once, and again after 1,000 other texts', () => {
  const computed: string[] = [];
  const length = computeOnceForText((text) => computed.push(text));
  const texts = Array.from({ length: 1000 }, (_, index) => `text ${index}`);
  for (const text of ['a', 'a', ...texts, 'a']) length(text);
  expect(computed).toEqual(['a', ...texts, 'a']);
});
