import { NodeHelpers, type ICredentialDataDecryptedObject, type INodeParameters } from 'n8n-workflow';

import { PaymentPlatformApi } from '../../credentials/PaymentPlatformApi.credentials';
import { authorization, baseUrlProblem } from '../../nodes/PaymentPlatform/pipeline/account';

const credential = new PaymentPlatformApi();
const key: ICredentialDataDecryptedObject = { authMethod: 'apiKey', merchantId: ' 123 ', apiKey: ' k€y ' };

const sent = async (values: ICredentialDataDecryptedObject) =>
  (await credential.authenticate(values, { url: 'https://a', headers: { accept: 'text' } })).headers;

const shows = (name: string, values: INodeParameters) => {
  const property = credential.properties.find((one) => one.name === name);
  return property && NodeHelpers.displayParameter(values, property, null, null);
};

describe('The token of a request', () => {
  test('is formed from the merchant ID and the key', async () => {
    const token = Buffer.from('123:k€y', 'utf8').toString('base64');
    expect(await sent(key)).toEqual({ accept: 'text', authorization: `Basic ${token}` });
  });

  test.each(['bWU6eW91', ' bWU6eW91 ', 'Basic bWU6eW91', 'basic  bWU6eW91'])(
    'is %j as it was issued',
    async (apiToken) => {
      expect(await sent({ authMethod: 'apiToken', apiToken })).toMatchObject({ authorization: 'Basic bWU6eW91' });
    },
  );

  test('is formed of a merchant ID that is a number, and of nothing without an error', async () => {
    expect(await sent({ ...key, merchantId: 123 })).toEqual(await sent(key));
    expect(await sent({ authMethod: 'apiKey' })).toMatchObject({ authorization: `Basic ${btoa(':')}` });
  });

  test('is only in the copy that is sent', async () => {
    const request = { url: 'https://a', headers: { accept: 'text' } };
    await credential.authenticate(key, request);
    expect(request).toEqual({ url: 'https://a', headers: { accept: 'text' } });
  });
});

test.each([key, { authMethod: 'apiToken', apiToken: ' Basic bWU6eW91 ' }, { authMethod: 'apiKey', merchantId: 5 }])(
  'the test of the credential makes the same token of %j',
  async (values) => {
    expect(await sent(values)).toMatchObject({ authorization: authorization(values) });
  },
);

describe('The notice about the environment', () => {
  test.each([
    ['production', 'https://api-test.example.com', 'testAddressNotice', true],
    ['production', 'https://sandbox.example.com', 'testAddressNotice', true],
    ['production', 'https://api.example.com', 'testAddressNotice', false],
    ['production', 'https://latest.example.com', 'testAddressNotice', false],
    ['test', 'https://api-test.example.com', 'testAddressNotice', false],
    ['test', 'https://api.example.com/production', 'productionAddressNotice', true],
    ['test', 'https://api.example.com', 'productionAddressNotice', false],
    ['production', 'https://live.example.com', 'productionAddressNotice', false],
  ])('%s at %s: %s is %p', (environment, baseUrl, notice, shown) => {
    expect(shows(notice, { environment, baseUrl })).toBe(shown);
  });
});

describe('The notice about the base URL', () => {
  test.each([
    'https://api.example.com',
    ' https://api.example.com',
    'http://localhost',
    'http://localhost:4010/test',
    'http://127.0.0.1:4010',
    'http://127.1.2.3/x',
    'http://[::1]:4010/test',
    'http://[::1]',
  ])('is hidden at %j, which the node accepts', (baseUrl) => {
    expect(baseUrlProblem(baseUrl.trim())).toBeUndefined();
    expect(shows('baseUrlNotice', { baseUrl })).toBe(false);
  });

  test.each(['http://api.example.com', 'api.example.com', 'ftp://a', 'http://localhost.example.com', 'http://[::2]/'])(
    'is shown at %j, which the node refuses',
    (baseUrl) => {
      expect(baseUrlProblem(baseUrl)).toBeDefined();
      expect(shows('baseUrlNotice', { baseUrl })).toBe(true);
    },
  );

  test('is hidden while nothing is entered', () => {
    expect(shows('baseUrlNotice', { baseUrl: '' })).toBe(false);
  });
});

test('n8n, which asks for display conditions with every reading, runs no regular expression for them', () => {
  const conditions = JSON.stringify(credential.properties.map(({ displayOptions }) => displayOptions));
  expect(conditions).not.toMatch(/"regex"/);
});
