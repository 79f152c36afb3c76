import { request } from 'node:http';

import { startSandbox, type Sandbox } from '../../sandbox';

describe("The sandbox's test controls", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 });
  });
  afterAll(async () => await sandbox.stop());

  const send = async (method: string, path: string, headers: Record<string, string>, body = '') =>
    await sendTo(`${new URL(sandbox.controlUrl).pathname}${path}`, headers, method, body);
  const sendTo = async (path: string, headers: Record<string, string>, method = 'GET', body = '') =>
    await new Promise<number>((resolve, reject) => {
      const sent = request(`http://127.0.0.1:${sandbox.port}${path}`, { method, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', reject).end(body);
    });
  const own = (name: string) => `${name}:${sandbox.port}`;
  const faults = () => sandbox.control.faults().length;
  const FAULT = JSON.stringify({ kind: 'status' });
  const JSON_TYPE = { 'content-type': 'application/json' };

  test.each(['127.0.0.1', 'localhost', 'LOCALHOST'])('the test controls respond at %s', async (name) => {
    expect(await send('GET', '/clock', { host: own(name) })).toBe(200);
  });

  test('the test controls respond to a page of the sandbox', async () => {
    const headers = { host: own('localhost'), origin: `http://${own('localhost')}`, ...JSON_TYPE };
    expect(await send('POST', '/faults', headers, FAULT)).toBe(200);
    expect(await send('DELETE', '/faults', headers)).toBe(200);
  });

  test.each([
    ['a name that points at this computer', 'attacker.example'],
    ['one that begins as an own name', 'localhost.attacker.example'],
    ['one that ends as an own name', 'x.localhost'],
  ])('the test controls are inaccessible at %s', async (_what, name) => {
    expect(await send('GET', '/state', { host: own(name) })).toBe(403);
    expect(await send('POST', '/faults', { host: own(name), ...JSON_TYPE }, FAULT)).toBe(403);
    expect(faults()).toBe(0);
  });

  test('the interface and the hosted pages refuse unknown host names', async () => {
    for (const path of [
      '/test/platform/vault/customer',
      '/production/pg/tokenize',
      '/test/hosted/invoice/x',
      '/',
      '/x',
    ])
      expect([path, await sendTo(path, { host: own('attacker.example') })]).toEqual([path, 403]);
    expect(await sendTo('/test/platform/vault/customer', { host: own('localhost') })).toBe(401);
    expect(sandbox.control.journal({ operationId: 'browseCustomers' })).toHaveLength(1);
  });

  test('the test controls refuse requests for another port', async () => {
    expect(await send('POST', '/reset', { host: '127.0.0.1:1' })).toBe(403);
    expect(await send('POST', '/reset', { host: '127.0.0.1' })).toBe(403);
  });

  test.each(['https://attacker.example', 'null', 'http://127.0.0.1:1', 'http://localhost'])(
    'the test controls refuse a form from a page of %s',
    async (origin) => {
      const headers = { host: own('127.0.0.1'), origin, 'content-type': 'text/plain' };
      const before = sandbox.control.journal().length;
      expect(await send('POST', '/reset', headers)).toBe(403);
      expect(await send('POST', '/faults', { ...headers, ...JSON_TYPE }, FAULT)).toBe(403);
      expect(await send('PUT', '/rate-limit', { ...headers, ...JSON_TYPE }, '{"perSecond":1}')).toBe(403);
      expect([faults(), sandbox.control.journal().length]).toEqual([0, before]);
    },
  );
});
