import { Scrubber, isSecretField, findSecrets, scrubberOf } from '../../../nodes/PaymentPlatform/messages/scrubber';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { everyField } from '../../contract/every-field';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const key = 'Key/with+signs."and" 7';

describe("removing secrets from the service's text", () => {
  const scrubber = new Scrubber([key, 'canary-password', '12345', '123']);

  test.each([
    ['as it is', key],
    ['in other case', key.toUpperCase()],
    ['in JSON', JSON.stringify([key])],
    ['in a URL', encodeURIComponent(key)],
    ['in base64', base64(key)],
    ['in base64 for URLs', Buffer.from(key).toString('base64url')],
    ['twice', `${key} and ${key}`],
    ['beside another one', `${key}canary-password`],
  ])('removes a secret %s from text', (_, text) => {
    const shown = scrubber.words(`Refused: "${text}" is wrong`);
    expect(shown).toMatch(/^Refused: ".*\*\*\*.*" is wrong$/);
    for (const part of ['Key', 'with', 'signs', 'canary', base64(key).slice(0, 12)])
      expect(shown.toLowerCase()).not.toContain(part.toLowerCase());
  });

  test.each(['12345', '1 2 3 4 5', '12-345', 'acct12345', '12345.'])(
    'removes a five-digit secret from "%s"',
    (text) => {
      expect(scrubber.words(text)).toContain('***');
      expect(scrubber.words(text)).not.toMatch(/[2-5]/);
    },
  );

  test.each(['912345', '123456', 'x912345y'])('keeps the number %s, which contains a secret of five digits', (text) => {
    expect(scrubber.words(text)).toBe(text);
  });

  test.each(['123', 'cvv 123.', 'cvv=123', '"123"', '(123)'])('removes a three-digit secret from "%s"', (text) => {
    expect(scrubber.words(text)).not.toContain('123');
  });

  test.each(['1234', '9123', 'a123', '123b', 'x123x'])('keeps %s, which contains a secret of three digits', (text) => {
    expect(scrubber.words(text)).toBe(text);
  });

  test('removes every number that could be a secret', () => {
    expect(scrubber.words('Account 90817263541')).toBe('Account x3541');
    expect(scrubber.words('canary-password 90817263541')).toBe('*** x3541');
  });

  test('removes the longest secret first', () => {
    expect(new Scrubber(['pass', 'password-1']).words('password-1')).toBe('***');
  });
});

describe('removed forms of a secret', () => {
  const words = (secret: string, text: string) => new Scrubber([secret]).words(text);

  test('removed forms of a secret include word parts of four or more characters', () => {
    expect(words('abcd', 'xabcdy')).toBe('x***y');
    expect(words('abc', 'xabcy')).toBe('xabcy');
    expect(words('a-b', 'xa-by')).toBe('xa-by');
  });

  test.each(['abc', 'aBc', 'a-b', 'ab-', '-ab', '-1-'])('removed words include %s in other case', (secret) => {
    expect(words(secret, `code ${secret.toUpperCase()}, ${secret.toLowerCase()}`)).toBe('code ***, ***');
  });

  test('removed forms of a secret include number parts of seven or more digits', () => {
    expect(new Scrubber(['1234567']).id('9-12345678')).toBe('9-***8');
    expect(new Scrubber(['123456']).id('9-12345678')).toBe('9-12345678');
  });

  test('removed forms of a secret include other forms of secrets that start or end in digits', () => {
    expect(words('12ab-canary', base64('12ab-canary'))).not.toContain(base64('12ab-canary').slice(0, 8));
    expect(words('canary-12', base64('canary-12'))).not.toContain(base64('canary-12').slice(0, 8));
  });

  test('forms of a secret that are removed include quotes in a longer JSON text', () => {
    expect(words('can"ary"', JSON.stringify({ said: 'it is can"ary" now' }))).toBe('{"said":"it is *** now"}');
  });

  test('removed forms of a secret include URL-safe base64', () => {
    const secret = '>>>???canary';
    expect(base64(secret)).toMatch(/\+.*\//);
    expect(words(secret, Buffer.from(secret).toString('base64url'))).toBe('***');
    expect(words(secret, base64(secret))).toBe('***');
  });

  test('removed forms of a secret include a URL that breaks off inside a character', () => {
    expect(words('can\ud800ary', 'can%EF%BF%BDary')).toBe('***');
  });

  test("forms of a secret that are removed include secrets longer than the pattern's maximum length", () => {
    for (const length of [500, 501]) expect(words('k'.repeat(length), `a ${'k'.repeat(length)} b`)).toBe('a *** b');
  });
});

describe('a secret in base64', () => {
  const body = JSON.stringify({ merchant_id: '1', dda_number: '90817', note: 'a"b', user_password: key });
  const forms: Record<string, (secret: string) => string> = {
    'at the first offset': (secret) => secret,
    'at the second offset': (secret) => `a${secret}`,
    'at the third offset': (secret) => `ab${secret}`,
    'before other text': (secret) => `${secret} is wrong`,
    'in a JSON body': (secret) => JSON.stringify({ a: 1, secret }),
    'in a form': (secret) => `a=1&secret=${encodeURIComponent(secret)}`,
  };
  const encodings: Record<string, (text: string) => string> = {
    plain: base64,
    'for URLs': (text) => Buffer.from(text).toString('base64url'),
    'with line breaks': (text) => base64(text).replace(/(.{10})/g, '$1\r\n'),
    'after a path': (text) => `/v1/${base64(text)}`,
    'after a shorter path': (text) => `/v/${base64(text)}`,
  };
  const cases = Object.keys(forms).flatMap((form) => Object.keys(encodings).map((encoding) => [form, encoding]));

  test.each(cases)('a secret in base64 is removed with its surroundings %s, %s', (form = '', encoding = '') => {
    for (const secret of [key, '4111111111111111', '90817', 'Paß-wörter', '\u{1f35e}\u{1f35e}']) {
      const echo = encodings[encoding]?.(forms[form]?.(secret) ?? '') ?? '';
      const shown = new Scrubber([secret]).words(`Refused: ${echo} (code 5)`);
      expect(shown).toMatch(/^Refused: .*\*\*\*.*\(code 5\)$/s);
      expect(shown.length).toBeLessThan(40);
    }
  });

  test('a secret in base64 is removed with the whole body', () => {
    for (const secret of ['90817', key])
      expect(new Scrubber([secret]).words(`Body ${base64(body)}.`)).toBe('Body ***.');
  });

  test('a secret in base64 is removed even if another secret is longer', () => {
    for (const secret of ['123', '0817', '90817'])
      expect(new Scrubber([key, 'canary-password', secret]).words(base64(secret))).toBe('***');
  });

  test('a number in base64 is removed even if it lacks its leading zeros', () => {
    expect(new Scrubber(['000000090817263']).words(base64('90817263'))).toBe('***');
  });

  test('a secret in base64 of records is removed if it has at least eight characters', () => {
    const record = { note: base64('to 90817263'), other: base64('to 9081726') };
    expect(new Scrubber(['90817263', '9081726']).records([record])).toEqual([{ note: '***', other: record.other }]);
  });

  test.each(['transactions', 'kd77ge06p2cdq34dk867h932sb63na36', '2026-11-27T13:09:05.880Z', base64('another text')])(
    'a secret in base64 is not found in %s',
    (text) => {
      expect(new Scrubber([key, '4111111111111111', '123', '0817']).records([{ text }])).toEqual([{ text }]);
    },
  );
});

describe('a secret with escapes', () => {
  const secret = 'a<b> & "c\' \\é/\u{1f35e}\u{10ffff}7';
  const characters = [...secret];
  const escapes: Record<string, string> = {
    'of HTML': secret
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
      .replace(/'/g, '&apos;'),
    'of HTML for all characters': characters.map((one) => `&#${one.codePointAt(0)};`).join(''),
    'of HTML with short hexadecimal numbers': characters
      .map((one) => `&#x${one.codePointAt(0)?.toString(16)};`)
      .join(''),
    'of HTML with hexadecimal numbers': characters.map((one) => `&#X0${one.codePointAt(0)?.toString(16)};`).join(''),
    'of a URL for all characters': [...Buffer.from(secret)]
      .map((one) => `%${one.toString(16).padStart(2, '0')}`)
      .join(''),
    'of JSON': JSON.stringify(secret).slice(1, -1),
    'of JSON for all characters': Array.from(
      { length: secret.length },
      (_, at) => `\\u${secret.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
    'of JSON in a URL': encodeURIComponent(JSON.stringify(secret)),
    'of HTML in HTML': characters.map((one) => `&amp;#${one.codePointAt(0)};`).join(''),
  };

  test.each(Object.keys(escapes))('a secret with escapes %s is removed', (name) => {
    const shown = new Scrubber([secret]).words(`Refused: ${escapes[name]} (code 5)`);
    expect(shown).toMatch(/^Refused: "?\*\*\*"? \(code 5\)$/);
  });

  test.each([
    '&#52;&#49;49;&#49;',
    [...'4111111111111111'].map((digit) => `&#${digit.charCodeAt(0)};`).join(''),
    [...'4111111111111111'].map((digit) => `%3${digit}`).join(''),
  ])('a card number with escapes is removed from %s', (text) => {
    const shown = new Scrubber(['4111111111111111']).words(`Refused: ${text}`);
    expect(shown).toBe(text.length > 30 ? 'Refused: ***' : `Refused: ${text}`);
  });

  test.each(['\\n', '\\r\\n', '\\u000a', '&#10;', '%0A'])(
    'base64 of a secret with escaped line breaks is removed: %s',
    (lineBreak) => {
      const base64 = Buffer.from('{"user_password":"canary>>>???~~~ pass"}').toString('base64');
      expect(base64).toContain('+');
      const lines = base64.replace(/.{20}(?=.)/g, `$&${lineBreak}`);
      expect(new Scrubber(['canary>>>???~~~ pass']).words(`Refused: ${lines}`)).toBe('Refused: ***');
      const inUrl = encodeURIComponent(base64);
      expect(new Scrubber(['canary>>>???~~~ pass']).words(`Refused: ${inUrl}`)).toBe('Refused: ***');
    },
  );

  test('escapes without a secret stay in the text', () => {
    for (const text of ['a &amp; b', '%41%', '&#00;', '&unknown;', '&#x110000;', '\\u00zz'])
      expect(new Scrubber([secret]).words(text)).toBe(text);
  });
});

test("removes short secrets from the service's messages in records, at any depth", () => {
  const record = { rmsg: 'Approved for 1234 (cvv 123)', response: { rmsg: 'to 12-34' }, message: '1234', note: '1234' };
  expect(new Scrubber(['1234', '123']).records([record])).toEqual([
    { rmsg: 'Approved for *** (cvv ***)', response: { rmsg: 'to ***' }, message: '***', note: '1234' },
  ]);
});

test('removes no secrets of one or two characters or of spaces', () => {
  for (const secrets of [[], ['1'], ['12'], ['', '   ']])
    expect(new Scrubber(secrets).words('code 1, 12 of 3')).toBe('code 1, 12 of 3');
});

test('ignores spaces around a secret', () => {
  expect(new Scrubber(['  canary-password ']).words('canary-password')).toBe('***');
});

test.each([
  ['all signs', 'a-b\\c^d$e.f*g+h?i(j)k[l]m{n}o|p/q,r#s&t~u`v\'w"x<y>z=@!%:;_'],
  ['half a character', 'canary-\ud800-half'],
  ['letters of other scripts', 'пароль-canary-密码'],
  ['hundreds of letters', 'canary-'.repeat(500)],
  ['hundreds of digits', '1234567890'.repeat(100)],
])('removes a secret of %s without damaging the text', (_, secret) => {
  expect(new Scrubber([secret]).words(`said ${secret} to me`)).toBe('said *** to me');
});

test('removes the secrets of its own account and its own request', () => {
  const [one, other] = [['key-of-one'], ['key-of-other']];
  const text = 'key-of-one key-of-other canary-card';
  expect(Scrubber.of(one, []).words(text)).toBe('*** key-of-other canary-card');
  expect(Scrubber.of(one, ['canary-card']).words(text)).toBe('*** key-of-other ***');
  expect(Scrubber.of(one, []).words(text)).toBe('*** key-of-other canary-card');
  expect(Scrubber.of(other, []).words(text)).toBe('key-of-one *** canary-card');
});

test('removes only secrets and card numbers from an ID', () => {
  const scrubber = new Scrubber(['canary-password']);
  expect(scrubber.id('426351789012345678')).toBe('426351789012345678');
  expect(scrubber.id('4111111111111111')).toBe('x1111');
  expect(scrubber.id('A-canary-password')).toBe('A-***');
  expect(scrubber.id('account 90817263541')).toBe('account x3541');
});

test('removes secrets from all text of a failure but not from its numbers', () => {
  const failure = {
    outcome: 'unknown' as const,
    message: 'canary-password (code 123)',
    advice: 'canary-password',
    httpStatus: 123,
    code: 1234,
    rcode: '123',
    pgId: 'canary-password',
    request: 'GET /platform/canary-password',
    references: { purchase_id: 'canary-password', amt_tran: 1234, list: ['canary-password'] },
    lookUp: 'Look for canary-password.',
    retryAfterMs: 1234,
    reads: false,
  };
  expect(new Scrubber(['canary-password', '123', '1234']).failure(failure)).toEqual({
    ...failure,
    message: '*** (code 123)',
    advice: '***',
    pgId: '***',
    request: 'GET /platform/***',
    references: { purchase_id: '***', amt_tran: 1234, list: ['***'] },
    lookUp: 'Look for ***.',
  });
});

test('removes secrets of at least eight characters from the text of records', () => {
  const scrubber = new Scrubber(['canary-password', '90817263541', '97477', '123']);
  const record = {
    billing_zip: '97477',
    cvv2_result: '123',
    note: 'canary-password',
    list: ['to 90817263541'],
    n: 123,
  };
  expect(scrubber.records([record])).toEqual([{ ...record, note: '***', list: ['to ***'] }]);
});

test('removes account numbers that are JSON numbers or names of fields from records, but keeps amounts', () => {
  const scrubber = new Scrubber(['90817263541', '0012345678', 'merchant', 'canary-password']);
  const record = {
    ...{ avs_zip: 90817263541, list: [12345678, 90817263541.5, 1290817263541], amt_tran: 9081.72, merchant_id: 7 },
    ...{ accounts: { '90817263541': { ok: true }, 'canary-password': 1 }, cnt: 12345 },
  };
  expect(scrubber.records([record])).toEqual([
    {
      ...{ avs_zip: '***', list: ['***', 90817263541.5, 1290817263541], amt_tran: 9081.72, merchant_id: 7 },
      ...{ accounts: { '***': 1 }, cnt: 12345 },
    },
  ]);
});

test('finds secret values in name-value pairs and in fields whose names are written in another case', () => {
  const pairs = [
    { name: 'dda_number', value: '90817263541' },
    { name: 'order', value: 'A-1' },
  ];
  expect(findSecrets({ echo_fields: JSON.stringify(pairs), DDA_Number: '12345678' })).toEqual([
    '90817263541',
    '12345678',
  ]);
});

test('finds the secret values of a request by field at any depth', () => {
  const body = {
    amt_tran: 5,
    card_number: '4111111111111111',
    customer: { billing_cards: [{ cvv2: 123, tr_number: '021000021', billing_zip: '97477' }] },
    auth_settings: { user_name: 'n8n', user_password: 'canary' },
    payload_walletA_pay: { token: 'inner', flag: true },
  };
  expect(findSecrets([body, undefined, null])).toEqual(['4111111111111111', '123', '021000021', 'canary', 'inner']);
  const json = { customerJson: ` ${JSON.stringify(body)}`, echo_fields: '[1', note: '{"cvv2":"456"}' };
  expect(findSecrets(json)).toEqual(['4111111111111111', '123', '021000021', 'canary', 'inner', '456']);
  expect(findSecrets({ note: '['.repeat(5000) + ']'.repeat(5000) })).toEqual([]);
});

test.each(everyField.filter(({ field }) => field.secret && !field.fields && field.kind !== 'section'))(
  'removes the value of $path, which is declared as secret',
  ({ field }) => {
    expect(isSecretField(field.name)).toBe(true);
  },
);

test.each(everyField.filter(({ field }) => isSecretField(field.name)))('declares $path as secret', ({ field }) => {
  expect(field.secret).toBe(true);
});

test.each(['x', '****', 'xxxx1111', '*1111', '411111xxxxxx1111'])(
  'a value that the service already masked is no secret: %s',
  (user_password) => expect(findSecrets({ user_password })).toEqual([]),
);

test('the secrets of a request are removed in the form that the user entered and in the form that is sent', () => {
  const values = (name: string) => ({
    path: {},
    query: { user_password: `${name}-query` },
    body: { user_password: `${name}-body` },
    node: { user_password: `${name}-node` },
  });
  const asked = { values: values('asked') };
  const request = { secrets: ['of-account'], values: values('sent'), decided: { asked, kept: [] } };
  const shown = (text: string) => scrubberOf(request as unknown as PlannedRequest).words(text);
  for (const secret of ['of-account', 'asked-query', 'asked-body', 'sent-query', 'sent-body', 'sent-node'])
    expect(shown(`No ${secret}!`)).toBe('No ***!');
  const open = { values: { path: {}, query: {}, body: { memo: 'memo' }, node: {} } } as unknown as PlannedRequest;
  expect(scrubberOf(open).words('memo asked-body')).toBe('memo asked-body');
});
