import { compileFunction } from 'node:vm';

import fc from 'fast-check';

import { shareRepeatedText } from '../../interface/generate/share-repeated-text';

const written = (value: unknown) => (compileFunction(shareRepeatedText(value)) as () => unknown)();

test('the generated statements return an equal value that consists of new objects', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('`${t0}`', '\\', '\u2028'), (part, text) => {
      const value = {
        part,
        text,
        again: [
          { part, text: text.repeat(40) },
          { part, text: text.repeat(40) },
        ],
      };
      const [first, second] = [written(value), written(value)];
      expect(JSON.stringify(first)).toBe(JSON.stringify(value));
      expect(first).not.toBe(second);
    }),
  );
});

test('the generated statements contain a repeated part once', () => {
  const part = {
    description: 'Amount to refund, e.g. 12.50',
    options: [{ name: 'Full' }, { name: 'Part of the sale' }],
  };
  const text = shareRepeatedText([part, { part }, part]);
  expect(text.split('Amount to refund')).toHaveLength(2);
});
