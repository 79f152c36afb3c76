import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The node refuses a response with the pg_id of another item. */
const approved = (number: number) => `{"rcode":"000","message":"Approved","pg_id":"pg${number}"}`;

export interface InstantService {
  baseUrl: string;
  delay: (milliseconds: number) => void;
  stop: () => Promise<void>;
}

/** Starts a service that approves every request after a configurable delay. */
export async function startInstantService(): Promise<InstantService> {
  let waits = 0;
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const answer = () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(approved((count += 1)));
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
