import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const APPROVED = JSON.stringify({ rcode: '000', message: 'Approved', pg_id: '426351789012345679' });

export interface InstantService {
  baseUrl: string;
  delay: (milliseconds: number) => void;
  stop: () => Promise<void>;
}

/** Starts a service that approves every request after a configurable delay. */
export async function startInstantService(): Promise<InstantService> {
  let waits = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const answer = () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(APPROVED);
      };
      if (waits === 0) answer();
      else void sleep(waits).then(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    delay: (milliseconds) => (waits = milliseconds),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
