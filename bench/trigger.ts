import axios from 'axios';

import { startHost, type Host } from '../test/e2e/host';
import { Sender } from '../test/e2e/load';
import { inLine, node } from '../test/e2e/workflows';
import { median } from './figures';

const EVENTS = Number(process.env.EVENTS ?? 400);
const PARALLEL = 10;
const ROUNDS = 5;
const JSON_BODY = { 'content-type': 'application/json' };

interface Target {
  name: string;
  url: string;
  headers: (body: string) => Record<string, string>;
}

/** Sends request bodies in parallel. Returns events per second. */
async function round({ url, headers }: Target, bodies: string[]): Promise<number> {
  const startedAt = performance.now();
  const worker = async () => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop())
      await axios.post(url, body, { headers: { ...JSON_BODY, ...headers(body) }, proxy: false });
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return (EVENTS / (performance.now() - startedAt)) * 1000;
}

async function activate(host: Host, name: string, trigger: ReturnType<typeof node>): Promise<void> {
  const nodes = [{ ...trigger, webhookId: name }, node('Done', 'n8n-nodes-base.noOp')];
  const id = await host.rest.saveWorkflow({
    name,
    nodes,
    connections: inLine(trigger.name, 'Done'),
    settings: { executionOrder: 'v1' },
  });
  await host.rest.activate(id);
}

const webhookNode = (path: string, parameters: object = {}, more: Parameters<typeof node>[3] = {}) =>
  node(
    'Webhook',
    'n8n-nodes-base.webhook',
    { httpMethod: 'POST', path, responseMode: 'onReceived', options: {}, ...parameters },
    { typeVersion: 2, ...more },
  );

/** One Webhook node has a credential, as this package's trigger has. */
async function targets(host: Host, sender: Sender): Promise<Target[]> {
  await activate(host, 'plain', webhookNode('plain'));
  const caller = { user: 'bench', password: 'bench-caller' };
  const id = await host.rest.saveCredential('Caller', caller, 'httpBasicAuth');
  const credentials = { httpBasicAuth: { id, name: 'Caller' } };
  await activate(host, 'basic', webhookNode('basic', { authentication: 'basicAuth' }, { credentials }));
  const basic = `Basic ${Buffer.from(`${caller.user}:${caller.password}`).toString('base64')}`;
  return [
    { name: "n8n's Webhook node, without any check", url: `${host.n8n.baseUrl}/webhook/plain`, headers: () => ({}) },
    {
      name: "n8n's Webhook node with Basic Auth",
      url: `${host.n8n.baseUrl}/webhook/basic`,
      headers: () => ({ authorization: basic }),
    },
    {
      name: 'Payment Platform Trigger: credentials, signature, once',
      url: sender.url,
      headers: (body) => sender.headers(body),
    },
  ];
}

async function main(): Promise<void> {
  const host = await startHost();
  try {
    const sender = await Sender.activate(host);
    const all = await targets(host, sender);
    const results = all.map(() => [] as number[]);
    // The first round is a warm-up. Each round runs all targets in turn.
    for (let index = 0; index <= ROUNDS; index += 1)
      for (const [which, target] of all.entries()) {
        const perSecond = await round(
          target,
          sender.next(EVENTS).map(({ body }) => body),
        );
        if (index > 0) results[which]?.push(perSecond);
      }
    const medians = results.map(median);
    for (const [which, { name }] of all.entries())
      process.stdout.write(
        `${name}: ${medians[which]?.toFixed(0)} events/s (${results[which]?.map((value) => value.toFixed(0)).join(', ')})\n`,
      );
    const [plain = 1, basic = 1, own = 0] = medians;
    process.stdout.write(
      `ratio: ${(own / basic).toFixed(2)} with Basic Auth, ${(own / plain).toFixed(2)} without any check\n`,
    );
  } finally {
    await host.stop();
  }
}

void main();
