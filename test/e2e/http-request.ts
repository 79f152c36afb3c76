import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Host } from './host';
import { inLine, node } from './workflows';

/** Authorization header of each request to a server, by path. */
type Seen = Record<string, string | undefined>;

async function startServer(redirectTo?: string): Promise<{ server: Server; seen: Seen; baseUrl: string }> {
  const seen: Seen = {};
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    seen[url] = headers.authorization ?? 'none';
    if (url === '/redirect') response.writeHead(302, { location: `${redirectTo}/redirected` }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, seen, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Declares the test of n8n's HTTP Request node with the credential. */
export function describeHttpRequest(shared: () => Host): void {
  describe('requests of other nodes', () => {
    test("sends the credential's token with HTTP Request only to the host of the base URL", async () => {
      const other = await startServer();
      const own = await startServer(other.baseUrl.replace('127.0.0.1', 'localhost'));
      const host = shared();
      const name = 'Other service';
      const id = await host.rest.saveCredential(name, { ...host.credential, baseUrl: own.baseUrl });
      try {
        const request = async (url: string) => {
          const start = node('Start', 'n8n-nodes-base.manualTrigger');
          const parameters = {
            url,
            authentication: 'predefinedCredentialType',
            nodeCredentialType: 'paymentPlatformApi',
          };
          const credentials = { paymentPlatformApi: { id, name } };
          const http = node('Request', 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2, credentials });
          const nodes = [start, http];
          const workflow = { name: url, nodes, connections: inLine('Start', 'Request'), settings: {} };
          const { status, data } = await host.rest.execute(await host.rest.saveWorkflow(workflow));
          return { status, said: data.resultData.error?.message ?? '' };
        };
        expect((await request(`${own.baseUrl}/invoice`)).status).toBe('success');
        const refused = await request(`${other.baseUrl}/invoice`);
        await request(`${own.baseUrl}/redirect`);
        expect(refused).toEqual({ status: 'error', said: expect.stringContaining(`only to ${own.baseUrl}`) as string });
        const token = expect.stringMatching(/^Basic /) as string;
        expect(own.seen).toEqual({ '/invoice': token, '/redirect': token });
        expect(other.seen).toEqual({ '/redirected': 'none' });
      } finally {
        own.server.close();
        other.server.close();
      }
    });
  });
}
