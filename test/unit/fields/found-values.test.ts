import { describe as describeFound } from '../../../nodes/PaymentPlatform/fields/value';

const CARD = '4242424242424242';
const HIDDEN = /^text of \d+ characters with a long number in it$/;

const written = (signs: string, digits = CARD) => [...digits].join(signs);

describe.each([
  ['nothing', written('')],
  ['a space', written(' ')],
  ['as many signs as a number may have', written('-'.repeat(16))],
  ['as many signs of two characters', written('\u{1f4b3}'.repeat(16))],
  ['nothing, in digits of two characters', written('', '𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐')],
])('a card number with %s between its digits', (_, card) => {
  test('no digits of a card number with separators are shown anywhere in a long text', () => {
    const shown = Array.from({ length: 700 }, (__, at) => ({
      at,
      found: describeFound(`${'a'.repeat(at)}${card}${'a'.repeat(700)}`),
    })).filter(({ found }) => !HIDDEN.test(found) && found !== `"${'a'.repeat(57)}..."`);
    expect(shown).toEqual([]);
  });

  test('a card number with separators is recognized if it begins in the visible part of the text', () => {
    for (let at = 0; at < 60; at += 1)
      expect(describeFound(`${'a'.repeat(at)}${card}${'a'.repeat(700)}`)).toMatch(HIDDEN);
  });
});

test('shortens long text and shows short text completely', () => {
  expect(describeFound('a'.repeat(61))).toBe(`"${'a'.repeat(57)}..."`);
  expect(describeFound('a'.repeat(60))).toBe(`"${'a'.repeat(60)}"`);
  expect(describeFound({ name: 'Ana' })).toBe('{"name":"Ana"}');
});

test('shows invisible characters by their codes, and text without visible characters as nothing', () => {
  expect(describeFound('ana@example.com\u200b')).toBe('"ana@example.com[U+200B]"');
  expect(describeFound('\u202eana\u{e0041}\ttab')).toBe('"[U+202E]ana[U+E0041]\ttab"');
  for (const blank of ['', ' ', '\u200b', '\u2800 \u3164']) expect(describeFound(blank)).toBe('nothing');
});

test('describes a long number by its number of digits', () => {
  expect(describeFound(Number(CARD))).toBe('a number of 16 digits');
  expect(describeFound(CARD)).toBe('text of 16 digits');
});
