import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import axios from 'axios';
import type { INode } from 'n8n-workflow';

import { itemsOf } from '../../host/rest';
import { major, startHost, version, type Host } from '../e2e/host';

const node = (name: string, type: string, typeVersion: number, parameters: INode['parameters']): INode => ({
  id: name,
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  position: [0, 0],
  parameters,
  ...(type === 'webhook' && { webhookId: name }),
});
const code = (jsCode: string) => node('Code', 'code', 2, { jsCode });
const PASS_ON = 'if ($json.body.fail) throw new Error("asked to fail"); return [{ json: $json.body }]';
const FIXED = 'return [{ json: { fixed: true } }]';
const chain = (from: string, to: string) => ({
  [from]: { main: [[{ node: to, type: 'main' as const, index: 0 }]] },
});

describe(`The host ${version}`, () => {
  let host: Host;
  let id: string;
  beforeAll(async () => {
    host = await startHost({ env: { N8N_LOG_LEVEL: 'debug', N8N_RUNNERS_MODE: 'internal' } });
    const hook = node('Hook', 'webhook', 2, { path: 'hook', httpMethod: 'POST', responseMode: 'onReceived' });
    const workflow = { name: 'Hook', nodes: [hook, code(PASS_ON)], connections: chain('Hook', 'Code'), settings: {} };
    id = await host.rest.saveWorkflow(workflow);
  });
  afterAll(async () => await host.stop());

  const post = async (body: object, kind = 'webhook') =>
    (await axios.post(`${host.n8n.baseUrl}/${kind}/hook`, body, { validateStatus: () => true })).status;
  const executed = async (body: object, kind?: string) => {
    const last = await host.rest.executions.lastId(id);
    expect(await post(body, kind)).toBe(200);
    return await host.rest.executions.next(id, last);
  };
  const setCode = async (jsCode: string) => {
    const { nodes } = await host.rest.getWorkflow(id);
    await host.rest.updateWorkflow(id, { nodes: nodes.map((one) => (one.name === 'Code' ? code(jsCode) : one)) });
  };

  test('n8n creates its own encryption key and stores it privately', () => {
    const file = join(host.userFolder, '.n8n', 'config');
    const { encryptionKey } = JSON.parse(readFileSync(file, 'utf8')) as { encryptionKey: string };
    expect(Buffer.from(encryptionKey, 'base64')).toHaveLength(24);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('a test webhook accepts one event, and no event after n8n stops listening', async () => {
    await host.rest.listenForTestEvent(id, 'Hook');
    const execution = await executed({ a: 1 }, 'webhook-test');
    expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
    expect(itemsOf(execution, 'Code')).toEqual([{ a: 1 }]);
    await host.rest.listenForTestEvent(id, 'Hook');
    await host.rest.stopListening(id);
    // Uses GET requests, because they don't start the workflow.
    const hint = async () =>
      (await axios.get(`${host.n8n.baseUrl}/webhook-test/hook`, { validateStatus: () => true })).data as {
        message: string;
      };
    while ((await hint()).message.includes('Did you mean')) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await post({}, 'webhook-test')).toBe(404);
  });

  test("an active workflow's webhook runs the last activated version", async () => {
    expect(await post({})).toBe(404);
    await host.rest.activate(id);
    expect(itemsOf(await executed({ b: 2 }), 'Code')).toEqual([{ b: 2 }]);
    await setCode(FIXED);
    // n8n 2 publishes a change on activation. n8n 1 publishes a change on saving.
    expect(itemsOf(await executed({ b: 3 }), 'Code')).toEqual([major === 1 ? { fixed: true } : { b: 3 }]);
    await host.rest.activate(id);
    expect(itemsOf(await executed({ b: 4 }), 'Code')).toEqual([{ fixed: true }]);
    await host.rest.deactivate(id);
    expect(await post({})).toBe(404);
  });

  test('a user can retry a failed execution unchanged or with the saved workflow', async () => {
    await setCode(PASS_ON);
    await host.rest.activate(id);
    const failed = await executed({ fail: true });
    expect(failed).toMatchObject({ mode: 'webhook', status: 'error' });
    const { executions } = host.rest;
    expect(await executions.retry(failed.id, { loadWorkflow: false })).toMatchObject({
      mode: 'retry',
      status: 'error',
      retryOf: failed.id,
    });
    await setCode(FIXED);
    const retried = await executions.retry(failed.id, { loadWorkflow: true });
    expect(retried).toMatchObject({ mode: 'retry', status: 'success' });
    expect(itemsOf(retried, 'Code')).toEqual([{ fixed: true }]);
    expect((await executions.list(id)).slice(0, 3).map(({ status }) => status)).toEqual(['success', 'error', 'error']);
  });

  test.each([
    ['waiting', 100],
    ['running', 50],
  ])('a user can stop an execution that is %s', async (status, amount) => {
    const nodes = [node('Start', 'manualTrigger', 1, {}), node('Wait', 'wait', 1.1, { amount, unit: 'seconds' })];
    const waiter = await host.rest.saveWorkflow({
      name: 'W',
      nodes,
      connections: chain('Start', 'Wait'),
      settings: {},
    });
    const execution = await host.rest.start(waiter);
    await host.rest.executions.waitFor(execution, [status]);
    expect(await host.rest.executions.stop(execution)).toMatchObject({ status: 'canceled' });
    await host.rest.deleteWorkflow(waiter);
    await expect(host.rest.getWorkflow(waiter)).rejects.toThrow('n8n refused');
  });

  test('a killed n8n restarts with its data, including the session and the active workflow', async () => {
    await host.rest.activate(id);
    const { pid } = host.n8n;
    await host.n8n.kill();
    await expect(post({})).rejects.toThrow('ECONNREFUSED');
    await host.n8n.restart();
    expect(host.n8n.pid).not.toBe(pid);
    expect(await executed({})).toMatchObject({ status: 'success' });
  });
});
