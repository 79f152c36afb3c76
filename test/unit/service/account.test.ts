import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

import { PaymentPlatformApi } from '../../../credentials/PaymentPlatformApi.credentials';
import { baseUrlProblem, readAccount } from '../../../nodes/PaymentPlatform/service/account';

const node = { name: 'Payment Platform', type: 'paymentPlatform' } as INode;
const good = {
  environment: 'test',
  baseUrl: 'https://api.example.com/v1/',
  merchantId: '123456789012',
  authMethod: 'apiKey',
  apiKey: 'k',
};

test('ignores a trailing slash in the base URL', () => {
  expect(readAccount(good, node)).toMatchObject({
    environment: 'test',
    baseUrl: 'https://api.example.com/v1',
    merchantId: '123456789012',
  });
});

test.each([
  ['test', 'test'],
  ['production', 'production'],
  ['Test', 'production'],
  ['TEST', 'production'],
  [' test', 'production'],
  ['sandbox', 'production'],
  ['', 'production'],
  [null, 'production'],
  [undefined, 'production'],
  [true, 'production'],
])('reads the environment %p of the credential as %p', (environment, known) => {
  expect(readAccount({ ...good, environment } as never, node).environment).toBe(known);
});

test.each(['http://127.0.0.1:4010/test', 'http://localhost:4010', 'http://[::1]:4010', 'https://api.example.com'])(
  'accepts the base URL %s',
  (url) => {
    expect(baseUrlProblem(url)).toBeUndefined();
  },
);

test.each([
  'http://api.example.com',
  'http://127.0.0.1.example.com',
  'ftp://x.com',
  'api.example.com',
  '',
  'https://u:p@x.com',
  'https://x.com?a=1',
  'https://x.com?',
  'https://x.com/v1#',
])('refuses the base URL %p and names the field', (baseUrl) => {
  expect(() => readAccount({ ...good, baseUrl }, node)).toThrow(/Base URL/);
});

test('names the secret that an address without https would send unencrypted', () => {
  const plain = { ...good, baseUrl: 'http://api.example.com', apiToken: 'secret' };
  expect(() => readAccount(plain, node)).toThrow(/the API Key would otherwise be sent unencrypted/);
  expect(() => readAccount({ ...plain, authMethod: 'apiToken' }, node)).toThrow(
    /the API Token would otherwise be sent unencrypted/,
  );
});

test('refuses a merchant ID with invalid characters and an empty secret', () => {
  expect(() => readAccount({ ...good, merchantId: 'M-1' }, node)).toThrow(/Merchant ID must be a number/);
  expect(() => readAccount({ ...good, apiKey: ' ' }, node)).toThrow(/API Key is empty/);
  expect(() => readAccount({ ...good, authMethod: 'apiToken' }, node)).toThrow(/API Token is empty/);
});

test.each([
  ['http://api.example.com', true],
  ['api.example.com', true],
  [' ftp://x', true],
  ['http://localhost.example.com', true],
  ['', false],
  ['https://api.example.com', false],
  ['http://127.0.0.1:4010/test', false],
  ['http://localhost', false],
])('warns about the base URL %p in the credential form: %p', (baseUrl, warns) => {
  const notice = new PaymentPlatformApi().properties.find(({ name }) => name === 'baseUrlNotice');
  expect(NodeHelpers.displayParameter({ baseUrl }, notice as INodeProperties, null, null)).toBe(warns);
});
