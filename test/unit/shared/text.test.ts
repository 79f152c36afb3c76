import { DateTime } from 'luxon';

import { lostNumberIn } from '../../../nodes/PaymentPlatform/fields/kinds/number';
import { describe as describeValue } from '../../../nodes/PaymentPlatform/fields/value';
import { gatewayFailure } from '../../../nodes/PaymentPlatform/messages/describe-answers';
import { nameItem } from '../../../nodes/PaymentPlatform/messages/name-rows';
import { Scrubber } from '../../../nodes/PaymentPlatform/messages/scrubber';
import { nodeInWords } from '../../../nodes/PaymentPlatform/n8n/read-parameter';
import { paidOut } from '../../../nodes/PaymentPlatform/resources/transaction/payout-footprint';
import { fitted, words } from '../../../nodes/PaymentPlatform/search/engine/line-parts';
import { termsOf } from '../../../nodes/PaymentPlatform/search/engine/terms';
import { cut, isWellFormed, shortened, wellFormed } from '../../../nodes/PaymentPlatform/shared/objects';

const BREAD = '\u{1f35e}';
const [HIGH, LOW] = [BREAD.slice(0, 1), BREAD.slice(1)];
const FAMILY = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
const FLAG = '\u{1f1e9}\u{1f1ea}';
const ACCENTED = 'e\u0301';

describe('well-formed text', () => {
  test.each([BREAD, 'a', 'ä', '', FAMILY, '\ufffd'])('accepts %j', (text) => {
    expect(isWellFormed(text)).toBe(true);
    expect(wellFormed(text)).toBe(text);
  });

  test.each([HIGH, LOW, `a${HIGH}`, `${LOW}a`, LOW + HIGH, `${BREAD}${HIGH}`])('refuses %j', (text) => {
    expect(isWellFormed(text)).toBe(false);
    expect(wellFormed(text)).toMatch(/\ufffd/);
    expect(isWellFormed(wellFormed(text))).toBe(true);
  });

  test('is checked in lists, objects and names at any depth', () => {
    for (const value of [[HIGH], { a: [{ b: HIGH }] }, { [HIGH]: 1 }, [[[{ a: LOW }]]]])
      expect(isWellFormed(value)).toBe(false);
    for (const value of [null, undefined, 1, true, [], {}, { [BREAD]: [BREAD, null] }])
      expect(isWellFormed(value)).toBe(true);
  });

  test('gives the same result for each call', () => {
    expect([HIGH, 'a', HIGH, 'a', HIGH].map(isWellFormed)).toEqual([false, true, false, true, false]);
  });
});

describe('cutting text', () => {
  test('keeps text that fits', () => {
    expect(cut('abc', 3)).toBe('abc');
    expect(shortened('abc', 3)).toBe('abc');
  });

  test('counts the dots as part of the length', () => {
    expect(cut('abcdef', 3)).toBe('abc');
    expect(shortened('abcdef', 5)).toBe('ab...');
  });

  test.each([BREAD, FAMILY, FLAG, ACCENTED])('never cuts %s in two', (character) => {
    const text = `ab${character}${character}`;
    for (let most = 2; most < text.length; most += 1) expect(['ab', `ab${character}`]).toContain(cut(text, most));
  });

  test('cuts a character that alone is too long', () => {
    const stacked = `e${'\u0301'.repeat(20)}`;
    expect(cut(stacked, 5)).toBe(stacked.slice(0, 5));
    expect(cut(`${BREAD}a`, 1)).toBe('\ufffd');
  });

  test('replaces half characters', () => {
    expect(cut(`a${HIGH}`, 5)).toBe('a\ufffd');
    expect(shortened(`a${HIGH}bcdef`, 6)).toBe('a\ufffdb...');
    expect(shortened(`a${HIGH}`, 6)).toBe('a\ufffd');
  });
});

/** Texts that show a part of a long user text. */
const SHOWN: Record<string, (text: string) => unknown> = {
  'a found value': describeValue,
  'the place of a number': (text) => lostNumberIn({ [text]: NaN })?.place,
  'the name of a row': (text) =>
    nameItem({ path: {}, query: {}, body: { purchase_id: text }, node: {} }, new Scrubber([])),
  "the service's message": (text) => gatewayFailure({ rcode: '100', rmsg: text, pg_id: text }, 400),
  'a node name': nodeInWords,
  'the payee of a payout': (text) => paidOut(5, text, '', {}),
  'a list entry': (text) => fitted(words(text), []).text,
  'a search': (text) => termsOf(text, DateTime.utc()),
};

test.each(Object.entries(SHOWN))('%s contains no half characters', (_, shown) => {
  for (let before = 0; before < 340; before += 1) {
    const text = `${'a'.repeat(before)}${FLAG.repeat(160)}`;
    const seen = shown(text);
    expect(isWellFormed(seen)).toBe(true);
    expect(JSON.stringify(seen)).not.toMatch(/(?<!\u{1f1e9})\u{1f1ea}|\u{1f1e9}(?!\u{1f1ea})/u);
  }
});
