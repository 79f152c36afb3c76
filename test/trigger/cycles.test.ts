import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { quantity } from '../quantity';
import { clientFor } from '../sandbox/client';
import { triggerBenchForTest } from './bench';

const CYCLES = quantity(15, 50);
const PATHS = ['/platform/webhook', '/platform/webhook/{webhook_id}/enable', '/platform/webhook/{webhook_id}/disable'];

/** `killedOn` selects the step in which n8n is killed before it saves the workflow's state. */
const trouble = fc.record({
  kind: fc.constantFrom('status', 'reset_before_apply', 'reset_after_apply', 'truncated_json', 'rate_limited'),
  path: fc.constantFrom(...PATHS),
  call: fc.integer({ min: 1, max: 3 }),
  killedOn: fc.constantFrom('activation', 'deactivation', 'nothing', 'nothing', 'nothing'),
} as const);

const bench = triggerBenchForTest();

async function webhooks(): Promise<IDataObject[]> {
  const { sandbox } = bench;
  const client = clientFor(sandbox.baseUrl, `Basic ${sandbox.credentials.test.token}`);
  return (await client.get<{ data: IDataObject[] }>('/platform/webhook?count=100')).data.data;
}

/** A replaced webhook receives only probes and held events. */
const active = async () =>
  (await webhooks()).filter(({ status, events }) => status === 'ACTIVE' && !isDraining(events));
const isDraining = (events: unknown) => JSON.stringify(events) === '["validate_url"]';

test('activations and deactivations without faults leave one disabled webhook', async () => {
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await bench.host.activate();
    expect(await active()).toHaveLength(1);
    await bench.host.deactivate();
    expect(await active()).toHaveLength(0);
  }
  expect(await webhooks()).toHaveLength(1);
});

test('after any fault, at most one webhook is active, and none while the workflow is inactive', async () => {
  const { sandbox, host } = bench;
  let killed = 0;
  let linked = false;
  for (const { kind, path, call, killedOn } of fc.sample(trouble, { numRuns: CYCLES, seed: 20260101 })) {
    // A new merchant makes the node create a webhook.
    linked = !linked;
    host.parameters = { events: ['*'], options: linked ? { webhook_node: '100000000002' } : {} };
    sandbox.control.addFault({ kind, path, calls: [call], ...(kind === 'rate_limited' && { retryAfterSeconds: 0 }) });
    const activated = await host.activate({ killed: killedOn === 'activation' }).then(
      () => true,
      () => false,
    );
    sandbox.control.clearFaults();
    if (activated && killedOn !== 'activation') expect(await active()).toHaveLength(1);
    expect((await active()).length).toBeLessThanOrEqual(1);
    sandbox.control.addFault({ kind, path, calls: [call], ...(kind === 'rate_limited' && { retryAfterSeconds: 0 }) });
    await host.deactivate({ killed: killedOn === 'deactivation' });
    sandbox.control.clearFaults();
    expect(await active()).toHaveLength(0);
    if (killedOn === 'activation') killed += 1;
  }
  expect(killed).toBeGreaterThan(CYCLES / 15);
  expect((await webhooks()).length).toBeGreaterThan(CYCLES / 4);
  await host.activate();
  expect(await active()).toHaveLength(1);
  expect(await bench.deliver('invoice_paid', { invoice_id: 1 })).toEqual([200]);
});
