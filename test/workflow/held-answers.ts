import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import type { CredentialData } from '../credential';

export interface HeldAnswers {
  credential: CredentialData;
  stop: () => Promise<void>;
}

/** Starts a proxy that delays each response for which `holds` returns true. */
export async function holdAnswers(
  credential: CredentialData,
  milliseconds: number,
  holds: (body: IDataObject, nth: number) => boolean,
): Promise<HeldAnswers> {
  const base = new URL(String(credential.baseUrl));
  let writes = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = Buffer.concat(chunks);
      const isWrite = request.method !== 'GET';
      if (isWrite) writes += 1;
      const isHeld = isWrite && holds(JSON.parse(sent.toString('utf8') || '{}') as IDataObject, writes);
      const { method, headers } = request;
      const { hostname: host, port } = base;
      const own = { host, port, method, path: request.url, headers: { ...headers, host: base.host } };
      const onward = forward(own, (answer) => {
        const pass = () => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        };
        if (isHeld) setTimeout(pass, milliseconds);
        else pass();
      });
      onward.on('error', () => response.socket?.destroy());
      onward.end(sent);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    credential: { ...credential, baseUrl: `http://127.0.0.1:${port}${base.pathname}` },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
