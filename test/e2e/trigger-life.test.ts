import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { poll } from '../../host/executions';
import { installHost } from '../../host/install';
import { major, PASSWORD, version } from './host';
import { TRIGGER, triggerBench, until } from './trigger-bench';

/** Without its publication service, n8n 2 calls hooks before it responds, as n8n 1 always does. */
const WAYS: Array<[string, Record<string, string>]> = [
  ['', {}],
  ...(major === 2
    ? [[' without its publication service', { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' }] as [string, object]]
    : []),
] as Array<[string, Record<string, string>]>;

const WRITE_STATIC_DATA = `
const { DatabaseSync } = require('node:sqlite');
const [file, id, staticData] = process.argv.slice(1);
const db = new DatabaseSync(file);
db.prepare('update workflow_entity set staticData = ? where id = ?').run(staticData, id);
db.close();`;

describe.each(WAYS)(`The life of a trigger in ${version}%s`, (_, env) => {
  const bench = triggerBench({ env });
  const { control, webhooks } = bench;

  const statuses = () => webhooks().map(({ status }) => status);
  /** Webhooks that receive new events. A replaced webhook receives only probes and held events. */
  const receiving = () =>
    webhooks().filter(({ status, events }) => status === 'ACTIVE' && JSON.stringify(events) !== '["validate_url"]');
  const deliver = async (invoice_id: number) =>
    await control().sendDelivery({
      webhookId: receiving().at(-1)?.webhook_id ?? 0,
      event: 'invoice_paid',
      data: { invoice_id },
    });
  const post = async (id: string, path: string) => {
    const { versionId } = await bench.host.rest.getWorkflow(id);
    return async () => await bench.host.rest.post(`/workflows/${id}/${path}`, path === 'activate' ? { versionId } : {});
  };
  /** Waits until n8n, which may work in the background, has stopped calling the service. */
  async function settled(): Promise<void> {
    for (let same = 0, before = -1; same < 10; same += 1) {
      await sleep(200);
      const now = control().journal().length;
      if (now !== before) same = 0;
      before = now;
    }
  }
  async function writeStaticData(id: string, staticData: IDataObject): Promise<void> {
    await bench.host.n8n.stop();
    const { node } = await installHost(() => undefined, major);
    const file = join(bench.host.userFolder, '.n8n', 'database.sqlite');
    execFileSync(node, ['-e', WRITE_STATIC_DATA, file, id, JSON.stringify(staticData)], { stdio: 'ignore' });
    control().clearJournal();
    await bench.host.n8n.restart();
    await bench.host.rest.signIn(PASSWORD);
    // n8n activates workflows after it responds, on a busy machine several seconds later.
    await until(() => control().journal().length > 0);
    await settled();
  }
  const staticDataOf = async (id: string) =>
    ((await bench.host.rest.getWorkflow(id)) as unknown as { staticData: IDataObject }).staticData;
  const publishAgain = async (id: string) => {
    await bench.host.rest.deactivate(id);
    await bench.host.rest.activate(id);
    await settled();
  };
  /** Expects a delivery to be accepted, or to be refused with a problem that a person sees. */
  async function expectNotLost(id: string): Promise<void> {
    // When n8n starts, it calls `checkExists`, which registers the webhook again.
    expect(await deliver(Math.random())).toBe(200);
    const [{ id: executionId } = { id: '' }] = await poll(
      'The execution',
      async () => {
        const list = await bench.host.rest.executions.list(id);
        return list.length > 0 ? list : undefined;
      },
      20_000,
    );
    const execution = await bench.host.rest.executions.waitFor(executionId);
    const { error } = execution.data.resultData;
    expect(error).toBeUndefined();
  }

  test('two activations at the same time leave one active webhook, whose events start the workflow', async () => {
    const id = await bench.workflow();
    control().addLatency({ milliseconds: 300 });
    const activate = await post(id, 'activate');
    await Promise.allSettled([activate(), activate(), activate()]);
    await bench.host.rest.waitUntilActive(id);
    await settled();
    control().clearLatency();
    expect(statuses()).toEqual(['ACTIVE']);
    expect(await deliver(1)).toBe(200);
    expect(await bench.executions(id)).toHaveLength(1);
    await bench.host.rest.deactivate(id);
    await until(() => statuses()[0] === 'DISABLED');
  });

  test.each([
    ['lists its webhooks', 'getWebhooks'],
    ['creates its webhook', 'addWebhook'],
  ])('a deactivation while an activation %s leaves no active webhook', async (_, operationId) => {
    const id = await bench.workflow();
    control().clearJournal();
    control().addLatency({ milliseconds: 500 });
    const [activate, deactivate] = [await post(id, 'activate'), await post(id, 'deactivate')];
    const activation = activate().catch(() => undefined);
    await until(() => control().journal({ operationId }).length === 1);
    await Promise.all([activation, deactivate()]);
    await settled();
    control().clearLatency();
    const { active } = await bench.host.rest.getWorkflow(id);
    expect([active, statuses().filter((status) => status === 'ACTIVE')]).toEqual([false, []]);
  });

  test('after a restart with overwritten static data, no event is lost unnoticed, and an activation registers the webhook', async () => {
    const id = await bench.active();
    const before = await staticDataOf(id);
    const { nodes } = await bench.host.rest.getWorkflow(id);
    const moved = nodes.map((one) =>
      one.name === TRIGGER
        ? { ...one, parameters: { ...one.parameters, options: { webhook_node: '100000000002' } } }
        : one,
    );
    await bench.host.rest.updateWorkflow(id, { nodes: moved });
    await publishAgain(id);
    expect(await staticDataOf(id)).not.toEqual(before);
    expect(webhooks()).toHaveLength(2);
    await writeStaticData(id, before);
    await expectNotLost(id);
    await publishAgain(id);
    expect(receiving()).toHaveLength(1);
    expect(await deliver(3)).toBe(200);
    await bench.host.rest.deactivate(id);
    await until(() => receiving().length === 0);
  });

  test.each<[string, IDataObject]>([
    ['null', { [`node:${TRIGGER}`]: null }],
    ['no registrations', { [`node:${TRIGGER}`]: { registrations: null } }],
    ['a registration that is text', { [`node:${TRIGGER}`]: { registrations: { x: 'y' } } }],
  ])('after a restart with damaged static data (%s), a deactivation and an activation work', async (_, staticData) => {
    const id = await bench.active();
    await writeStaticData(id, staticData);
    await expectNotLost(id);
    await bench.host.rest.deactivate(id);
    await until(() => receiving().length === 0);
    await bench.host.rest.activate(id);
    await until(() => receiving().length === 1);
    expect(await deliver(4)).toBe(200);
    await bench.host.rest.deactivate(id);
    await until(() => receiving().length === 0);
  });
});
