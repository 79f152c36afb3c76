import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorded {
  method: string;
  url: string;
  headers: Record<string, unknown>;
  text: string;
  body: unknown;
}

/** IDs that the responses to create requests contain. */
const IDS = {
  pg_id: 'p1',
  card_id: 'c1',
  checkout_id: 'k1',
  customer_id: 'C1',
  invoice_id: 1,
  payment_id: 1,
  payee_id: '1',
  plan_id: 1,
  request_id: '1',
  subscription_id: 1,
  webhook_id: 1,
};

/** Returns a successful response with all IDs. An ID in the request stays the same. */
function success({ url, text }: Recorded): object {
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  const [, resource = '', id] = /\/(customer|invoice|subscription|webhook|payee)\/(?:account\/)?(\w+)/.exec(url) ?? [];
  const named = Object.entries(body).filter(([name]) => name in IDS);
  const ids = { ...IDS, ...(id !== undefined && { [`${resource}_id`]: id }), ...Object.fromEntries(named) };
  return { code: 0, message: 'Success', data: ids, rcode: '000', ...ids };
}

/** Returns the body of a response, or `undefined` if the function handles the response itself. */
export type Respond = (request: Recorded, response: ServerResponse) => unknown;

/** Starts a server that records the exact bytes of requests. Responds with success or the given response. */
export async function startRecorder(
  answer?: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
) {
  const requests: Recorded[] = [];
  const respond: Respond = typeof answer === 'function' ? (answer as Respond) : (request) => answer ?? success(request);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const recorded = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        text,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
      requests.push(recorded);
      const body = respond(recorded, response);
      if (body === undefined) return;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
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

/** Starts a recorder for all tests of a file. */
export function recorderForFile(answer?: unknown): Omit<Awaited<ReturnType<typeof startRecorder>>, 'stop'> {
  let started: Awaited<ReturnType<typeof startRecorder>> | undefined;
  beforeAll(async () => {
    started = await startRecorder(answer);
  });
  afterAll(async () => await started?.stop());
  const running = () => {
    if (!started) throw new Error('The recorder runs while tests do');
    return started;
  };
  return {
    get requests() {
      return running().requests;
    },
    get baseUrl() {
      return running().baseUrl;
    },
    get credential() {
      return running().credential;
    },
  };
}
