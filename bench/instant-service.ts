import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const APPROVED = JSON.stringify({ rcode: '000', message: 'Approved', pg_id: '426351789012345679' });

/** A service that approves every request at once. */
export async function startInstantService(): Promise<{ baseUrl: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(APPROVED);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
