import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox';
import { major, PASSWORD, startHost, version, type Host } from './host';
import { inLine, node, own } from './workflows';

/** Number of activation cycles. CYCLES=50 covers all combinations of faults and steps. */
const CYCLES = Number(process.env.CYCLES ?? 10);
const PATIENCE_MS = 30_000;
/** After a kill, n8n 2 resumes an interrupted activation within 20 seconds instead of 2 minutes. */
const PUBLICATION = {
  N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20',
  N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};

/** Activation and deactivation requests. Each cycle injects a fault into one of them. */
const STEPS = ['getWebhooks', 'addWebhook', 'updateWebhook', 'enableWebhook', 'disableWebhook'] as const;
type Step = (typeof STEPS)[number];
const KINDS: Array<Partial<FaultRule> & Pick<FaultRule, 'kind'>> = [
  { kind: 'status', status: 500 },
  { kind: 'reset_before_apply' },
  { kind: 'reset_after_apply' },
  { kind: 'truncated_json' },
  { kind: 'rate_limited', retryAfterSeconds: 0 },
  { kind: 'html_error_page' },
];

const stepOf = (cycle: number): Step => STEPS[cycle % STEPS.length] ?? 'getWebhooks';
const faultOf = (cycle: number, step: Step): FaultRule => ({
  ...(KINDS[cycle % KINDS.length] ?? { kind: 'status' }),
  operationId: step,
  ...(Math.floor(cycle / STEPS.length) % 2 === 0 && { calls: [1] }),
});
function changesBefore(cycle: number, step: Step): IDataObject | undefined {
  const options = Math.floor(cycle / STEPS.length) % 2 === 0 ? { webhook_node: '100000000002' } : {};
  if (step === 'addWebhook') return { events: ['*'], options };
  return step === 'updateWebhook' ? { events: ['invoice_paid'], options } : undefined;
}
/** Cycles in which the test kills n8n during activation or deactivation. */
const isKilled = {
  activating: (cycle: number) => cycle % 25 === 5,
  deactivating: (cycle: number) => cycle % 25 === 8,
};

describe(`Activations and deactivations in ${version}`, () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost({ env: PUBLICATION });
  });
  afterAll(async () => await host.stop());

  const webhooks = () => host.sandbox.control.state().webhooks;
  const isDraining = ({ events }: { events?: unknown }) => JSON.stringify(events) === '["validate_url"]';
  /** A replaced webhook receives only probes and held events. */
  const active = () => webhooks().filter((one) => one.status === 'ACTIVE' && !isDraining(one));
  const switchedOn = () => webhooks().filter(({ status }) => status === 'ACTIVE');

  /** Waits in real time until the service's state stops changing, because n8n runs in another process. */
  async function settled(): Promise<void> {
    let before = '';
    for (let same = 0; same < 3;) {
      await sleep(100);
      const now = JSON.stringify([webhooks(), host.sandbox.control.journal().length]);
      same = now === before ? same + 1 : 0;
      before = now;
    }
  }
  /** Waits up to two seconds for a request with a fault, because n8n 2 responds before it calls the trigger. */
  async function faulted(requestsBefore: number): Promise<void> {
    const isHit = () => host.sandbox.control.journal().some(({ fault }, at) => at >= requestsBefore && fault !== null);
    for (const end = Date.now() + 2000; !isHit() && Date.now() < end;) await sleep(50);
  }
  /** Polls, because n8n 2 activates workflows in the background. */
  async function until(what: string, holds: () => boolean): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!holds() && Date.now() < end) await sleep(50);
    if (holds()) return;
    const last = host.sandbox.control.journal().slice(-20);
    const calls = last.map(({ operationId, status, fault }) => `${operationId} ${status} ${fault ?? ''}`);
    throw new Error(`Not within ${PATIENCE_MS / 1000} s: ${what}. The last calls: ${calls.join('; ')}`);
  }
  async function killWhile(step: () => Promise<void>, delayMs: number): Promise<void> {
    void attempt(step);
    await sleep(delayMs);
    await host.n8n.kill();
    host.sandbox.control.clearLatency();
    await host.n8n.restart();
    await host.rest.signIn(PASSWORD);
  }
  /** Ignores a failure of the step, because a fault or killing n8n may have caused it. */
  const attempt = async (step: () => Promise<void>) => await step().catch(() => undefined);

  test(`at most one webhook is ACTIVE in ${CYCLES} cycles with faults and kills, and no webhook is ACTIVE while the workflow is inactive`, async () => {
    const { control } = host.sandbox;
    control.reset();
    const type = `${host.n8n.typePrefix}paymentPlatformTrigger`;
    const nodesWith = (parameters: IDataObject) => [
      own(host, 'Trigger', parameters, { type, webhookId: `cycles-${major}` }),
      node('Done', 'n8n-nodes-base.noOp'),
    ];
    const id = await host.rest.saveWorkflow({
      name: 'Cycles',
      nodes: nodesWith({ events: ['invoice_paid'] }),
      connections: inLine('Trigger', 'Done'),
      settings: { executionOrder: 'v1' },
    });
    const begin = async () => {
      const { versionId } = await host.rest.getWorkflow(id);
      await host.rest.post(`/workflows/${id}/activate`, { versionId });
    };
    const end = async () => await host.rest.deactivate(id);
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const step = stepOf(cycle);
      const changed = changesBefore(cycle, step);
      if (changed) await host.rest.updateWorkflow(id, { nodes: nodesWith(changed) });
      const before = control.journal().length;
      control.addFault(faultOf(cycle, step));
      if (isKilled.activating(cycle)) {
        control.addLatency({ milliseconds: 300 });
        await killWhile(begin, 400);
      } else await attempt(begin);
      await faulted(before);
      await settled();
      expect(active().length).toBeLessThanOrEqual(1);
      // Checks that the workflow can be activated after the faults end.
      control.clearFaults();
      await attempt(end);
      await host.rest.activate(id);
      await until(`cycle ${cycle}: one ACTIVE webhook after an activation without faults`, () => active().length === 1);

      const activated = control.journal().length;
      control.addFault(faultOf(cycle, cycle % 2 === 0 ? 'disableWebhook' : 'getWebhooks'));
      if (isKilled.deactivating(cycle)) await killWhile(end, 30);
      await attempt(end);
      await faulted(activated);
      await settled();
      control.clearFaults();
      // A new activation and deactivation must disable a webhook that a fault left active.
      if (switchedOn().length > 0) {
        await host.rest.activate(id);
        await host.rest.deactivate(id);
        await settled();
      }
      expect(switchedOn()).toEqual([]);
    }

    const journal = control.journal();
    const failedAt = (step: Step) => journal.some(({ operationId, fault }) => operationId === step && fault !== null);
    expect(STEPS.filter((step) => !failedAt(step))).toEqual([]);
    // The service can't delete webhooks, so replaced webhooks remain disabled.
    const cycles = Array.from({ length: CYCLES }, (_, cycle) => cycle);
    const wanted = 1 + cycles.filter((cycle) => stepOf(cycle) === 'addWebhook').length;
    const lost = control.journal({ operationId: 'addWebhook' }).filter(({ applied, fault }) => applied && fault).length;
    expect(webhooks().length).toBeLessThanOrEqual(wanted + lost + cycles.filter(isKilled.activating).length);
    const faults = journal.filter(({ fault }) => fault !== null).length;
    process.stdout.write(
      `n8n ${major}: ${CYCLES} cycles, ${journal.length} calls, ${faults} faults, ${webhooks().length} webhooks made, ${lost} answers of registrations lost\n`,
    );
  }, 900_000);
});
