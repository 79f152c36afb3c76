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

test.each(['x-acme-webhook-signature', 'X-Some-Pay-Webhook-Signature'])('the header %s is found by itself', (name) => {
  expect(checkSignature(body, { [name]: sign('k') }, ['k'])).toBe('valid');
});

test.each(['x-webhook-signature', 'webhook-signature', 'x-acme-webhook-signature-2', 'signature'])(
  'the header %s is no signature unless a person names it',
  (name) => {
    expect(checkSignature(body, { [name]: sign('k') }, ['k'])).toBe('absent');
    expect(checkSignature(body, { [name]: sign('k') }, ['k'], ` ${name.toUpperCase()} `)).toBe('valid');
  },
);

test('a named header is the only one that counts', () => {
  expect(checkSignature(body, { 'x-acme-webhook-signature': sign('k') }, ['k'], 'x-own')).toBe('absent');
});

test('while the key is being changed, any one of several signatures is enough', () => {
  const header = (value: string) => ({ 'x-acme-webhook-signature': value });
  expect(checkSignature(body, header(`${sign('new')}, ${sign('old')}`), ['old'])).toBe('valid');
  expect(checkSignature(body, header(`${sign('old')},${sign('new')}`), ['old'])).toBe('valid');
  expect(checkSignature(body, header(`${sign('new')},${sign('newer')}`), ['old'])).toBe('invalid');
});

test('one changed byte of the body, or another key, makes the signature invalid', () => {
  const headers = { 'x-acme-webhook-signature': sign('k') };
  expect(checkSignature(Buffer.from(body.toString().replace(', ', ',')), headers, ['k'])).toBe('invalid');
  expect(checkSignature(body, headers, ['K'])).toBe('invalid');
});

test('a signature in another alphabet or cut short is invalid', () => {
  const signature = sign('k');
  for (const changed of [signature.slice(0, -1), `${signature}=`, createHmac('sha256', 'k').update(body).digest('hex')])
    expect(checkSignature(body, { 'x-acme-webhook-signature': changed }, ['k'])).toBe('invalid');
});

test('an empty header is no signature, and without a key nothing can be said', () => {
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
] as const)('with the policy %s a signature that is %s is accepted: %p', (policy, result, accepted) => {
  expect(signatureRefusal(policy, result) === undefined).toBe(accepted);
});

test('the caller is known by user name and password together', () => {
  const digests = [credentialDigest('user', 'secret:word'), credentialDigest('n8n', 'two')];
  expect(isKnownCaller(basic('user:secret:word'), digests)).toBe(true);
  expect(isKnownCaller(basic('n8n:two').replace('Basic', 'basic'), digests)).toBe(true);
  for (const wrong of ['user:two', 'user:secret:Word', 'user', ':', 'secret:word:user'])
    expect(isKnownCaller(basic(wrong), digests)).toBe(false);
});

test.each([undefined, '', 'Basic', 'Basic %%%', 'Bearer abc', 42, ['Basic abc']])(
  'the header %p identifies nobody',
  (header) => {
    expect(isKnownCaller(header, [credentialDigest('', '')])).toBe(false);
  },
);

test('nobody is known as long as nothing is registered', () => {
  expect(isKnownCaller(basic(':'), [])).toBe(false);
});

test.each(['ax-acme-webhook-signature', 'max-acme-webhook-signature'])('the header %s is no signature', (name) => {
  expect(checkSignature(body, { [name]: sign('k') }, ['k'])).toBe('absent');
});

test('a refusal says why', () => {
  expect(signatureRefusal('required', 'invalid')).toBe('the signature does not match the body');
  expect(signatureRefusal('required', 'absent')).toMatch(/^there is no signature, and the option "Signature"/);
  expect(signatureRefusal('required', 'unverifiable')).toMatch(/^the signature cannot be checked/);
});

test.each([
  ['with blanks around the token', `Basic  \t ${basic('n8n:two').slice(6)}  `, true],
  ['with something before it', `x${basic('n8n:two')}`, false],
  ['with something behind the token', `${basic('n8n:two')} x`, false],
  ['with a comma behind the token', `${basic('n8n:two')},`, false],
  ['as a list', [basic('n8n:two')], false],
])('an Authorization header %s is known: %s', (_, header, known) => {
  expect(isKnownCaller(header, [credentialDigest('n8n', 'two')])).toBe(known);
});
