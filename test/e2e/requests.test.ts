import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import fc from 'fast-check';
import { NodeConnectionTypes, type IDataObject } from 'n8n-workflow';

import { itemsOf } from '../../host/rest';
import { readDirectly } from '../../nodes/PaymentPlatform/n8n/read-parameter';
import type { FaultRule } from '../../sandbox';
import { itemAndExpression } from '../workflow/item-fields';
import { CREDENTIAL, PASSWORD, startHost, version, type Host } from './host';
import { inLine, node, own, rowsInto, rowsNodes } from './workflows';

/** Expressions that the node can evaluate without n8n, with the expected values. */
const direct = fc.sample(itemAndExpression, 4000).flatMap(({ json: sample, expression }, index) => {
  // n8n's items are JSON, which doesn't distinguish -0 from 0.
  const json = JSON.parse(JSON.stringify(sample)) as IDataObject;
  const name = `item${index}`;
  const value = readDirectly(expression, () => json);
  // Excludes plain text and expressions that only n8n can evaluate.
  if (typeof value === 'object' || value === undefined || value === expression) return [];
  return [{ name, json, value, expression: expression.replace('$json', `$json.${name}`) }];
});

type Seen = Record<string, string | undefined>;

async function startServer(redirectTo?: string): Promise<{ server: Server; seen: Seen; baseUrl: string }> {
  const seen: Seen = {};
  const server = createServer((request, response) => {
    const { headers } = request;
    // A proxy receives the whole URL.
    const url = (request.url ?? '').replace(/^http:\/\/[^/]+/, '');
    seen[url] = headers.authorization ?? 'none';
    if (url === '/redirect') response.writeHead(302, { location: `${redirectTo}/redirected` }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, seen, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** PDF with random bytes that is larger than one network packet. */
const EVIDENCE = Buffer.concat([Buffer.from('%PDF-1.7\r\n--'), randomBytes(300_000), Buffer.from('\r\n%%EOF')]);

describe(`Requests in ${version}`, () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost({ env: { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' } });
  });
  afterAll(async () => await host.stop());

  test('the node and n8n evaluate an expression for an item field to equal values', async () => {
    const row = Object.fromEntries(direct.map(({ name, json }) => [name, json]));
    const assignments = direct.map(({ name, value, expression }) => ({
      ...{ id: name, name, type: typeof value, value: expression },
    }));
    const fields = node(
      'Fields',
      'n8n-nodes-base.set',
      { mode: 'manual', assignments: { assignments }, includeOtherFields: false, options: {} },
      { typeVersion: 3.4 },
    );
    const workflowId = await host.rest.saveWorkflow(rowsInto('fields', [row as IDataObject], fields));
    const execution = await host.rest.execute(workflowId);
    const [evaluated] = itemsOf(execution, 'Fields');
    expect(direct.length).toBeGreaterThan(200);
    expect(evaluated).toEqual(Object.fromEntries(direct.map(({ name, value }) => [name, value])));
  });

  test("the HTTP Request node sends the credential's token only to the host of the base URL", async () => {
    const other = await startServer();
    const service = await startServer(other.baseUrl.replace('127.0.0.1', 'localhost'));
    const name = 'Other service';
    const id = await host.rest.saveCredential(name, { ...host.credential, baseUrl: service.baseUrl });
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
      expect((await request(`${service.baseUrl}/invoice`)).status).toBe('success');
      const refused = await request(`${other.baseUrl}/invoice`);
      await request(`${service.baseUrl}/redirect`);
      expect(refused).toEqual({
        status: 'error',
        said: expect.stringContaining(`only to ${service.baseUrl}`) as string,
      });
      const token = expect.stringMatching(/^Basic /) as string;
      expect(service.seen).toMatchObject({ '/invoice': token, '/redirect': token });
      // If a local service is its own proxy, n8n sends the redirected request to the service.
      expect({ ...service.seen, ...other.seen }['/redirected']).toBe('none');
      expect(Object.values(other.seen).join()).not.toContain('Basic');
    } finally {
      service.server.close();
      other.server.close();
    }
  });

  /** Each version of n8n wraps network errors differently. */
  describe('The outcome of a refund', () => {
    afterAll(async () => void (await host.rest.saveCredential(CREDENTIAL, host.credential)));

    async function failure(pgId: string, baseUrl = host.credential.baseUrl): Promise<IDataObject> {
      await host.rest.saveCredential(CREDENTIAL, { ...host.credential, baseUrl });
      const parameters = {
        resource: 'transaction',
        operation: 'refund',
        pg_id: { __rl: true, mode: 'id', value: pgId },
        amt_tran: 1,
        options: { sending: { timeout: 5, maxTries: 2 }, unknownOutcome: 'refuse' },
      };
      const refund = own(host, 'Refund', parameters, { onError: 'continueRegularOutput' });
      const id = await host.rest.saveWorkflow(rowsInto('Outcome', [{}], refund));
      const [item] = itemsOf(await host.rest.execute(id), 'Refund');
      return item?.error as IDataObject;
    }

    test.each([
      ['a port without a server', 'http://localhost:1', 'nothing responds at this address (econnrefused)'],
      ['the same with TLS', 'https://localhost:1', 'nothing responds at this address (econnrefused)'],
      ['an unknown host', 'https://nobody.invalid', 'no host has this name (enotfound)'],
    ])(
      'the node retries a request that never reached %s and reports the request as not sent',
      async (_, baseUrl, why) => {
        expect(await failure('123', baseUrl)).toMatchObject({
          outcome: 'notSent',
          message: `The node could not reach the service, because ${why}`,
          tries: 2,
        });
      },
    );

    test.each<FaultRule>([
      { kind: 'reset_before_apply' },
      { kind: 'reset_after_apply' },
      { kind: 'truncated_json' },
      { kind: 'html_error_page' },
      { kind: 'timeout' },
      { kind: 'drip' },
    ])('the node reports an unknown outcome after the fault $kind and sends the request once', async (fault) => {
      const { control } = host.sandbox;
      control.reset();
      const [sale = ''] = control.addCapturedSales({ count: 1, amountCents: 1000 });
      control.addFault({ ...fault, operationId: 'refund' });
      const { outcome, tries } = await failure(sale);
      expect({ outcome, tries }).toEqual({ outcome: 'unknown', tries: undefined });
      expect(control.journal({ operationId: 'refund' })).toHaveLength(1);
    });

    test('items with an invalid credential go to the error output', async () => {
      host.sandbox.control.reset();
      await host.rest.saveCredential(CREDENTIAL, { ...host.credential, baseUrl: 'http://api.example.com' });
      const parameters = { resource: 'transaction', operation: 'refund', pg_id: '={{ $json.id }}', amt_tran: 1 };
      const refund = own(host, 'Refund', parameters, { onError: 'continueErrorOutput' });
      const workflow = rowsInto('Error output', [{ id: 'a' }, { id: 'b' }], refund);
      for (const name of ['Done', 'Failed']) workflow.nodes.push(node(name, 'n8n-nodes-base.noOp'));
      const to = (name: string) => [{ node: name, type: NodeConnectionTypes.Main, index: 0 }];
      workflow.connections.Refund = { main: [to('Done'), to('Failed')] };
      const execution = await host.rest.execute(await host.rest.saveWorkflow(workflow));
      expect(itemsOf(execution, 'Done')).toEqual([]);
      const message = expect.stringMatching(/credential: the Base URL must start with https/) as string;
      const error = expect.objectContaining({ outcome: 'invalid', message }) as object;
      expect(itemsOf(execution, 'Failed')).toEqual([
        { id: 'a', error },
        { id: 'b', error },
      ]);
      expect(host.sandbox.control.journal()).toHaveLength(0);
    });
  });

  test('a hint states that a record may be missing if one was removed and one was added while the node read the list', async () => {
    const listed = Array.from({ length: 250 }, (_, row) => ({ customer_id: `R${row}` }));
    let requests = 0;
    const server = createServer(({ url = '' }, response) => {
      const query = new URL(url, 'http://service').searchParams;
      const [page, count] = [Number(query.get('page')), Number(query.get('count'))];
      const data = listed.slice(page * count, (page + 1) * count);
      if ((requests += 1) === 1) listed.push({ customer_id: listed.shift() ? 'NEW' : '' });
      const totals = { totalRecords: listed.length, totalPages: Math.ceil(listed.length / count) };
      const body = JSON.stringify({ code: 0, message: 'Success', data, ...totals });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await host.rest.saveCredential(CREDENTIAL, { ...host.credential, baseUrl });
      const list = own(host, 'List', { resource: 'customer', operation: 'getAll', returnAll: true });
      const { data } = await host.rest.execute(await host.rest.saveWorkflow(rowsInto('Changing list', [{}], list)));
      const hints = data.resultData.runData.List?.[0]?.hints ?? [];
      expect(hints.map(({ message }) => message).join()).toContain('a record may be missing');
    } finally {
      await host.rest.saveCredential(CREDENTIAL, host.credential);
      server.close();
    }
  });

  test('requests to a local service bypass a proxy', async () => {
    const proxy = await startServer();
    await host.n8n.restart({ HTTP_PROXY: proxy.baseUrl, NO_PROXY: '', no_proxy: '' });
    try {
      await host.rest.signIn(PASSWORD);
      const list = own(host, 'List', { resource: 'customer', operation: 'getAll', limit: 1 });
      const id = await host.rest.saveWorkflow(rowsInto('Proxy', [{}], list));
      expect((await host.rest.execute(id)).status).toBe('success');
      expect(proxy.seen).toEqual({});
    } finally {
      await host.n8n.restart({ HTTP_PROXY: '' });
      await host.rest.signIn(PASSWORD);
      proxy.server.close();
    }
  });

  test('the service receives evidence from a separately stored file once and completely', async () => {
    const nodes = [
      ...rowsNodes([{ content: EVIDENCE.toString('base64') }]),
      own(host, 'Create', {
        resource: 'dispute',
        operation: 'createTestData',
        additionalFields: { reason_code: '13.1' },
      }),
      node(
        'Evidence',
        'n8n-nodes-base.set',
        {
          mode: 'raw',
          jsonOutput: "={{ { rec_id: $json.rec_id, content: $('Rows').item.json.content } }}",
          options: {},
        },
        { typeVersion: 3.4 },
      ),
      node(
        'File',
        'n8n-nodes-base.convertToFile',
        {
          operation: 'toBinary',
          sourceProperty: 'content',
          options: { fileName: 'delivery.pdf', mimeType: 'application/pdf' },
        },
        { typeVersion: 1.1 },
      ),
    ];
    const last = own(host, 'Respond', {
      resource: 'dispute',
      operation: 'respond',
      rec_id: { __rl: true, mode: 'id', value: "={{ $('Create').item.json.rec_id }}" },
      dispute_response: { message: 'Delivered – signed' },
    });
    const names = [...nodes, last].map(({ name }) => name);
    const workflow = {
      name: 'evidence',
      nodes: [...nodes, last],
      connections: inLine(...names),
      settings: { executionOrder: 'v1' },
    };
    const execution = await host.rest.execute(await host.rest.saveWorkflow(workflow));
    const [item] = itemsOf(execution, 'Respond');
    expect(item).toMatchObject({ responded: true });
    const received = host.sandbox.control.journal({ operationId: 'submitDisputesResponse' });
    expect(received.map(({ status }) => status)).toEqual([200]);
    expect(received[0]?.body).toMatchObject({
      file: {
        fileName: 'delivery.pdf',
        mimeType: 'application/pdf',
        bytes: EVIDENCE.length,
        sha256: createHash('sha256').update(EVIDENCE).digest('hex'),
      },
      disputeResponse: '{"message":"Delivered – signed"}',
    });
  });
});
