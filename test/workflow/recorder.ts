import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorded {
  method: string;
  url: string;
  headers: Record<string, unknown>;
  text: string;
  body: unknown;
}

/** Starts a server that records the exact bytes of requests and responds with success. */
export async function startRecorder(
  answer: unknown = { code: 0, message: 'Success', data: {}, rcode: '000' },
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
) {
  const requests: Recorded[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      requests.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        text,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      });
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/base`;
  return {
    requests,
    baseUrl,
    credential: { environment: 'test', baseUrl, merchantId: '123456789012', authMethod: 'apiKey', apiKey: 'key-1' },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
