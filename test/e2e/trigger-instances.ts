import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { installHost } from '../../host/install';
import { startN8n, type N8n } from '../../host/n8n';
import { itemsOf, N8nRest, type WorkflowJson } from '../../host/rest';
import { credentialFor } from '../credential';
import { CREDENTIAL, major, PASSWORD, type Host } from './host';
import { builtPackage } from './package';
import { TRIGGER, until } from './trigger-bench';
import { inLine, node, own } from './workflows';

export function describeTriggerInstances(shared: () => Host): void {
  describe('Several workflows, triggers and instances of n8n', () => {
    let host: Host;
    beforeAll(() => {
      host = shared();
    });

    const control = () => host.sandbox.control;
    const webhooks = (environment: 'test' | 'production' = 'test') => control().state(environment).webhooks;
    const statuses = () => webhooks().map(({ status }) => status);

    let counter = 0;
    const triggerNode = (name = TRIGGER, parameters: object = {}) => {
      counter += 1;
      return own(
        host,
        name,
        { events: ['invoice_paid'], ...parameters },
        { type: `${host.n8n.typePrefix}paymentPlatformTrigger`, webhookId: `several-${major}-${counter}` },
      );
    };
    const workflowOf = (name: string, ...triggers: WorkflowJson['nodes']): WorkflowJson => ({
      name,
      nodes: [...triggers, node('Done', 'n8n-nodes-base.noOp')],
      connections: Object.assign({}, ...triggers.map((one) => inLine(one.name, 'Done'))) as WorkflowJson['connections'],
      settings: { executionOrder: 'v1' },
    });
    async function activate(workflow: WorkflowJson, wanted: number): Promise<string> {
      const id = await host.rest.saveWorkflow(workflow);
      await host.rest.activate(id);
      await until(() => statuses().filter((status) => status === 'ACTIVE').length === wanted);
      return id;
    }
    /** Returns the items that the trigger output, newest execution first. */
    async function emitted(id: string, rest = host.rest, name = TRIGGER) {
      await control().settleDeliveries();
      // Waits for executions of the other n8n process.
      await sleep(1_000);
      const list = await rest.executions.list(id);
      const all = await Promise.all(list.map(async (one) => await rest.executions.waitFor(one.id)));
      return all.flatMap((execution) => itemsOf(execution, name));
    }
    const logOf = (n8n: N8n) => readFileSync(n8n.logFile, 'utf8');

    test('n8n creates a separate webhook for an imported workflow with static data', async () => {
      const id = await activate(workflowOf('Original', triggerNode()), 1);
      const [before] = webhooks();
      const { nodes, connections, settings, ...saved } = await host.rest.getWorkflow(id);
      const { staticData } = saved as unknown as { staticData: object };
      expect(JSON.stringify(staticData)).toContain('registrations');
      const [first, ...rest] = nodes.map((one) => (one.name === TRIGGER ? { ...one, webhookId: 'imported' } : one));
      if (!first) throw new Error('There is no trigger');
      const imported = { name: 'Imported', nodes: [first, ...rest], connections, settings, staticData };
      const copy = await activate(imported, 2);
      expect(webhooks()[0]).toEqual(before);
      control().fireEvent({ event: 'invoice_paid', data: { invoice_id: 1 } });
      expect([(await emitted(id)).length, (await emitted(copy)).length]).toEqual([1, 1]);
      await host.rest.deactivate(copy);
      await until(() => statuses()[1] === 'DISABLED');
      expect(statuses()).toEqual(['ACTIVE', 'DISABLED']);
      await host.rest.deactivate(id);
    });

    test("two triggers of a workflow have separate webhooks, and replacing one webhook doesn't affect the other webhook", async () => {
      const nodes = [
        triggerNode('First'),
        triggerNode('Second', { events: ['invoice_paid', 'subscription_suspended'] }),
      ];
      const id = await activate(workflowOf('Two', ...nodes), 2);
      const ofSecond = webhooks().find(({ events }) => events?.length === 2)?.webhook_id;
      const { name, connections, settings } = await host.rest.getWorkflow(id);
      await host.rest.deactivate(id);
      await until(() => !statuses().includes('ACTIVE'));
      const [first, ...others] = workflowOf('Two', ...nodes).nodes;
      if (!first) throw new Error('There is no trigger');
      const changed = [{ ...first, parameters: { ...first.parameters, events: ['*'] } }, ...others];
      await host.rest.updateWorkflow(id, { name, nodes: changed, connections, settings });
      await host.rest.activate(id);
      await until(() => statuses().filter((status) => status === 'ACTIVE').length >= 2);
      expect(webhooks().find(({ webhook_id }) => webhook_id === ofSecond)?.status).toBe('ACTIVE');
      control().fireEvent({ event: 'invoice_paid', data: { invoice_id: 2 } });
      expect(await emitted(id, host.rest, 'First')).toHaveLength(1);
      expect(await emitted(id, host.rest, 'Second')).toHaveLength(1);
      await host.rest.deactivate(id);
    });

    test('after a change of the credential, the trigger reports the webhook of the previous account and leaves it unchanged', async () => {
      const id = await activate(workflowOf('Edited', triggerNode()), 1);
      const [webhook] = webhooks();
      await host.rest.saveCredential(CREDENTIAL, credentialFor(host.sandbox, 'production'));
      await host.rest.deactivate(id);
      await host.rest.activate(id);
      await until(() => webhooks('production').some(({ status }) => status === 'ACTIVE'));
      const words = `Webhook ${webhook?.webhook_id} of the previous account (test)`;
      expect(logOf(host.n8n)).toContain(words);
      expect(statuses()).toEqual(['ACTIVE']);
      control().fireEvent({ environment: 'production', event: 'invoice_paid', data: { invoice_id: 3 } });
      expect(await emitted(id)).toMatchObject([
        { environment: 'production', notice: expect.stringContaining(words) as string },
      ]);
      await host.rest.saveCredential(CREDENTIAL, host.credential);
      await host.rest.deactivate(id);
      await host.rest.activate(id);
      await host.rest.deactivate(id);
      await until(() => !statuses().includes('ACTIVE'));
    });

    test("a clone of n8n leaves the original's webhook unchanged when the clone starts and activates the workflow", async () => {
      const id = await activate(workflowOf('Cloned', triggerNode()), 1);
      const [before] = webhooks();
      await host.n8n.stop();
      const from = dirname(host.n8n.logFile);
      const userFolder = mkdtempSync(`${from}-clone-`);
      cpSync(from, userFolder, { recursive: true });
      await host.n8n.restart();
      await host.rest.signIn(PASSWORD);
      const installation = await installHost(() => undefined, major);
      const clone = await startN8n({ installation, userFolder, extensions: builtPackage().dist });
      try {
        const rest = new N8nRest(clone.baseUrl);
        await rest.signIn(PASSWORD);
        await rest.deactivate(id);
        expect(webhooks()[0]).toEqual(before);
        await rest.activate(id);
        await until(() => statuses().filter((status) => status === 'ACTIVE').length === 2);
        expect(webhooks()[0]).toEqual(before);
        control().fireEvent({ event: 'invoice_paid', data: { invoice_id: 4 } });
        expect(await emitted(id)).toHaveLength(1);
        const notice = expect.stringContaining(String(before?.notification_url)) as string;
        expect(await emitted(id, rest)).toMatchObject([{ notice }]);
        await rest.deactivate(id);
        await until(() => statuses().filter((status) => status === 'ACTIVE').length === 1);
        expect(webhooks()[0]).toEqual(before);
      } finally {
        await clone.stop();
        rmSync(userFolder, { recursive: true, force: true });
      }
      await host.rest.deactivate(id);
    });

    test('n8n responds with no client error except 404 while a user activates and deactivates the workflow under load', async () => {
      const id = await activate(workflowOf('Load', triggerNode()), 1);
      const [webhook] = webhooks();
      const counts = new Map<number, number>();
      let isOver = false;
      let invoice = 0;
      const send = async () => {
        while (!isOver) {
          invoice += 1;
          const order = { webhookId: webhook?.webhook_id ?? 0, event: 'invoice_paid', data: { invoice_id: invoice } };
          const status = await control().sendDelivery(order);
          counts.set(status, (counts.get(status) ?? 0) + 1);
        }
      };
      const senders = Array.from({ length: 5 }, send);
      for (let round = 0; round < 3; round += 1) {
        await host.rest.deactivate(id);
        await host.rest.activate(id);
        await until(() => statuses()[0] === 'ACTIVE');
      }
      isOver = true;
      await Promise.all(senders);
      process.stderr.write(`Answers in n8n ${major}: ${JSON.stringify(Object.fromEntries(counts))}\n`);
      expect(counts.get(200)).toBeGreaterThan(0);
      // n8n responds with 404 for an unknown URL. A response of 503 makes the service retry.
      expect([...counts.keys()].filter((status) => ![200, 404, 503].includes(status))).toEqual([]);
      await host.rest.deactivate(id);
    });
  });
}
