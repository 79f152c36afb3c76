import { createHmac } from 'node:crypto';

import axios from 'axios';

import type { Host } from '../test/e2e/host';
import { startHost } from '../test/e2e/host';
import { inLine, node, own } from '../test/e2e/workflows';

/** Events in one round, and how many are on their way at the same time. */
const EVENTS = Number(process.env.EVENTS ?? 400);
const PARALLEL = 10;
const ROUNDS = 5;

interface Target {
  name: string;
  url: string;
  /** The headers that the service would send with these bytes. */
  headers: (body: string) => Record<string, string>;
}

let sequence = 0;

/** Events per second: from the first request to the last answer. */
async function round({ url, headers }: Target): Promise<number> {
  const bodies = Array.from({ length: EVENTS }, () => {
    sequence += 1;
    return JSON.stringify({
      webhook_id: 1,
      db_timestamp: '2026-01-01 00:00:00',
      event: 'invoice_paid',
      is_test: true,
      data: { invoice_id: sequence },
    });
  });
  const startedAt = performance.now();
  const worker = async () => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop())
      await axios.post(url, body, { headers: { 'content-type': 'application/json', ...headers(body) }, proxy: false });
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

/** The one that a person would build with n8n's own nodes has a credential too; n8n looks it up for every execution. */
async function targets(host: Host): Promise<Target[]> {
  await activate(host, 'plain', webhookNode('plain'));
  const caller = { user: 'bench', password: 'bench-caller' };
  const id = await host.rest.saveCredential('Caller', caller, 'httpBasicAuth');
  const credentials = { httpBasicAuth: { id, name: 'Caller' } };
  await activate(host, 'basic', webhookNode('basic', { authentication: 'basicAuth' }, { credentials }));
  await activate(
    host,
    'own',
    own(host, 'Trigger', { events: ['invoice_paid'] }, { type: `${host.n8n.typePrefix}paymentPlatformTrigger` }),
  );
  const { control } = host.sandbox;
  while (control.state().webhooks.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const webhook = control.state().webhooks[0];
  const { security_key, auth_settings } = control.webhookSecrets(webhook?.webhook_id ?? 0);
  const basic = (user = '', password = '') => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return [
    { name: "n8n's Webhook node, without any check", url: `${host.n8n.baseUrl}/webhook/plain`, headers: () => ({}) },
    {
      name: "n8n's Webhook node with Basic Auth",
      url: `${host.n8n.baseUrl}/webhook/basic`,
      headers: () => ({ authorization: basic(caller.user, caller.password) }),
    },
    {
      name: 'Payment Platform Trigger: credentials, signature, once',
      url: webhook?.notification_url ?? '',
      headers: (body) => ({
        authorization: basic(auth_settings?.user_name, auth_settings?.user_password),
        'x-bench-webhook-signature': createHmac('sha256', security_key).update(body).digest('base64'),
      }),
    },
  ];
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function main(): Promise<void> {
  const host = await startHost();
  try {
    const all = await targets(host);
    const results = all.map(() => [] as number[]);
    // One round to warm up; then in turn, so that all see the same machine.
    for (let index = 0; index <= ROUNDS; index += 1)
      for (const [which, target] of all.entries()) {
        const perSecond = await round(target);
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
