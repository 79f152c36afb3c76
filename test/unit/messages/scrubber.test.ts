import { Scrubber, isSecretField, findSecrets } from '../../../nodes/PaymentPlatform/messages/scrubber';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import type { Field } from '../../../nodes/PaymentPlatform/fields/types';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const key = 'Key/with+signs."and" 7';

describe('words of the service lose a secret', () => {
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
  ])('%s', (_, text) => {
    const shown = scrubber.words(`Refused: "${text}" is wrong`);
    expect(shown).toMatch(/^Refused: ".*\*\*\*.*" is wrong$/);
    for (const part of ['Key', 'with', 'signs', 'canary', base64(key).slice(0, 12)])
      expect(shown.toLowerCase()).not.toContain(part.toLowerCase());
  });

  test.each(['12345', '1 2 3 4 5', '12-345', 'acct12345', '12345.'])('of five digits in "%s"', (text) => {
    expect(scrubber.words(text)).toContain('***');
    expect(scrubber.words(text)).not.toMatch(/[2-5]/);
  });

  test.each(['912345', '123456', 'x912345y'])('of five digits, but not as a part of the number %s', (text) => {
    expect(scrubber.words(text)).toBe(text);
  });

  test.each(['123', 'cvv 123.', 'cvv=123', '"123"', '(123)'])('of three digits in "%s"', (text) => {
    expect(scrubber.words(text)).not.toContain('123');
  });

  test.each(['1234', '9123', 'a123', '123b', 'x123x'])('of three digits, but not as a part of %s', (text) => {
    expect(scrubber.words(text)).toBe(text);
  });

  test('and every number that could be one', () => {
    expect(scrubber.words('Account 90817263541')).toBe('Account x3541');
    expect(scrubber.words('canary-password 90817263541')).toBe('*** x3541');
  });

  test('the longest first', () => {
    expect(new Scrubber(['pass', 'password-1']).words('password-1')).toBe('***');
  });
});

describe('a secret is taken out', () => {
  const words = (secret: string, text: string) => new Scrubber([secret]).words(text);

  test('inside a word from four characters on', () => {
    expect(words('abcd', 'xabcdy')).toBe('x***y');
    expect(words('abc', 'xabcy')).toBe('xabcy');
  });

  test('inside a number from seven digits on', () => {
    expect(new Scrubber(['1234567']).id('9-12345678')).toBe('9-***8');
    expect(new Scrubber(['123456']).id('9-12345678')).toBe('9-12345678');
  });

  test('that begins or ends with digits in its other forms too', () => {
    expect(words('12ab-canary', base64('12ab-canary'))).not.toContain(base64('12ab-canary').slice(0, 8));
    expect(words('canary-12', base64('canary-12'))).not.toContain(base64('canary-12').slice(0, 8));
  });

  test('with quotes inside a longer JSON text', () => {
    expect(words('can"ary"', JSON.stringify({ said: 'it is can"ary" now' }))).toBe('{"said":"it is *** now"}');
  });

  test('in base64 for URLs where it differs', () => {
    const secret = '>>>???canary';
    expect(base64(secret)).toMatch(/\+.*\//);
    expect(words(secret, Buffer.from(secret).toString('base64url'))).toBe('***');
    expect(words(secret, base64(secret))).toBe('***');
  });

  test('with half a character as a URL carries it', () => {
    expect(words('can\ud800ary', 'can%EF%BF%BDary')).toBe('***');
  });

  test('of exactly as many characters as a pattern holds, and of one more', () => {
    for (const length of [500, 501]) expect(words('k'.repeat(length), `a ${'k'.repeat(length)} b`)).toBe('a *** b');
  });
});

test('values of one or two characters, of blanks, and none leave the text alone', () => {
  for (const secrets of [[], ['1'], ['12'], ['', '   ']])
    expect(new Scrubber(secrets).words('code 1, 12 of 3')).toBe('code 1, 12 of 3');
});

test('blanks around a secret are no part of it', () => {
  expect(new Scrubber(['  canary-password ']).words('canary-password')).toBe('***');
});

test.each([
  ['all signs', 'a-b\\c^d$e.f*g+h?i(j)k[l]m{n}o|p/q,r#s&t~u`v\'w"x<y>z=@!%:;_'],
  ['half a character', 'canary-\ud800-half'],
  ['letters of other scripts', 'пароль-canary-密码'],
  ['hundreds of letters', 'canary-'.repeat(500)],
  ['hundreds of digits', '1234567890'.repeat(100)],
])('a secret of %s never breaks the text, and is taken out', (_, secret) => {
  expect(new Scrubber([secret]).words(`said ${secret} to me`)).toBe('said *** to me');
});

test('an ID loses secrets and card numbers, and keeps other digits', () => {
  const scrubber = new Scrubber(['canary-password']);
  expect(scrubber.id('426351789012345678')).toBe('426351789012345678');
  expect(scrubber.id('4111111111111111')).toBe('x1111');
  expect(scrubber.id('A-canary-password')).toBe('A-***');
  expect(scrubber.id('account 90817263541')).toBe('account x3541');
});

test('a failure loses secrets in all of its texts, at any depth, and keeps its numbers', () => {
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

test('records lose secrets of eight characters or more in their texts, and keep everything else', () => {
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

test('the secrets of a request are the values of its secret fields, at any depth', () => {
  const body = {
    amt_tran: 5,
    card_number: '4111111111111111',
    customer: { billing_cards: [{ cvv2: 123, tr_number: '021000021', billing_zip: '97477' }] },
    auth_settings: { user_name: 'n8n', user_password: 'canary' },
    payload_walletA_pay: { token: 'inner', flag: true },
  };
  expect(findSecrets([body, undefined, null])).toEqual(['4111111111111111', '123', '021000021', 'canary', 'inner']);
});

const declared: Array<{ path: string; field: Field }> = resources.flatMap((resource) =>
  resource.operations.flatMap((operation) =>
    [...operation.fields, ...(operation.additional ?? [])].flatMap((field) =>
      withInner(field, `${resource.value}.${operation.value}: `),
    ),
  ),
);

function withInner(field: Field, prefix: string): typeof declared {
  const path = `${prefix}${field.name}`;
  return [{ path, field }, ...(field.fields ?? []).flatMap((inner) => withInner(inner, `${path}.`))];
}

test.each(declared.filter(({ field }) => field.secret && !field.fields))(
  '$path, declared as secret, is taken out of words',
  ({ field }) => {
    expect(isSecretField(field.name)).toBe(true);
  },
);

test.each(declared.filter(({ field }) => isSecretField(field.name)))('$path is declared as secret', ({ field }) => {
  expect(field.secret).toBe(true);
});
