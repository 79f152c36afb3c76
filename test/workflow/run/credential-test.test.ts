import '../harness';

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CredentialTestContext } from 'n8n-core/dist/execution-engine/node-execution-context/credentials-test-context';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import { PaymentPlatformTrigger } from '../../../nodes/PaymentPlatform/PaymentPlatformTrigger.node';
import { sandboxForFile } from '../sandbox';
import { credentialFor, type CredentialData } from '../../credential';

const sandbox = sandboxForFile();

const { methods } = new PaymentPlatform();

async function tested(more: CredentialData = {}, base = credentialFor(sandbox)) {
  const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
  const data = { ...base, ...more };
  return await methods.credentialTest.paymentPlatformApiTest.call(context, { id: '1', name: 'A', type: 'b', data });
}

test.each([new PaymentPlatform(), new PaymentPlatformTrigger()])(
  'declares the test of the credential in $description.name, because n8n uses the first node with the credential',
  (node) => {
    const names = (node.description.credentials ?? []).map(({ testedBy }) => testedBy);
    expect(names).toEqual(Object.keys(node.methods.credentialTest));
  },
);

test.each(['test', 'production'] as const)(
  'accepts a %s credential whose transactions confirm the environment',
  async (environment) => {
    const label = environment === 'test' ? 'Test' : 'Production';
    const expected = { status: 'OK', message: `Connection successful. The environment is ${label}.` };
    expect(await tested({}, credentialFor(sandbox, environment))).toEqual(expected);
    const { token } = sandbox.credentials[environment];
    expect(await tested({ authMethod: 'apiToken', apiToken: token }, credentialFor(sandbox, environment))).toEqual(
      expected,
    );
  },
);

test('fails a Test credential that is connected to Production', async () => {
  expect(await tested({ environment: 'test' }, credentialFor(sandbox, 'production'))).toEqual({
    status: 'Error',
    message:
      'Connected, but the approval codes of recent transactions are from Production, where real money moves. Environment is set to Test. Change the Environment, or enter the Base URL, Merchant ID and key of Test.',
  });
});

test('fails a Production credential that is connected to Test', async () => {
  expect(await tested({ environment: 'production' })).toMatchObject({
    status: 'Error',
    message: expect.stringMatching(
      /^Connected, but the approval codes .* are from Test, where no money moves\. Environment is set to Production/,
    ) as string,
  });
});

describe("transactions that don't show the environment", () => {
  const noReport = () =>
    sandbox.control.addFault({ kind: 'status', status: 403, operationId: 'getTransactionRequests' });

  test('fails if the address looks like the other environment', async () => {
    noReport();
    expect(await tested({ environment: 'production' })).toMatchObject({
      status: 'Error',
      message: expect.stringMatching(
        /^Connected, but the Base URL looks like Test \("test"\), where no money moves/,
      ) as string,
    });
  });

  test('passes the credential test without stating an environment', async () => {
    noReport();
    expect(await tested()).toEqual({
      status: 'OK',
      message: 'Connection successful. Environment is set to Test, which the test could not confirm.',
    });
  });
});

test.each([
  [{ merchantId: '12345678901O' }, /^The Merchant ID must be a number of at most 16 digits\.$/],
  [{ apiKey: ' ' }, /^The API Key is empty\.$/],
  [{ authMethod: 'apiToken', apiToken: '' }, /^The API Token is empty\.$/],
  [{ baseUrl: 'http://api.example.com' }, /^The Base URL must start with https:\/\//],
  [{ baseUrl: 'api.example.com' }, /^The Base URL is not a URL/],
])('refuses %j without a request', async (more, message) => {
  const before = sandbox.control.journal().length;
  expect(await tested(more as CredentialData)).toEqual({
    status: 'Error',
    message: expect.stringMatching(message) as string,
  });
  expect(sandbox.control.journal()).toHaveLength(before);
});

test.each([
  [
    { apiKey: 'wrong' },
    /The Merchant ID or the API Key is wrong, or they do not belong to the environment of the Base URL/,
  ],
  [{ authMethod: 'apiToken', apiToken: 'wrong' }, /The Merchant ID or the API Token is wrong/],
])('names the refused secret by its label: %j', async (more, message) => {
  expect(await tested(more as CredentialData)).toEqual({
    status: 'Error',
    message: expect.stringMatching(message) as string,
  });
});

test.each([
  [{ status: 200, body: { code: 11, message: 'no' } }, /API Key is wrong/],
  [{ status: 200, body: { code: 6, message: 'no' } }, /no access to the customer vault/],
  [{ status: 404, body: { code: 7, message: 'no' } }, /this path does not exist/],
  [{ status: 500, body: { code: 99, message: 'no' } }, /The service reported an internal error/],
  [{ status: 429, body: { code: 99, message: 'no' } }, /too busy/],
])('explains %j in plain words', async (answer, message) => {
  sandbox.control.addFault({ kind: 'status', ...answer, calls: [1] });
  expect(await tested()).toEqual({ status: 'Error', message: expect.stringMatching(message) as string });
});

test('names a wrong path', async () => {
  const baseUrl = `${sandbox.baseUrl}/x`;
  expect(await tested({ baseUrl })).toEqual({
    status: 'Error',
    message: `The host responded, but this path does not exist. Check the Base URL. The test used "${baseUrl}".`,
  });
});

test("explains a host that isn't found or refuses the connection", async () => {
  expect(await tested({ baseUrl: 'https://no-such-host.invalid' })).toEqual({
    status: 'Error',
    message:
      'The host name "no-such-host.invalid" could not be resolved. Check the Base URL and the network connection.',
  });
  expect(await tested({ baseUrl: 'http://127.0.0.1:1' })).toEqual({
    status: 'Error',
    message: '"127.0.0.1:1" refused the connection. Check the Base URL.',
  });
});

describe('another service at the address', () => {
  let server: Server;
  let answer: { status: number; headers?: Record<string, string>; body: string };
  let asked: string[];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => server.close());
  const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  test.each([
    [{ status: 200, body: '<html></html>' }, /not the payment service/],
    [{ status: 200, body: '{}' }, /not the payment service/],
    [{ status: 302, headers: { location: '/elsewhere' }, body: '' }, /redirects to another address/],
  ])('refuses %j, and follows no redirect', async (given, message) => {
    answer = given;
    expect(await tested({ baseUrl: baseUrl() })).toEqual({
      status: 'Error',
      message: expect.stringMatching(message) as string,
    });
    expect(asked).toHaveLength(1);
  });

  test('explains a missing https', async () => {
    const { host } = new URL(baseUrl());
    expect((await tested({ baseUrl: `https://${host}` })).message).toContain(
      `The HTTPS connection to "${host}" failed`,
    );
  });
});
