import {
  NodeHelpers,
  type ICredentialDataDecryptedObject,
  type IHttpRequestOptions,
  type INodeParameters,
} from 'n8n-workflow';

import { PaymentPlatformApi } from '../../../credentials/PaymentPlatformApi.credentials';
import { authorization, baseUrlProblem } from '../../../nodes/PaymentPlatform/service/account';

const credential = new PaymentPlatformApi();
const baseUrl = 'https://a';
const key: ICredentialDataDecryptedObject = { baseUrl, authMethod: 'apiKey', merchantId: ' 123 ', apiKey: ' k€y ' };

const sent = async (values: ICredentialDataDecryptedObject) =>
  (await credential.authenticate({ baseUrl, ...values }, { url: 'https://a/path', headers: { accept: 'text' } }))
    .headers;

const shows = (name: string, values: INodeParameters) => {
  const property = credential.properties.find((one) => one.name === name);
  return property && NodeHelpers.displayParameter(values, property, null, null);
};

test('the token of a request contains the merchant ID and the key', async () => {
  const token = Buffer.from('123:k€y', 'utf8').toString('base64');
  expect(await sent(key)).toEqual({ accept: 'text', authorization: `Basic ${token}` });
});

test.each(['bWU6eW91', ' bWU6eW91 ', 'Basic bWU6eW91', 'basic  bWU6eW91'])(
  'the token of a request keeps %j as issued',
  async (apiToken) => {
    expect(await sent({ authMethod: 'apiToken', apiToken })).toMatchObject({ authorization: 'Basic bWU6eW91' });
  },
);

test('the token of a request accepts a numeric merchant ID and missing values without an error', async () => {
  expect(await sent({ ...key, merchantId: 123 })).toEqual(await sent(key));
  expect(await sent({ authMethod: 'apiKey' })).toMatchObject({ authorization: `Basic ${btoa(':')}` });
});

test('the token of a request is only added to the sent copy', async () => {
  const request = { url: 'https://a', headers: { accept: 'text' } };
  await credential.authenticate(key, request);
  expect(request).toEqual({ url: 'https://a', headers: { accept: 'text' } });
});

describe('the proxy of a request', () => {
  const proxyOf = async (base: string, request: object = {}, blocked = 'true') => {
    const before = process.env.N8N_BLOCK_ENV_ACCESS_IN_NODE;
    process.env.N8N_BLOCK_ENV_ACCESS_IN_NODE = blocked;
    const sent = await credential.authenticate({ ...key, baseUrl: base }, { url: `${base}/invoice`, ...request });
    process.env.N8N_BLOCK_ENV_ACCESS_IN_NODE = before;
    return sent.proxy;
  };
  const other = { host: 'proxy.example.com', port: 8080 };

  test.each([
    ['http://localhost:4010/test', { protocol: 'http', host: 'localhost', port: 4010 }],
    ['http://127.0.0.1', { protocol: 'http', host: '127.0.0.1', port: 80 }],
    ['http://[::1]:4010', { protocol: 'http', host: '[::1]', port: 4010 }],
  ])('the proxy of a request to %s is the service itself', async (base, own) => {
    expect(await proxyOf(base)).toEqual(own);
    expect(await proxyOf(base, { proxy: other }, 'false')).toEqual(own);
  });

  test('the proxy of a request stays the same if the request is encrypted or no proxy is set', async () => {
    expect(await proxyOf('https://a', { proxy: other })).toEqual(other);
    expect(await proxyOf('https://a')).toBeUndefined();
    expect(await proxyOf('http://localhost:4010', {}, 'false')).toBeUndefined();
  });
});

describe('requests by the HTTP Request node', () => {
  const to = async (request: object, base = 'https://api.example.com/v1') =>
    await credential.authenticate({ ...key, baseUrl: base }, request as IHttpRequestOptions);

  test.each([
    { url: 'https://api.example.com/v1/invoice' },
    { uri: 'https://API.example.com:443/other' },
    { url: '/v1/invoice', baseURL: 'https://api.example.com' },
  ])('requests by the HTTP Request node get the token for %j and no redirect passes it on', async (request) => {
    const { headers, sendCredentialsOnCrossOriginRedirect: redirected } = await to(request);
    expect([headers?.authorization, redirected]).toEqual([expect.stringMatching(/^Basic /), false]);
  });

  test.each([
    { url: 'https://evil.example.com/v1/invoice' },
    { url: 'https://api.example.com.evil.example.com' },
    { url: 'https://api.example.com@evil.example.com' },
    { url: 'https://api.example.com:8443/v1' },
    { url: 'http://api.example.com/v1' },
    { url: 'https://api.example.com/v1', uri: 'https://evil.example.com' },
    { url: '//evil.example.com', baseURL: 'https://api.example.com' },
    { url: 'v1/invoice' },
    {},
  ])(
    'requests by the HTTP Request node are refused for %j, and the message names the allowed host',
    async (request) => {
      await expect(to(request)).rejects.toThrow(/nothing was sent.* only to https:\/\/api\.example\.com\./);
    },
  );

  test.each(['', 'nowhere', 'http://api.example.com'])(
    'requests by the HTTP Request node are refused while the base URL is %j',
    async (base) => {
      await expect(to({ url: base === '' ? 'https://api.example.com' : base }, base)).rejects.toThrow(/https address/);
    },
  );
});

test.each([key, { authMethod: 'apiToken', apiToken: ' Basic bWU6eW91 ' }, { authMethod: 'apiKey', merchantId: 5 }])(
  'builds the same token in the credential test from %j',
  async (values) => {
    expect(await sent(values)).toMatchObject({ authorization: authorization(values) });
  },
);

test.each([
  ['production', 'https://api-test.example.com', 'testAddressNotice', true],
  ['production', 'https://sandbox.example.com', 'testAddressNotice', true],
  ['production', 'https://api.example.com', 'testAddressNotice', false],
  ['production', 'https://latest.example.com', 'testAddressNotice', false],
  ['test', 'https://api-test.example.com', 'testAddressNotice', false],
  ['test', 'https://api.example.com/production', 'productionAddressNotice', true],
  ['test', 'https://api.example.com', 'productionAddressNotice', false],
  ['production', 'https://live.example.com', 'productionAddressNotice', false],
])('the notice about the environment is for %s at %s: %s is %p', (environment, baseUrl, notice, shown) => {
  expect(shows(notice, { environment, baseUrl })).toBe(shown);
});

test.each([
  'https://api.example.com',
  ' https://api.example.com',
  'http://localhost',
  'http://localhost:4010/test',
  'http://127.0.0.1:4010',
  'http://127.1.2.3/x',
  'http://[::1]:4010/test',
  'http://[::1]',
])('the notice about the base URL is hidden for %j, which the node accepts', (baseUrl) => {
  expect(baseUrlProblem(baseUrl.trim())).toBeUndefined();
  expect(shows('baseUrlNotice', { baseUrl })).toBe(false);
});

test.each(['http://api.example.com', 'api.example.com', 'ftp://a', 'http://localhost.example.com', 'http://[::2]/'])(
  'the notice about the base URL is shown for %j, which the node refuses',
  (baseUrl) => {
    expect(baseUrlProblem(baseUrl)).toBeDefined();
    expect(shows('baseUrlNotice', { baseUrl })).toBe(true);
  },
);

test('the notice about the base URL is hidden while the field is empty', () => {
  expect(shows('baseUrlNotice', { baseUrl: '' })).toBe(false);
});

test('uses no regular expressions in display conditions, which n8n evaluates often', () => {
  const conditions = JSON.stringify(credential.properties.map(({ displayOptions }) => displayOptions));
  expect(conditions).not.toMatch(/"regex"/);
});
