import axios from 'axios';

import { itemsOf, type Execution } from '../../host/rest';
import { major, version } from './host';
import { TRIGGER, triggerBench, until } from './trigger-bench';
import { describeTriggerDeliveries } from './trigger-deliveries';
import { describeTriggerInstances } from './trigger-instances';

describe(`The trigger in ${version}`, () => {
  const bench = triggerBench();

  describe('Webhooks', () => {
    const { control, webhooks, only, workflow, active, executions, send } = bench;

    test('activation registers one webhook, and a delivery starts the workflow with its payload', async () => {
      const id = await active();
      expect(only()).toMatchObject({
        status: 'ACTIVE',
        auth_type: 'BASIC',
        events: ['invoice_paid', 'subscription_suspended'],
        label: expect.stringContaining('Trigger 1') as string,
      });
      expect(await send({ data: { invoice_id: 7, nested: { list: [1, 2] } } })).toBe(200);
      const [execution, ...others] = await executions(id);
      expect(others).toEqual([]);
      const [item] = itemsOf(execution as Execution, TRIGGER);
      expect(item).toMatchObject({
        event: 'invoice_paid',
        environment: 'test',
        webhook_id: String(only().webhook_id),
        db_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/) as string,
        payload: { event: 'invoice_paid', is_test: true, data: { invoice_id: '7', nested: { list: [1, 2] } } },
      });
      await bench.host.rest.deactivate(id);
      await until(() => only().status === 'DISABLED');
      await bench.host.rest.activate(id);
      await until(() => only().status === 'ACTIVE');
      expect(await send({ data: { invoice_id: 8 } })).toBe(200);
      expect(await executions(id)).toHaveLength(2);
      await bench.host.rest.deactivate(id);
    });

    test('activation reports an event name that the service refuses and leaves no webhook behind', async () => {
      const id = await workflow({ customEvents: 'no_such_event' });
      await expect(bench.host.rest.activate(id)).rejects.toThrow(/no_such_event|events|Validation/);
      expect(webhooks().filter(({ status }) => status === 'ACTIVE')).toEqual([]);
      await bench.host.rest.deactivate(id).catch(() => undefined);
    });

    test("the next activation reverts a user's changes to the webhook", async () => {
      const id = await active();
      const { webhook_id } = only();
      await bench.host.rest.deactivate(id);
      await axios.put(
        `${bench.host.sandbox.baseUrl}/platform/webhook/${webhook_id}`,
        { events: ['dispute_update'], label: only().label },
        { headers: { authorization: `Basic ${bench.host.sandbox.credentials.test.token}` } },
      );
      await bench.host.rest.activate(id);
      await until(() => only().status === 'ACTIVE');
      expect(only()).toMatchObject({ webhook_id, events: ['invoice_paid', 'subscription_suspended'] });
      await bench.host.rest.deactivate(id);
    });

    test('the trigger never changes a webhook that a user created', async () => {
      const id = await active();
      const foreign = await axios.post<{ data: { webhook_id: number } }>(
        `${bench.host.sandbox.baseUrl}/platform/webhook`,
        { notification_url: only().notification_url, label: 'Made by hand' },
        { headers: { authorization: `Basic ${bench.host.sandbox.credentials.test.token}` } },
      );
      await bench.host.rest.deactivate(id);
      await bench.host.rest.activate(id);
      await bench.host.rest.deactivate(id);
      await until(() => webhooks().filter(({ status }) => status === 'ACTIVE').length === 1);
      expect(webhooks().find(({ status }) => status === 'ACTIVE')?.webhook_id).toBe(foreign.data.data.webhook_id);
    });

    test('deactivation succeeds while the service is unreachable, and the next activation cleans up', async () => {
      const id = await active();
      control().addFault({ kind: 'status', status: 503, operationId: 'disableWebhook' });
      await bench.host.rest.deactivate(id);
      expect((await bench.host.rest.getWorkflow(id)).active).toBe(false);
      control().clearFaults();
      await bench.host.rest.activate(id);
      await until(() => webhooks().filter(({ status }) => status === 'ACTIVE').length === 1);
      expect(webhooks()).toHaveLength(1);
      await bench.host.rest.deactivate(id);
      await until(() => only().status === 'DISABLED');
    });

    test("the trigger works for an account that can't manage webhooks", async () => {
      control().webhookManagement = false;
      const id = await active();
      expect(await send()).toBe(200);
      expect(await executions(id)).toHaveLength(1);
      await bench.host.rest.deactivate(id);
    });

    test('an event starts the test run and the published workflow while n8n listens for a test event', async () => {
      const id = await active();
      const production = only().webhook_id;
      await bench.host.rest.listenForTestEvent(id, TRIGGER);
      control().fireEvent({ event: 'invoice_paid', data: { invoice_id: 77 } });
      await control().settleDeliveries();
      expect(
        control()
          .deliveries()
          .map(({ status }) => status),
      ).toEqual([200, 200]);
      const started = await executions(id);
      expect(started.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
      const published = started.find(({ mode }) => mode === 'webhook') as Execution;
      expect(itemsOf(published, TRIGGER)).toMatchObject([{ webhook_id: String(production) }]);
      await bench.host.rest.deactivate(id);
    });

    test('the trigger creates a separate webhook for a test event and disables the webhook afterward', async () => {
      const id = await active();
      const production = only().webhook_id;
      await bench.host.rest.listenForTestEvent(id, TRIGGER);
      const test = webhooks().find(({ webhook_id }) => webhook_id !== production);
      expect(test?.notification_url).toContain('/webhook-test/');
      await control().sendDelivery({
        webhookId: test?.webhook_id ?? 0,
        event: 'invoice_paid',
        data: { invoice_id: 3 },
      });
      await until(() => webhooks().find(({ webhook_id }) => webhook_id === test?.webhook_id)?.status === 'DISABLED');
      expect(webhooks().find(({ webhook_id }) => webhook_id === production)?.status).toBe('ACTIVE');
      await bench.host.rest.deactivate(id);
    });

    const activation = async (id: string) =>
      await bench.host.rest.activate(id).then(
        () => '',
        (error: unknown) => String(error),
      );
    const receives = async (id: string) => {
      expect([await bench.host.rest.isPublished(id), only().status]).toEqual([true, 'ACTIVE']);
      expect(await send({ data: { invoice_id: 404 } })).toBe(200);
      expect(await executions(id)).toHaveLength(1);
      await bench.host.rest.deactivate(id);
    };
    const REFUSED =
      /The trigger could not list its webhooks: The (?:record or path does not exist|service responded with HTTP status 404)/;

    describe.each([
      ['with the code of the service', { kind: 'status', status: 404 }],
      ['of a proxy', { kind: 'html_error_page', status: 404 }],
    ] as const)('A workflow that a user activates again during a 404 %s', (_, fault) => {
      let id: string;
      beforeEach(async () => {
        id = await active();
        await bench.host.rest.deactivate(id);
        await until(() => only().status === 'DISABLED');
      });

      test('n8n 2 retries and activates the workflow, and n8n 1 leaves the workflow inactive with a message', async () => {
        control().addFault({ ...fault, operationId: 'getWebhooks', calls: [1] });
        const told = await activation(id);
        const state = [await bench.host.rest.isPublished(id), only().status];
        if (major === 1) {
          expect(told).toMatch(REFUSED);
          expect(state).toEqual([false, 'DISABLED']);
          await bench.host.rest.activate(id);
        } else expect([told, ...state]).toEqual(['', true, 'ACTIVE']);
        await receives(id);
      });

      test("n8n doesn't activate the workflow until the service lists the webhooks, and n8n shows the reason", async () => {
        control().addFault({ ...fault, operationId: 'getWebhooks' });
        expect(await activation(id)).toMatch(REFUSED);
        expect([await bench.host.rest.isPublished(id), only().status]).toEqual([false, 'DISABLED']);
        control().clearFaults();
        await bench.host.rest.activate(id);
        await receives(id);
      });
    });
  });

  describeTriggerDeliveries(bench);
  describeTriggerInstances(() => bench.host);
});
