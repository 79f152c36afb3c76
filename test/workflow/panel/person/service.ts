import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ContractOperation } from '../../../../sandbox/contract/document';
import { readForm } from '../../../../sandbox/server/read-form';
import { document, heldAnswer, validatorOf, type HeldAnswer } from '../../../described-answers';

/** Request and response that the proxy checked against the interface description. */
export interface Seen {
  method: string;
  /** Path of the URL after the service's base path. */
  target: string;
  operationId: string;
  path: Record<string, string>;
  query: Record<string, string | string[]>;
  body: unknown;
  problems: string[];
  /** Result of checking the response. Undefined for an operation outside the interface description. */
  answer?: HeldAnswer;
}

const escaped = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const routes = document.operations.map((operation) => {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const pattern = operation.path
    .split(/\{\w+\}/)
    .map(escaped)
    .join('([^/]+)');
  return { operation, names, pattern: new RegExp(`^${pattern}$`) };
});

function routeOf(
  method: string,
  path: string,
): { operation: ContractOperation; path: Record<string, string> } | undefined {
  // Prefers the path with the fewest variable segments.
  const [found] = routes
    .filter(({ operation, pattern }) => operation.method === method && pattern.test(path))
    .sort((one, other) => one.names.length - other.names.length);
  if (!found) return undefined;
  const values = found.pattern.exec(path) ?? [];
  return {
    operation: found.operation,
    path: Object.fromEntries(found.names.map((name, index) => [name, decodeURIComponent(values[index + 1] ?? '')])),
  };
}

function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const all = search.getAll(name);
      return [name, all.length > 1 ? all : (all[0] ?? '')];
    }),
  );
}

async function readBody(content: Buffer, type = ''): Promise<unknown> {
  if (type.startsWith('multipart/')) return await readForm(content, type);
  return content.length === 0 ? undefined : JSON.parse(content.toString());
}

function seen(method: string, url: string, body: unknown, answer: { status: number; text: string }): Seen {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const query = queryOf(searchParams);
  const writes = method !== 'GET';
  const target = pathname.replace(/^\/test/, '');
  const route = routeOf(method, target);
  // Accepts reads of unknown paths, because the interface description lacks some lists.
  if (!route)
    return {
      method,
      target,
      operationId: pathname,
      path: {},
      query,
      body,
      problems: writes ? ['is no operation'] : [],
    };
  const { operation, path } = route;
  const validator = validatorOf(operation);
  const problems = [
    // The service documents no maximum length of IDs.
    ...validator.parameters('path', { ...path }).filter(({ rule }) => rule !== 'maximum'),
    ...validator.parameters('query', structuredClone(query)),
    ...validator.body(body),
  ].map(({ field, message }) => `${field || 'body'} ${message}`);
  const held = heldAnswer(operation, answer.status, answer.text);
  const { operationId } = operation;
  return { method, target, operationId, path, query, body, problems, answer: held };
}

/** Proxy that records all requests to the service. */
export type Recorder = Awaited<ReturnType<typeof startRecorder>>;

/** Starts a proxy that checks each request and response against the interface description. */
export async function startRecorder(sandboxPort: number) {
  const passed: Seen[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const content = await contentOf(request);
    const { method = '', headers, url: path = '' } = request;
    const back = async (answer: IncomingMessage) => {
      const { statusCode: status = 500 } = answer;
      const given = (await contentOf(answer)).toString();
      passed.push(seen(method, path, await readBody(content, headers['content-type']), { status, text: given }));
      response.writeHead(status, answer.headers).end(given);
    };
    const own = { ...headers, host: `127.0.0.1:${sandboxPort}` };
    const to = { host: '127.0.0.1', port: sandboxPort, method, headers: own, path };
    forward(to, (answer) => void back(answer)).end(content);
  };
  const server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    passed: () => passed.splice(0),
    baseUrl: `http://127.0.0.1:${port}/test`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function contentOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
