import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CredentialTestContext } from 'n8n-core/dist/execution-engine/node-execution-context/credentials-test-context';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import { credentialFor, type CredentialData } from '../../credential';
import { sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';

const sandbox = sandboxForFile();
let proxy: Server;
let proxied: string[];
const record = ({ method, url, headers }: IncomingMessage) =>
  void proxied.push(`${method} ${url} ${headers.authorization ?? 'no token'}`);

beforeAll(async () => {
  proxy = createServer((request, response) => {
    record(request);
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    record(request);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(() => proxy.close());

const NAMES = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'npm_config_http_proxy', 'npm_config_proxy'];
const VARIABLES = [...NAMES, ...NAMES.map((name) => name.toUpperCase()), 'N8N_BLOCK_ENV_ACCESS_IN_NODE'];
const before = VARIABLES.map((name) => [name, process.env[name]] as const);
const restore = () => {
  for (const [name, value] of before)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
};
beforeEach(() => {
  proxied = [];
  for (const name of VARIABLES.slice(0, -1)) delete process.env[name];
});
afterEach(restore);

const proxyUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
const list = { resource: 'customer', operation: 'getAll', limit: 1, options: { sending: { maxTries: 1 } } };
const create = { resource: 'customer', operation: 'create', customer_id: 'C7', customer_firm_name: 'Silva & Söhne' };
const run = async (credential: CredentialData, parameters: object = list) =>
  await runWorkflow({ rows: [{}], parameters: parameters as never, credential });
const testCredential = async (data: CredentialData) => {
  const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
  const { methods } = new PaymentPlatform();
  return await methods.credentialTest.paymentPlatformApiTest.call(context, { id: '1', name: 'A', type: 'b', data });
};

describe.each([
  ...['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy', 'npm_config_http_proxy', 'npm_config_proxy'].map(
    (name) => ({ name }),
  ),
  { name: 'HTTP_PROXY', blocked: true },
])(
  'with a proxy in $name (environment blocked for nodes: $blocked)',
  ({ name, blocked = false }: { name: string; blocked?: boolean }) => {
    beforeEach(() => {
      process.env[name] = proxyUrl();
      process.env.N8N_BLOCK_ENV_ACCESS_IN_NODE = String(blocked);
    });

    test.each(['127.0.0.1', 'localhost'])('n8n connects to a local service at %s directly', async (host) => {
      const credential = credentialFor(sandbox);
      const local = { ...credential, baseUrl: credential.baseUrl?.replace('127.0.0.1', host) ?? '' };
      for (const parameters of [list, create]) {
        const { items, error } = await run(local, parameters);
        expect([error?.message, items.length]).toEqual([undefined, 1]);
      }
      expect(await testCredential(local)).toMatchObject({ status: 'OK' });
      expect(proxied).toEqual([]);
    });
  },
);

test('a proxy gets no token for a service with https', async () => {
  process.env.HTTPS_PROXY = proxyUrl();
  const credential = { ...credentialFor(sandbox), baseUrl: 'https://pay.invalid' };
  expect((await run(credential)).error).toBeDefined();
  await testCredential(credential);
  expect(proxied.length).toBeGreaterThan(0);
  expect(proxied.filter((line) => line !== 'CONNECT pay.invalid:443 no token')).toEqual([]);
});
