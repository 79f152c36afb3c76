import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One part of a received form: a text, or a file with its content as text. */
export type Part = string | { fileName: string; mimeType: string; content: string };

export interface Form {
  method: string;
  url: string;
  parts: Array<[string, Part]>;
}

const SUCCESS = { code: 0, message: 'Success', data: { rec_id: 7 } };

/**
 * Starts a server that reads forms with Node.js's parser, which is independent of the node's encoder.
 * @param broken number of first requests per path whose connection is cut after reading.
 */
export async function startFormService(broken: Record<string, number> = {}) {
  const forms: Form[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      const type = request.headers['content-type'] ?? '';
      void partsOf(Buffer.concat(chunks), type).then((parts) => {
        forms.push({ method, url, parts });
        const left = broken[url] ?? 0;
        broken[url] = left - 1;
        if (left > 0) return request.socket.destroy();
        return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(SUCCESS));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    forms,
    broken,
    baseUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function partsOf(content: Buffer, type: string): Promise<Form['parts']> {
  const form = await new Response(content, { headers: { 'content-type': type } }).formData();
  return await Promise.all(
    [...form.entries()].map(async ([name, value]): Promise<[string, Part]> => [
      name,
      typeof value === 'string'
        ? value
        : { fileName: value.name, mimeType: value.type, content: Buffer.from(await value.arrayBuffer()).toString() },
    ]),
  );
}
