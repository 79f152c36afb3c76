import {
  dayOf,
  likeAmount,
  likeCurrency,
  likeDay,
  likeIf,
  likenessOfAll,
  likeStatus,
  likeNumber,
  likeText,
  likeWhereSent,
  mayEqual,
  type Likeness,
} from '../../../nodes/PaymentPlatform/model/likeness';
import { comparableText } from '../../../nodes/PaymentPlatform/shared/objects';

test("a sent value and a record's value are compared as trimmed text", () => {
  expect([' A-1 ', 12, undefined, null, ''].map(comparableText)).toEqual(['A-1', '12', '', '', '']);
});

test("a sent date and a record's date are compared by the day they begin with", () => {
  expect([' 2030-03-01T09:00:00Z', '2030-03-01', undefined].map(dayOf)).toEqual(['2030-03-01', '2030-03-01', '']);
});

test.each<[unknown, unknown, Likeness]>([
  ['2030-03-01', '2030-03-01T00:00:00.000Z', 'equal'],
  ['2030-03-01T17:30:00.000Z', '2030-03-01T00:00:00.000Z', 'equal'],
  ['2030-02-28T17:00:00.000-0700', '2030-03-01T00:00:00.000Z', 'equal'],
  ['2030-03-02', '2030-03-01T00:00:00.000Z', 'different'],
  ['2030-02-28T00:00:00.000Z', '2030-03-01T00:00:00.000Z', 'different'],
  ['2030-03-04T08:00:00.000Z', '2030-03-01T00:00:00.000Z', 'different'],
  ['2030-02-27T00:00:00.001Z', '2030-03-01T00:00:00.000Z', 'notShown'],
  ['2030-02-28T08:00:00.000Z', '2030-03-01T00:00:00.000Z', 'notShown'],
  ['2030-03-02T23:59:59.999Z', '2030-03-01T00:00:00.000Z', 'notShown'],
  ['2030-03-03T00:00:00.001Z', '2030-03-01T00:00:00.000Z', 'different'],
  ['03/01/2030', '2030-03-01T00:00:00.000Z', 'notShown'],
  ['2030-03-01T25:00', '2030-03-01T00:00:00.000Z', 'notShown'],
  ['Mar 1, 2030', '2030-03-01T00:00:00.000Z', 'notShown'],
  [1898553600000, '2030-03-01T00:00:00.000Z', 'notShown'],
  [{}, '2030-03-01T00:00:00.000Z', 'notShown'],
  [undefined, '2030-03-01T00:00:00.000Z', 'notShown'],
  ['2030-03-01', undefined, 'notShown'],
])('the date %j and the sent day %j are %s', (shown, sent, expected) => expect(likeDay(shown, sent)).toBe(expected));

test('a rule that holds or not leaves nothing open', () => {
  expect([true, false].map(likeIf)).toEqual(['equal', 'different']);
});

describe('text', () => {
  const cases: Array<[unknown, unknown, Likeness, Likeness]> = [
    [' text ', 'text', 'equal', 'equal'],
    [7, '7', 'equal', 'equal'],
    ['text', 'Text', 'different', 'different'],
    ['text', 'other', 'different', 'different'],
    ['007', '7', 'different', 'different'],
    [7, '007', 'notShown', 'notShown'],
    [0, '000', 'notShown', 'notShown'],
    [70, '007', 'different', 'different'],
    [2026.1, '2026.10', 'notShown', 'notShown'],
    [120000, '12e4', 'notShown', 'notShown'],
    ['12345678901234567', '0012345678901234567', 'notShown', 'notShown'],
    ['12345678901234568', '0012345678901234567', 'different', 'different'],
    ['123456789012345', '00123456789012345', 'different', 'different'],
    ['07x', '007x', 'different', 'different'],
    ['x7', '0x7', 'different', 'different'],
    [7, '07x', 'different', 'different'],
    [{ id: 'text' }, 'other', 'notShown', 'notShown'],
    [['text'], 'other', 'notShown', 'notShown'],
    [true, 'other', 'notShown', 'notShown'],
    [undefined, 'text', 'notShown', 'notShown'],
    [' ', 'text', 'notShown', 'notShown'],
    ['text', '', 'notShown', 'notShown'],
    ['text', null, 'notShown', 'notShown'],
    ['', '', 'notShown', 'notShown'],
    ['text', undefined, 'notShown', 'equal'],
    ['', undefined, 'notShown', 'equal'],
  ];
  test.each(cases)('text %j and the sent text %j are %s', (shown, sent, expected) =>
    expect(likeText(shown, sent)).toBe(expected),
  );
  test.each(cases)('text %j and the text %j, if it was sent, are %4$s', (shown, sent, _, expected) =>
    expect(likeWhereSent(shown, sent)).toBe(expected),
  );
});

test('a record shows a text as it is or as a number', () => {
  const shown = ['007', 7, '7', undefined, ''].map((one) => mayEqual(one, '007'));
  expect(shown).toEqual([true, true, false, false, false]);
  expect(mayEqual(7, undefined)).toBe(false);
});

test.each<[unknown, Likeness]>([
  ['C', 'different'],
  [' C ', 'different'],
  ['A', 'equal'],
  ['', 'equal'],
  [undefined, 'equal'],
  ['c', 'notShown'],
  ['toString', 'notShown'],
  [['C'], 'notShown'],
])(
  'a record with the status %j of the described statuses A and C, and C without an effect, is %s',
  (status, likeness) => expect(likeStatus(status, { A: 'active', C: 'canceled' }, ['C'])).toBe(likeness),
);

test('no status is known if the interface describes none', () => {
  expect([likeStatus('A', undefined, []), likeStatus('', undefined, [])]).toEqual(['notShown', 'equal']);
});

test.each<[unknown, unknown, Likeness]>([
  [5, 5, 'equal'],
  ['5.00', 5, 'equal'],
  [-5, 5, 'equal'],
  [5, '-5.00', 'equal'],
  [0, 0, 'equal'],
  [0.1 + 0.2, 0.3, 'equal'],
  [5, 5.01, 'different'],
  [5.004, 5, 'notShown'],
  ['-4.999', 5, 'notShown'],
  [0.004, 0, 'notShown'],
  ['12.50 USD', 12.5, 'notShown'],
  ['1e2', 100, 'notShown'],
  [' 12 ', 12, 'equal'],
  [true, 1, 'notShown'],
  [0, 5, 'different'],
  [500, 5, 'different'],
  ['five', 5, 'notShown'],
  ['5,00', 5, 'notShown'],
  [undefined, 5, 'notShown'],
  ['', 5, 'notShown'],
  [5, undefined, 'notShown'],
  [NaN, 5, 'notShown'],
])('the amount %j and the sent amount %j are %s', (shown, sent, expected) =>
  expect(likeAmount(shown, sent)).toBe(expected),
);

describe('card and account numbers', () => {
  const both = (one: unknown, other: unknown) => {
    expect(likeNumber(other, one)).toBe(likeNumber(one, other));
    return likeNumber(one, other);
  };

  test.each<[string, unknown, unknown, Likeness]>([
    ['whole and equal', '4111111111111111', '4111111111111111', 'equal'],
    ['whole and equal, as a number', 123543541, '123543541', 'equal'],
    ['with spaces and dashes', ' 4111 1111-1111 1111 ', '4111111111111111', 'equal'],
    ['masked in the middle', '411111xxxxxx1111', '4111111111111111', 'equal'],
    ['masked at the start', 'xxxx3541', '000123543541', 'equal'],
    ['masked by asterisks', '****3541', '000123543541', 'equal'],
    ['both masked', '411111xxxxxx1111', 'xxxxxxxxxxxx1111', 'equal'],
    ['both masked, with more visible digits at one end', 'xxxxx23541', 'xxxxxx3541', 'equal'],
    ['both masked, with more visible digits at one start', '4111xxxx1111', '411111xxxxxx1111', 'equal'],
    ['exactly four digits', '3541', '3541', 'equal'],
  ])('numbers are equal: %s', (_, one, other, expected) => expect(both(one, other)).toBe(expected));

  test.each<[string, unknown, unknown]>([
    ['whole', '4111111111111111', '4111111111111112'],
    ['whole, with spaces', '4111 1111 2222 1111', '4111111111111111'],
    ['other last digits', 'xxxx3541', '000123543542'],
    ['other visible digits before the last four', 'xxx23541', 'xxx13541'],
    ['other first digits', '411111xxxxxx1111', '4222221111111111'],
    ['other first digits, both masked', '411111xxxxxx1111', '422222xxxxxx1111'],
    ['one other first digit', '4xxx1111', '511111xxxxxx1111'],
    ['whole, with other last digits and lengths', '543541', '123543542'],
  ])('numbers are different: %s', (_, one, other) => expect(both(one, other)).toBe('different'));

  test.each<[string, unknown, unknown]>([
    ['without its leading zeros', '123543541', '000123543541'],
    ['without its leading digits', '543541', '123543541'],
    ['three visible digits', 'xxxxx541', '000123543541'],
    ['an unmasked end that shows nothing', '411111xxxxxxxxxx', '4111111111111111'],
    ['an end that is no digit', '4111111111111111x', '4111111111111111'],
    ['a short number', '123', '123'],
    ['a short number and a long number', '541', '123543541'],
    ['completely masked', 'xxxxxxxxxx', '000123543541'],
    ['nothing', '', '000123543541'],
    ['no value', undefined, '000123543541'],
    ['null', null, '000123543541'],
    ['two missing numbers', undefined, undefined],
  ])('numbers show too little: %s', (_, one, other) => expect(both(one, other)).toBe('notShown'));
});

test.each<[Likeness[], Likeness]>([
  [[], 'equal'],
  [['equal', 'equal'], 'equal'],
  [['equal', 'notShown'], 'notShown'],
  [['notShown', 'equal'], 'notShown'],
  [['equal', 'different'], 'different'],
  [['notShown', 'different'], 'different'],
  [['different', 'notShown', 'equal'], 'different'],
])('the comparisons %j are together %s', (all, expected) => expect(likenessOfAll(all)).toBe(expected));

test.each<[unknown, unknown, Likeness]>([
  ['840', undefined, 'equal'],
  [840, undefined, 'equal'],
  ['', undefined, 'equal'],
  [undefined, undefined, 'equal'],
  ['978', undefined, 'notShown'],
  ['978', '978', 'equal'],
  [978, '978', 'equal'],
  ['840', '978', 'different'],
  ['', '978', 'notShown'],
  [undefined, '840', 'notShown'],
])('the currency %j and the sent currency %j, with the default 840, are %s', (shown, sent, expected) =>
  expect(likeCurrency(shown, sent, '840')).toBe(expected),
);
