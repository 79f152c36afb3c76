import { setTimeout as sleep } from 'node:timers/promises';

import { poll } from '../../host/executions';
import { itemsOf, type Execution } from '../../host/rest';
import type { DeliveryOrder } from '../../sandbox/control/control';
import { major, startHost, type Host, type HostOptions } from './host';
import { inLine, node, own } from './workflows';

export const TRIGGER = 'Payment Platform Trigger';
export const QUIET_MS = 400;
const LIMIT_MS = 20_000;

/** Waits until a condition holds, because n8n may change a webhook after responding. */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!holds() && Date.now() < end) await sleep(50);
  expect(holds()).toBe(true);
}

export type TriggerBench = ReturnType<typeof triggerBench>;

/** Starts n8n for trigger tests, and resets the sandbox before each test. */
export function triggerBench(options: HostOptions = {}) {
  let host: Host;
  beforeAll(async () => {
    host = await startHost(options);
  });
  afterAll(async () => await host.stop());
  beforeEach(() => host.sandbox.control.reset());

  const control = () => host.sandbox.control;
  const webhooks = () => control().state().webhooks;
  const only = () => {
    const list = webhooks();
    expect(list).toHaveLength(1);
    return list[0] as (typeof list)[number];
  };

  let counter = 0;
  async function workflow(parameters: object = {}): Promise<string> {
    counter += 1;
    const trigger = own(
      host,
      TRIGGER,
      { events: ['invoice_paid', 'subscription_suspended'], ...parameters },
      { type: `${host.n8n.typePrefix}paymentPlatformTrigger`, webhookId: `hook-${major}-${counter}` },
    );
    const done = node('Done', 'n8n-nodes-base.noOp');
    const connections = inLine(TRIGGER, 'Done');
    return await host.rest.saveWorkflow({
      name: `Trigger ${counter}`,
      nodes: [trigger, done],
      connections,
      settings: { executionOrder: 'v1' },
    });
  }
  async function active(parameters: object = {}): Promise<string> {
    const id = await workflow(parameters);
    await host.rest.activate(id);
    await until(() => webhooks().some(({ status }) => status === 'ACTIVE'));
    return id;
  }
  async function allExecutions(id: string): Promise<Execution[]> {
    await control().settleDeliveries();
    await sleep(QUIET_MS);
    const list = await host.rest.executions.list(id);
    return await Promise.all(list.map(async ({ id: one }) => await host.rest.executions.waitFor(one)));
  }
  /** Waits for the execution, because n8n responds to a refused delivery before it stores the execution. */
  async function onlyExecution(id: string): Promise<Execution | undefined> {
    await poll('The execution', async () => (await host.rest.executions.list(id))[0], LIMIT_MS);
    const all = await allExecutions(id);
    expect(all).toHaveLength(1);
    return all[0];
  }
  /** Excludes executions of duplicate events, for which the trigger outputs nothing. */
  const executions = async (id: string) =>
    (await allExecutions(id)).filter((execution) => itemsOf(execution, TRIGGER).length > 0);
  const send = async (order: Partial<DeliveryOrder> = {}) =>
    await control().sendDelivery({
      webhookId: only().webhook_id,
      event: 'invoice_paid',
      data: { invoice_id: 7 },
      ...order,
    });

  return {
    get host() {
      return host;
    },
    control,
    webhooks,
    only,
    workflow,
    active,
    allExecutions,
    onlyExecution,
    executions,
    send,
  };
}
