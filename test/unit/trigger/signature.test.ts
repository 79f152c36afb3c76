import { createHmac } from 'node:crypto';

import {
  checkSignature,
  credentialDigest,
  isKnownCaller,
  signatureRefusal,
} from '../../../nodes/PaymentPlatform/trigger/signature';

const body = Buffer.from('{"event":"invoice_paid", "data":{"name":"Zoë"}}');
const sign = (key: string, over = body) => createHmac('sha256', key).update(over).digest('base64');
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test.each(['x-acme-webhook-signature', 'X-Some-Pay-Webhook-Signature'])(
  'finds the header %s without configuration',
  (name) => {
    expect(checkSignature(body, { [name]: sign('k') }, ['k'])).toBe('valid');
  },
);

test.each(['x-webhook-signature', 'webhook-signature', 'x-acme-webhook-signature-2', 'signature'])(
  'accepts the header %s only if the user names it',
  (name) => {
    expect(checkSignature(body, { [name]: sign('k') }, ['k'])).toBe('absent');
    expect(checkSignature(body, { [name]: sign('k') }, ['k'], ` ${name.toUpperCase()} `)).toBe('valid');
  },
);

test('uses only the named header', () => {
  expect(checkSignature(body, { 'x-acme-webhook-signature': sign('k') }, ['k'], 'x-own')).toBe('absent');
});

test('accepts one of several signatures while the key is being changed', () => {
  const header = (value: string) => ({ 'x-acme-webhook-signature': value });
  expect(checkSignature(body, header(`${sign('new')}, ${sign('old')}`), ['old'])).toBe('valid');
  expect(checkSignature(body, header(`${sign('old')},${sign('new')}`), ['old'])).toBe('valid');
  expect(checkSignature(body, header(`${sign('new')},${sign('newer')}`), ['old'])).toBe('invalid');
});

test('rejects a signature after one changed byte or with another key', () => {
  const headers = { 'x-acme-webhook-signature': sign('k') };
  expect(checkSignature(Buffer.from(body.toString().replace(', ', ',')), headers, ['k'])).toBe('invalid');
  expect(checkSignature(body, headers, ['K'])).toBe('invalid');
});

test('rejects a signature that is truncated or in another encoding', () => {
  const signature = sign('k');
  for (const changed of [signature.slice(0, -1), `${signature}=`, createHmac('sha256', 'k').update(body).digest('hex')])
    expect(checkSignature(body, { 'x-acme-webhook-signature': changed }, ['k'])).toBe('invalid');
});

test("ignores an empty header and can't verify without a key", () => {
  expect(checkSignature(body, { 'x-acme-webhook-signature': ' , ' }, ['k'])).toBe('absent');
  expect(checkSignature(body, { 'x-acme-webhook-signature': sign('') }, [])).toBe('unverifiable');
  expect(checkSignature(body, { 'x-acme-webhook-signature': sign('') }, [''])).toBe('unverifiable');
});

test.each([
  ['required', 'valid', true],
  ['required', 'invalid', false],
  ['required', 'absent', false],
  ['required', 'unverifiable', false],
  ['whenPresent', 'valid', true],
  ['whenPresent', 'invalid', false],
  ['whenPresent', 'absent', true],
  ['whenPresent', 'unverifiable', true],
  ['off', 'invalid', true],
  ['off', 'absent', true],
  ['off', 'unverifiable', true],
] as const)('applies the policy %s to a signature that is %s: %p', (policy, result, accepted) => {
  expect(signatureRefusal(policy, result) === undefined).toBe(accepted);
});

test('recognizes a caller only by user name and password together', () => {
  const digests = [credentialDigest('user', 'secret:word'), credentialDigest('n8n', 'two')];
  expect(isKnownCaller(basic('user:secret:word'), digests)).toBe(true);
  expect(isKnownCaller(basic('n8n:two').replace('Basic', 'basic'), digests)).toBe(true);
  for (const wrong of ['user:two', 'user:secret:Word', 'user', ':', 'secret:word:user'])
    expect(isKnownCaller(basic(wrong), digests)).toBe(false);
});

test.each([undefined, '', 'Basic', 'Basic %%%', 'Bearer abc', 42, ['Basic abc']])(
  'recognizes no caller by the header %p',
  (header) => {
    expect(isKnownCaller(header, [credentialDigest('', '')])).toBe(false);
  },
);

test('recognizes no caller before a registration', () => {
  expect(isKnownCaller(basic(':'), [])).toBe(false);
});

test.each(['ax-acme-webhook-signature', 'max-acme-webhook-signature'])(
  "doesn't treat the header %s as a signature",
  (name) => {
    expect(checkSignature(body, { [name]: sign('k') }, ['k'])).toBe('absent');
  },
);

test('states the reason for a refusal', () => {
  expect(signatureRefusal('required', 'invalid')).toBe('the signature does not match the body');
  expect(signatureRefusal('required', 'absent')).toMatch(/^there is no signature, and the option "Signature"/);
  expect(signatureRefusal('required', 'unverifiable')).toMatch(/^the trigger can't check the signature/);
});

test.each([
  ['with blanks around the token', `Basic  \t ${basic('n8n:two').slice(6)}  `, true],
  ['with something before it', `x${basic('n8n:two')}`, false],
  ['with something behind the token', `${basic('n8n:two')} x`, false],
  ['with a comma behind the token', `${basic('n8n:two')},`, false],
  ['as a list', [basic('n8n:two')], false],
])('recognizes an Authorization header %s: %s', (_, header, known) => {
  expect(isKnownCaller(header, [credentialDigest('n8n', 'two')])).toBe(known);
});
