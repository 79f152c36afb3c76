import { DateTime } from 'luxon';

import { termsOf } from '../../../nodes/PaymentPlatform/search/engine/terms';
import { NOW } from './records';

const now = DateTime.fromISO(NOW, { zone: 'America/New_York' });
const terms = (typed: string) => termsOf(typed, now);
const cents = (typed: string) => terms(typed).map(({ amount }) => amount?.cents);
const days = (typed: string) => terms(typed).flatMap(({ days: found }) => found ?? []);

test.each([
  ['49', 4900],
  ['49.00', 4900],
  ['49,00', 4900],
  ['$49.00', 4900],
  ['€49', 4900],
  ['49.', 4900],
  ['49.9', 4990],
  ['1,234.56', 123_456],
  ['1.234,56', 123_456],
  ["1'234.56", 123_456],
  ['1,234', 123_400],
])('reads "%s" as an amount of %d cents', (typed, wanted) => expect(cents(typed)).toEqual([wanted]));

test.each(['ORDER-1001', '49-50', '1.2.3', '12345678901234567890'])('doesn\'t treat "%s" as an amount', (typed) =>
  expect(cents(typed)).toEqual([undefined]),
);

test('separates a currency from an amount but not other letters', () => {
  expect(terms('49usd').map(({ text }) => text)).toEqual(['49', 'usd']);
  expect(terms('USD 49').map(({ text }) => text)).toEqual(['usd', '49']);
  expect(terms('ord1001').map(({ text }) => text)).toEqual(['ord1001']);
});

test.each([
  ['2026-11-03', { year: 2026, month: 11, day: 3 }],
  ['2026/11/3', { year: 2026, month: 11, day: 3 }],
  ['2026-11-03T12:00:00.000Z', { year: 2026, month: 11, day: 3 }],
  ['Nov 3', { month: 11, day: 3 }],
  ['3 Nov', { month: 11, day: 3 }],
  ['3. November', { month: 11, day: 3 }],
  ['3rd of November 2026', { year: 2026, month: 11, day: 3 }],
  ['November 3rd, 2026', { year: 2026, month: 11, day: 3 }],
  ['3.11.2026', { year: 2026, month: 11, day: 3 }],
  ['today', { year: 2026, month: 11, day: 20 }],
  ['Yesterday', { year: 2026, month: 11, day: 19 }],
])('reads "%s" only as a day', (typed, day) => {
  expect(days(typed)).toEqual([day]);
  expect(terms(typed)).toHaveLength(1);
});

test('searches for both days that a day with slashes can mean', () => {
  expect(days('3/11/2026')).toEqual([
    { year: 2026, month: 3, day: 11 },
    { year: 2026, month: 11, day: 3 },
  ]);
  expect(days('11/23/2026')).toEqual([{ year: 2026, month: 11, day: 23 }]);
});

test.each(['Nov 49', 'Nov 3.50', '30 Feb', '2026-13-01', 'Nov', 'Marc 3'])('doesn\'t read "%s" as a day', (typed) =>
  expect(days(typed)).toEqual([]),
);

test('accepts a day, an amount and a name in any order', () => {
  for (const typed of ['49 Nov 3 Fischer', 'Fischer 3 Nov 49', 'nov 3 fischer 49']) {
    expect(days(typed)).toEqual([{ month: 11, day: 3 }]);
    expect(cents(typed).filter(Boolean)).toEqual([4900]);
    expect(terms(typed).map(({ text }) => text)).toContain('fischer');
  }
});

test('reads the text of a list entry by its meaning', () =>
  expect(terms('49.00 USD · Anna Fischer · Visa 4242 · 3 Nov 2026 · 30.00 left').map(({ text }) => text)).toEqual([
    ...['3 nov 2026', '49.00', 'usd', 'anna', 'fischer', 'visa', '4242', '30.00', 'left'],
  ]));

test('searches for only the last four digits of a card number in any notation', () => {
  const written = ['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111', '4111  1111 / 1111.1111', 'x1111'];
  for (const typed of written) expect(terms(typed).map(({ text, asked }) => [text, asked])).toEqual([['1111', '1111']]);
  expect(terms('3714 496353 98431 fischer').map(({ asked }) => asked)).toEqual(['8431', 'fischer']);
  expect(terms('426351789012345678').map(({ asked }) => asked)).toEqual(['426351789012345678']);
});

test("doesn't send filter characters to the service", () =>
  expect(terms('Fischer|x,IS,y').map(({ asked }) => asked)).toEqual(['Fischer', 'x IS y']));

test('ignores accents, case and apostrophes', () =>
  expect(terms('MÜLLER Straße Ørsted O’Brien').map(({ text }) => text)).toEqual([
    ...['muller', 'strasse', 'orsted', 'obrien'],
  ]));
