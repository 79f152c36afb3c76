import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { itemsOf, type Execution } from '../../host/rest';
import type { DeliveryOrder } from '../../sandbox/control/control';
import { QUIET_MS, TRIGGER, until, type TriggerBench } from './trigger-bench';
import { node } from './workflows';

/** Declares the tests of calls by the service and by unknown callers. */
export function describeTriggerDeliveries(bench: TriggerBench): void {
  describe('Deliveries to the trigger', () => {
    const { control, webhooks, only, workflow, active, allExecutions, onlyExecution, executions, send } = bench;

    test('the trigger emits a delivery once if copies arrive one after another, in parallel and after a restart', async () => {
      const id = await active();
      await send();
      expect(await control().repeatDelivery({ copies: 3 })).toEqual([200, 200, 200]);
      expect(await executions(id)).toHaveLength(1);
      await send({ data: { invoice_id: 9 } });
      expect(await control().repeatDelivery({ copies: 10, concurrent: true })).toEqual(Array(10).fill(200));
      expect(await executions(id)).toHaveLength(2);
      // n8n 1 doesn't notify the trigger of the execution's end, so the trigger checks after 1, 3 and 7 seconds.
      await sleep(8_000);
      await bench.host.n8n.restart();
      await bench.host.rest.signIn('Local-run-1');
      await until(() => only().status === 'ACTIVE');
      expect(await control().repeatDelivery({ copies: 2 })).toEqual([200, 200]);
      expect(await executions(id)).toHaveLength(2);
      await bench.host.rest.deactivate(id);
    });

    test('the workflow starts once if the first copies of a delivery arrive in parallel', async () => {
      const id = await active();
      control().fireEvent({ event: 'invoice_paid', data: { invoice_id: 10 } });
      await control().settleDeliveries();
      await control().repeatDelivery({ copies: 20, concurrent: true });
      expect(await executions(id)).toHaveLength(1);
      await bench.host.rest.deactivate(id);
    });

    test.each<[string, Partial<DeliveryOrder>, number]>([
      ['no user name and password', { withoutAuthorization: true }, 401],
      ['a wrong password', { wrongPassword: true }, 401],
      ['the right password and a wrong signature', { wrongSignature: true }, 401],
      ['a body that was altered after signing', { alterBody: true }, 401],
      ['a body that is no JSON object', { rawBody: '[1]' }, 400],
    ])('the trigger refuses a call with %s and starts no execution', async (_, forgery, status) => {
      const id = await active();
      expect(await send(forgery)).toBe(status);
      expect(await executions(id)).toEqual([]);
      await bench.host.rest.deactivate(id);
    });

    test('the trigger refuses an unsigned call unless the user chooses When Present', async () => {
      const id = await active();
      expect(await send({ withoutSignature: true })).toBe(401);
      expect(await send()).toBe(200);
      expect(await executions(id)).toHaveLength(1);
      await bench.host.rest.deactivate(id);
      control().reset();
      const lenient = await active({ options: { signature: 'whenPresent' } });
      expect(await send({ withoutSignature: true })).toBe(200);
      expect(await executions(lenient)).toHaveLength(1);
      await bench.host.rest.deactivate(lenient);
    });

    test('after a key change, the trigger refuses calls until the user enters the new key in the credential', async () => {
      const id = await active();
      const { webhook_id } = only();
      control().rotateSecret({ webhookId: webhook_id });
      for (let invoice_id = 1; invoice_id < 4; invoice_id += 1) expect(await send({ data: { invoice_id } })).toBe(401);
      const told = await onlyExecution(id);
      expect(told?.status).toBe('error');
      expect(JSON.stringify(told?.data)).toContain(`The security key of webhook ${webhook_id}`);
      const { security_key } = control().webhookSecrets(webhook_id);
      await bench.host.rest.saveCredential('Sandbox', { ...bench.host.credential, webhookSecretKeys: security_key });
      expect(await send({ data: { invoice_id: 4 } })).toBe(200);
      expect(await executions(id)).toHaveLength(1);
      await bench.host.rest.saveCredential('Sandbox', bench.host.credential);
      await bench.host.rest.deactivate(id);
    });

    test('while the credential is invalid, the trigger responds with 401 to unknown callers and with 503 to the service', async () => {
      const id = await active();
      await bench.host.rest.saveCredential('Sandbox', { ...bench.host.credential, baseUrl: 'http://api.example.com' });
      // A restarted process no longer has the webhook's key in memory.
      await bench.host.n8n.restart();
      await bench.host.rest.signIn('Local-run-1');
      await bench.host.rest.waitUntilActive(id);
      try {
        expect(await send({ withoutAuthorization: true })).toBe(401);
        expect(await send({ wrongPassword: true })).toBe(401);
        expect(await allExecutions(id)).toEqual([]);
        expect(await send()).toBe(503);
        const told = await onlyExecution(id);
        expect(told?.status).toBe('error');
        expect(JSON.stringify(told?.data)).toContain('the Base URL must start with https://');
      } finally {
        await bench.host.rest.saveCredential('Sandbox', bench.host.credential);
      }
      expect(await send()).toBe(200);
      expect(await executions(id)).toHaveLength(1);
      await bench.host.rest.deactivate(id);
    });

    test('the workflow contains neither the security key nor the password', async () => {
      const id = await active();
      await send();
      const { security_key, auth_settings } = control().webhookSecrets(only().webhook_id);
      const stored = JSON.stringify([await bench.host.rest.getWorkflow(id), await allExecutions(id)]);
      for (const secret of [security_key, auth_settings?.user_name, auth_settings?.user_password])
        expect(stored).not.toContain(secret);
      expect(stored).toContain('sealedKey');
      await bench.host.rest.deactivate(id);
    });

    test('the trigger emits a repeated delivery only if the first execution failed', async () => {
      const id = await active();
      const { name, nodes, connections, settings } = await bench.host.rest.getWorkflow(id);
      await bench.host.rest.deactivate(id);
      const failing = node('Done', 'n8n-nodes-base.stopAndError', { errorMessage: 'The CRM is down' });
      await bench.host.rest.updateWorkflow(id, { name, nodes: [...nodes.slice(0, 1), failing], connections, settings });
      await bench.host.rest.activate(id);
      await until(() => only().status === 'ACTIVE');
      await send();
      expect(await executions(id)).toHaveLength(1);
      // Waits, because the trigger treats a copy within ten seconds as an automatic retry by the service.
      await sleep(12_000);
      expect(await control().repeatDelivery()).toEqual([200]);
      expect(await executions(id)).toHaveLength(2);
      await bench.host.rest.deactivate(id);
    });

    test('the trigger accepts both signatures during a key rotation and then refuses calls signed with only the new key', async () => {
      const id = await active();
      control().rotateSecret({ webhookId: only().webhook_id, overlapSeconds: 60 });
      expect(await send({ data: { invoice_id: 1 } })).toBe(200);
      await control().advanceClock({ minutes: 2 });
      expect(await send({ data: { invoice_id: 2 } })).toBe(401);
      expect(await executions(id)).toHaveLength(1);
      await bench.host.rest.deactivate(id);
    });

    test('the trigger refuses a replayed call after a key rotation, whichever key signed the call', async () => {
      const id = await active();
      const { webhook_id, notification_url } = only();
      const { security_key, auth_settings } = control().webhookSecrets(webhook_id);
      const db_timestamp = new Date().toISOString().slice(0, 19).replace('T', ' ');
      const body = JSON.stringify({ webhook_id, db_timestamp, event: 'invoice_paid', data: { invoice_id: 1 } });
      const caller = `${auth_settings?.user_name}:${auth_settings?.user_password}`;
      const headers = {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(caller).toString('base64')}`,
        'x-service-webhook-signature': createHmac('sha256', security_key).update(body).digest('base64'),
      };
      const call = async () =>
        (await axios.post(notification_url, body, { headers, validateStatus: () => true })).status;
      expect(await call()).toBe(200);
      expect(await executions(id)).toHaveLength(1);
      control().rotateSecret({ webhookId: webhook_id });
      expect(await call()).toBe(200);
      for (let invoice_id = 2; invoice_id < 5; invoice_id += 1) expect(await send({ data: { invoice_id } })).toBe(401);
      await bench.host.rest.deactivate(id);
      await bench.host.rest.activate(id);
      await until(() => webhooks().some((one) => one.status === 'ACTIVE' && one.webhook_id !== webhook_id));
      // The password is still right, so the trigger reports a webhook that it doesn't know.
      expect(await call()).toBe(503);
      expect(await executions(id)).toHaveLength(1);
      await bench.host.rest.deactivate(id);
    });

    test('the trigger acknowledges a probe of the URL and starts no execution', async () => {
      const id = await active();
      expect(await send({ event: 'validate_url' })).toBe(200);
      expect(await executions(id)).toEqual([]);
      await bench.host.rest.deactivate(id);
    });

    test('the trigger turns a list of records into items and looks up the record of an event', async () => {
      const id = await active({ events: ['*'], enrich: true, options: { split: true } });
      control().addCapturedSales({ count: 3, amountCents: 500 });
      const submitted = await axios.post<{ data: { request_id: string } }>(
        `${bench.host.sandbox.baseUrl}/platform/aus/add`,
        { data: [{ card_number: '4111111111111111', exp_date: '1230' }] },
        { headers: { authorization: `Basic ${bench.host.sandbox.credentials.test.token}` } },
      );
      await until(() => control().deliveries().length === 1);
      const [updater] = await executions(id);
      expect(itemsOf(updater as Execution, TRIGGER)).toMatchObject([
        { event: 'account_updater_request_created', record: { request_id: String(submitted.data.data.request_id) } },
      ]);
      const batch = control().closeBatch();
      const [updated] = await executions(id);
      const items = itemsOf(updated as Execution, TRIGGER);
      expect(items.map(({ entry }) => (entry as IDataObject).pg_id).sort()).toEqual([...batch].sort());
      await bench.host.rest.deactivate(id);
    });

    describe('A delivery with a canceled execution', () => {
      const ids = async (id: string) => (await bench.host.rest.executions.list(id)).map((one) => one.id);
      const untilStarted = async (id: string, count: number) => {
        for (let tries = 0; tries < 100 && (await ids(id)).length < count; tries += 1) await sleep(100);
        expect(await ids(id)).toHaveLength(count);
      };
      const waiting = async (seconds: number, settings: object = {}) => {
        const id = await workflow();
        const { nodes } = await bench.host.rest.getWorkflow(id);
        const wait = node('Done', 'n8n-nodes-base.wait', { amount: seconds, unit: 'seconds' }, { typeVersion: 1.1 });
        await bench.host.rest.updateWorkflow(id, {
          nodes: [...nodes.slice(0, 1), wait],
          settings: { executionOrder: 'v1', ...settings },
        });
        await bench.host.rest.activate(id);
        await until(() => only().status === 'ACTIVE');
        return id;
      };

      test('a repeated delivery starts the workflow again after a user stopped the execution', async () => {
        const id = await waiting(8);
        expect(await send()).toBe(200);
        await untilStarted(id, 1);
        await sleep(1_500);
        const [first = ''] = await ids(id);
        await bench.host.rest.post(`/executions/${first}/stop`);
        await sleep(2_000);
        expect(await control().repeatDelivery()).toEqual([200]);
        await untilStarted(id, 2);
        const [second = ''] = await ids(id);
        expect((await bench.host.rest.executions.waitFor(second)).status).toBe('success');
        expect(itemsOf(await bench.host.rest.executions.get(second), 'Done')).toHaveLength(1);
        // The second execution succeeded, so the trigger ignores a third copy.
        await control().repeatDelivery();
        await sleep(QUIET_MS);
        expect(await executions(id).then((all) => all.filter(({ status }) => status === 'success'))).toHaveLength(1);
        await bench.host.rest.deactivate(id);
      });

      test("a repeated delivery starts the workflow again after n8n's time limit ended the execution", async () => {
        const id = await waiting(20, { executionTimeout: 2 });
        expect(await send()).toBe(200);
        await untilStarted(id, 1);
        await sleep(4_000);
        expect(await control().repeatDelivery()).toEqual([200]);
        await untilStarted(id, 2);
        await sleep(3_000);
        await bench.host.rest.deactivate(id);
      });
    });
  });
}
