import { digitsOf } from '../../../nodes/PaymentPlatform/shared/digits';
import {
  isCardNumber,
  maskCardNumbers,
  maskCardsInId,
  lastDigits,
  maskLongNumbers,
  scrub,
  secretsFrom,
  withoutSecrets,
} from '../../../nodes/PaymentPlatform/shared/privacy';

const grouped = (between: string) => ['4111', '1111', '1111', '1111'].join(between);

const between: Array<[string, string]> = [
  ['nothing', ''],
  ['a space', ' '],
  ['two spaces', '  '],
  ['a no-break space', '\u00a0'],
  ['a narrow no-break space', '\u202f'],
  ['an ideographic space', '\u3000'],
  ['a tab and a line end', '\t\n'],
  ['a hyphen', '-'],
  ['a non-breaking hyphen', '\u2011'],
  ['an en dash', '\u2013'],
  ['an em dash', '\u2014'],
  ['a minus sign', '\u2212'],
  ['a box drawing line', '\u2500'],
  ['a katakana dash', '\u30fc'],
  ['a slash', '/'],
  ['a fraction slash', '\u2044'],
  ['a backslash', '\\'],
  ['an underscore', '_'],
  ['a full-width underscore', '\uff3f'],
  ['a dot', '.'],
  ['a middle dot', '\u00b7'],
  ['a full-width dot', '\uff0e'],
  ['an ideographic full stop', '\u3002'],
  ['a bar', '|'],
  ['a tilde', '~'],
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['a Hangul filler', '\u3164'],
  ['a variation selector', '\ufe0f'],
  ['spaces, dashes and nothing to see', ' \u2013 \u200b_/'],
];

describe('numbers in external texts', () => {
  test.each(between)('numbers in external texts show the last four digits with %s between groups', (_, sign) => {
    expect(scrub(`Number ${grouped(sign)} is wrong`)).toBe('Number x1111 is wrong');
    expect(scrub(`Account ${['00', '01', '23', '45'].join(sign)}.`)).toBe('Account x2345.');
  });

  test.each(between)('numbers in external texts show the last four digits with %s between all digits', (_, sign) => {
    expect(scrub(['9', '0', '8', '1', '7', '2', '6'].join(sign))).toBe('x1726');
  });

  test.each([
    ['full-width', '４１１１１１１１１１１１１１１１', 'x１１１１'],
    ['Arabic-Indic', '٤١١١١١١١١١١١١١١١', 'x١١١١'],
    ['Devanagari', '४१११११११११११११११', 'x११११'],
    ['mathematical', '𝟜𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙', 'x𝟙𝟙𝟙𝟙'],
    ['superscript', '⁴¹¹¹¹¹¹¹¹¹¹¹¹¹¹¹', 'x¹¹¹¹'],
    ['circled', '④①①①①①①①①①①①①①①①', 'x①①①①'],
  ])('numbers in external texts show the last four of %s digits', (_, text) => {
    expect(scrub(text)).toBe('x1111');
  });

  test('numbers in external texts stay visible with up to six digits, as dates and in lists', () => {
    for (const text of [
      '6 digits 123456 stay',
      '12, 13, 14, 15, 16, 17, 18',
      'a1b2c3d4e5f6g7h8',
      'HTTP 502 (code 051)',
    ])
      expect(scrub(text)).toBe(text);
  });

  test.each([7, 9, 11, 17, 40])('numbers in external texts show the last four of %d digits', (length) => {
    expect(scrub(`no ${'9'.repeat(length - 4)}1234!`)).toBe('no x1234!');
  });

  test('numbers in external texts end at seventeen separators but not at sixteen', () => {
    expect(scrub(`123456${' '.repeat(16)}7890`)).toBe('x7890');
    expect(scrub(`123456${' '.repeat(17)}7890`)).toContain('123456');
  });

  test.each(['411111xxxxxx1111', '411111XXXXXX1111', '411111******1111', '411111••••••1111', 'xxxx2345', '****2345'])(
    'masked numbers in texts stay unchanged: %s',
    (text) => {
      expect(scrub(text)).toBe(text);
    },
  );

  test.each([',', ', ', ':', '*', '+', ') (', '=', ';'])(
    'numbers in external texts are masked as a card number with "%s" between groups',
    (sign) => {
      expect(scrub(`a ${grouped(sign)} b`)).toBe('a x1111 b');
    },
  );

  test('numbers in external texts are masked together with tokens', () => {
    expect(scrub('Bearer \t  abc.def')).toBe('Bearer ***.def');
    expect(scrub('Basic YWJjOmRlZg== and bearer abc.def')).not.toMatch(/YWJj|abc/);
    expect(scrub('Basic YWJjOmRlZg==')).toBe('Basic ***');
  });
});

describe('card numbers in other texts', () => {
  test.each([
    ['Visa', '4111111111111111'],
    ['Visa of 13 digits', '4222222222222'],
    ['Visa of 19 digits', '4000000000000000006'],
    ['Mastercard', '5555555555554444'],
    ['Mastercard of the second series', '2223003122003222'],
    ['American Express', '378282246310005'],
    ['Diners', '30569309025904'],
    ['Diners, international', '36227206271667'],
    ['JCB', '3530111333300000'],
    ['Discover', '6011111111111117'],
    ['UnionPay', '6200000000000005'],
    ['Maestro of 12 digits', '501800000009'],
    ['Maestro of 18 digits', '676770000000000005'],
    ['Maestro that begins with 56', '5641820000000005'],
  ])('card numbers in other texts include %s', (_, digits) => {
    expect(isCardNumber(digits)).toBe(true);
    expect(maskCardNumbers(`see ${digits}.`)).toBe(`see x${digits.slice(-4)}.`);
  });

  test.each([
    ['a wrong check digit', '4111111111111112'],
    ['a length that the brand has not', '41111111111111113'],
    ['14 digits of a date and time', '20260331120000'],
    ['a merchant ID', '990000000001'],
    ['a first digit that no brand has', '9111111111111111'],
    ['zero', '0000000000000000'],
    ['a zero before a card number', '04111111111111111'],
    ['a digit after a card number', '41111111111111113'],
    ['37 with 16 digits', '3711111111111114'],
    ['301 of Diners with 13 digits', '3050000000003'],
  ])('card numbers in other texts exclude %s', (_, digits) => {
    expect(isCardNumber(digits)).toBe(false);
    expect(maskCardNumbers(digits)).toBe(digits);
  });

  test('card numbers in other texts are found beside an expiration date, a count or another card', () => {
    expect(maskCardNumbers('4111 1111 1111 1111 12/30 123')).toBe('x1111 12/30 123');
    expect(maskCardNumbers('12 4111-1111-1111-1111')).toBe('12 x1111');
    expect(maskCardNumbers('4111111111111111,5555555555554444')).toBe('x1111,x4444');
    expect(maskCardNumbers('a 4111111111111111 b 9 c 5555 5555 5555 4444')).toBe('a x1111 b 9 c x4444');
    expect(maskCardNumbers('1 2 3 4111111111111111 4 5 6')).toBe('1 2 3 x1111 4 5 6');
  });

  test("card numbers in other texts aren't found across letters or inside longer numbers", () => {
    for (const text of ['4111a1111b1111c1111', '94111111111111111', '20000000000000000000000000000101'])
      expect(maskCardNumbers(text)).toBe(text);
  });

  test("card numbers in other texts aren't found in UUIDs with the digits of a card number", () => {
    const digits = '41111111-1111-1111';
    for (const rest of ['8123-0123456789ab', '9abc-0123456789ab', 'aabc-0123456789ab', 'Babc-0123456789AB'])
      expect(maskCardNumbers(`in ${digits}-${rest}!`)).toBe(`in ${digits}-${rest}!`);
    expect(maskCardNumbers('deadbeef-dead-4bad-8bad-deadbeefdead 4111111111111111')).toBe(
      'deadbeef-dead-4bad-8bad-deadbeefdead x1111',
    );
    for (const rest of ['cabc-0123456789ab', '8abc-0123456789a', '8abc-0123456789abc', '8ab-0123456789ab', 'zabc'])
      expect(maskCardNumbers(`in ${digits}-${rest}!`)).not.toContain(digits);
    expect(maskCardNumbers(`a${digits}-8abc-0123456789ab`)).not.toContain(digits);
  });

  test("card numbers in other texts aren't found in UUIDs", () => {
    const uuid = '41111111-1111-4111-9411-111111111111';
    expect(maskCardNumbers(`https://n8n.example.com/webhook/${uuid}/4111111111111111`)).toBe(
      `https://n8n.example.com/webhook/${uuid}/x1111`,
    );
    expect(maskCardNumbers('4111111111111111 4111-1111-1111-1111')).toBe('x1111 x1111');
  });

  test('card numbers in other texts are found in long texts', () => {
    // Measures processor time, because other programs affect elapsed time more.
    const before = process.cpuUsage();
    maskCardNumbers('1 '.repeat(50_000));
    scrub('12 '.repeat(50_000));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(5_000);
  });
});

describe.each([
  ['4,000,000 digits', '4'.repeat(4_000_000)],
  ['200,000 digits of another script', '٤'.repeat(200_000)],
  ['200,000 digits beyond the first Unicode plane', '𝟜'.repeat(200_000)],
])('a text of %s', (_, text) => {
  test('shows the last four digits in messages', () => {
    expect(scrub(`no ${text}!`)).toBe('no x4444!');
    expect(maskLongNumbers(text)).toBe('x4444');
  });

  test('is not a card number', () => {
    expect(maskCardNumbers(text) === text).toBe(true);
    expect(maskCardNumbers(`${text} 4111111111111111`) === `${text} x1111`).toBe(true);
  });
});

test('masks many numbers with separators in one text', () => {
  expect(scrub('4 '.repeat(50_000))).toBe('x4444 ');
  expect(scrub('1234567, '.repeat(3))).toBe('x4567, x4567, x4567, ');
  expect(maskCardNumbers('9 '.repeat(50_000))).toBe('9 '.repeat(50_000));
});

test('shows an ID of 17 or 18 digits but masks a card number of 16', () => {
  const id = '676770000000000005';
  expect(isCardNumber(id)).toBe(true);
  expect(maskCardsInId(id)).toBe(id);
  expect(maskCardsInId('4111111111111111')).toBe('x1111');
  expect(maskCardsInId('4111 1111 1111 1111')).toBe('x1111');
  expect(maskCardsInId('INV-2026-0001')).toBe('INV-2026-0001');
});

test.each(['12345678901234567/4111111111111111', '4111111111111111/12345678901234567'])(
  'masks a card number in a longer ID such as %s',
  (id) => {
    expect(maskCardsInId(id)).not.toContain('4111111111111111');
    expect(maskCardsInId(id)).toContain('x1111');
  },
);

test('shows numbers of up to eleven digits that a user typed', () => {
  expect(maskLongNumbers('+1 541 555 0100')).toBe('+1 541 555 0100');
  expect(maskLongNumbers('1234-5678–9012')).toBe('x9012');
});

test.each([
  ['12 34', '1234'],
  ['１２٣४', '1234'],
  ['𝟎𝟏𝟚𝟛𝟫', '01239'],
  ['⁰¹②₃', '0123'],
  ['٠٩', '09'],
  ['none', ''],
])('reads the digits of "%s" as %s', (text, digits) => {
  expect(digitsOf(text)).toBe(digits);
});

describe('a secret number with separators', () => {
  const secrets = secretsFrom(['1234567'], 3);

  test.each(['1234567', '1 2 3 4 5 6 7', '1-2 – 3 4567', `1${' '.repeat(16)}234567`])('is found in "%s"', (text) => {
    expect(withoutSecrets(text, secrets)).toBe('***');
  });

  test.each(['', '123456', '1a2b34567', '1,2,34567', `1${' '.repeat(17)}234567`])('is not found in "%s"', (text) => {
    expect(withoutSecrets(text, secrets)).toBe(text);
  });
});

test.each([
  ['4111111111111111', '1111'],
  ['411111xxxxxx1112', '1112'],
  ['xxxx3541', '3541'],
  ['****3541', '3541'],
  ['x3541', '3541'],
  ['90-817 263', '7263'],
  [90817263, '7263'],
  ['1234567', ''],
  ['xxx3541', ''],
  ['3541', ''],
  ['xxxxxxx1', ''],
  ['xxxxxxxxx', ''],
  ['', ''],
  [undefined, ''],
])('shows the last digits of %p as "%s"', (number, digits) => {
  expect(lastDigits(number)).toBe(digits);
});

test.each([
  ['twice in a row', ['1234567'], '12345671234567', '******'],
  ['in the middle of a number', ['1234567'], 'n 991234567', 'n 99***'],
  ['in digits of two code units', ['1234567'], 'a 𝟙𝟚𝟛𝟜𝟝𝟞𝟟 b', 'a *** b'],
  ['without zeros, the longest first', ['000123456789', '12345678'], '123456789', '***'],
  ['only without their leading zeros', ['100200300'], 'n 1200300', 'n 1200300'],
  ['only with seven digits without zeros', ['0000123'], 'code 123', 'code 123'],
])('the numbers among the secrets are removed %s', (_, secrets, text, shown) => {
  expect(withoutSecrets(text, secretsFrom(secrets, 3))).toBe(shown);
});

test('only a mask of four digits shows the last digits of a short number', () => {
  expect(['x1234', 'x12345'].map(lastDigits)).toEqual(['1234', '']);
});

test('masks only the long numbers of a text', () => {
  expect(maskLongNumbers('4111111111111111 for 1234567')).toBe('x1111 for 1234567');
});
