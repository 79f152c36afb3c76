import { sleep } from 'n8n-workflow';

import { objectIn } from '../../nodes/PaymentPlatform/shared/objects';
import { credentialFor } from '../credential';
import { clientFor } from '../sandbox/client';
import type { SandboxInUse } from '../workflow/sandbox';
import { TriggerHost } from './host';
import { DAMAGES, UNREADABLE_LISTS, type Step } from './life-schedule';

/** Time between two steps, in simulated milliseconds. */
const PAUSE_MS = 120_000;

/** State in which the user or n8n left the workflow. It is unknown after a failed activation or a kill. */
type Wanted = 'active' | 'inactive' | 'unknown';

/** Runs a life of a trigger. Returns the broken rules, or an empty list. */
export async function live(sandbox: SandboxInUse, steps: Step[]): Promise<string[]> {
  const life = await Life.begin(sandbox);
  try {
    for (const step of steps) await life.take(step);
    await life.recover();
  } finally {
    await life.end();
  }
  return life.violations;
}

class Life {
  readonly violations: string[] = [];
  private wanted: Wanted = 'inactive';
  private step = 0;
  private invoices = 0;
  private readonly snapshots: string[] = [];

  private constructor(
    private readonly sandbox: SandboxInUse,
    private readonly host: TriggerHost,
    private readonly byHand: number,
  ) {}

  static async begin(sandbox: SandboxInUse): Promise<Life> {
    sandbox.control.reset(false);
    const host = await TriggerHost.open(credentialFor(sandbox));
    // Loads the code again, because a test may have planted a defect.
    await host.restart();
    const client = clientFor(sandbox.baseUrl, `Basic ${sandbox.credentials.test.token}`);
    const byHand = { notification_url: host.url, label: 'By hand' };
    const { data } = (await client.post<{ data: { webhook_id: number } }>('/platform/webhook', byHand)).data;
    return new Life(sandbox, host, data.webhook_id);
  }

  async end(): Promise<void> {
    await this.host.idle();
    await this.host.close();
  }

  async take(step: Step): Promise<void> {
    this.step += 1;
    this.snapshots.push(this.host.stored);
    if (step.data) this.damage(step.data);
    const received = step.isReceivedFirst ? await this.receive() : [];
    if (step.isRestarted) await this.restart(received);
    this.host.parameters = { events: ['*'], options: step.isLinked ? { webhook_node: '100000000002' } : {} };
    await this.callHooks(step);
    const receivedLater = await this.receive();
    if (step.isRestartedLater) await this.restart(receivedLater);
    await sleep(PAUSE_MS);
  }

  /** Expects one activation to repair everything, and one deactivation to clean up. */
  async recover(): Promise<void> {
    this.step += 1;
    await this.callHooks(CLEAN);
    if ((await this.receive()).length !== 1) this.report('the activation did not recover');
    await this.callHooks({ ...CLEAN, hooks: [{ hook: 'deactivate', afterMs: 0 }] });
    if (this.webhooks().some(({ status }) => status === 'ACTIVE'))
      this.report('the deactivation left a webhook active');
  }

  private report(text: string): void {
    this.violations.push(`step ${this.step}: ${text}`);
  }

  /** Webhooks that the trigger created. */
  private webhooks() {
    return this.sandbox.control.state().webhooks.filter(({ webhook_id }) => webhook_id !== this.byHand);
  }

  /** IDs of the webhooks that receive new events. A replaced webhook receives only probes and held events. */
  private receiving(): number[] {
    const isReplaced = ({ events }: { events?: string[] }) => JSON.stringify(events) === '["validate_url"]';
    return this.webhooks().flatMap((one) => (one.status === 'ACTIVE' && !isReplaced(one) ? [one.webhook_id] : []));
  }

  private damage(data: string): void {
    const registrations = objectIn(objectIn(this.host.state).registrations) as Record<string, object>;
    const [first = '{}'] = this.snapshots.slice(-3);
    const damaged = { 'node:Trigger': DAMAGES[data]?.(registrations) };
    this.host.stored = data === 'overwritten' ? first : JSON.stringify(damaged);
  }

  /** Delivers an event to each active webhook of an active workflow. Returns the IDs whose events were accepted. */
  private async receive(): Promise<number[]> {
    const accepted: number[] = [];
    for (const webhookId of this.wanted === 'active' ? this.receiving() : []) {
      this.invoices += 1;
      const before = this.host.executions.length;
      const data = { invoice_id: this.invoices };
      const status = await this.sandbox.control.sendDelivery({ webhookId, event: 'invoice_paid', data });
      // The response precedes the execution that reports a problem.
      if (status !== 200) await sleep(500);
      await this.host.idle();
      const isTold = this.host.problems.some((text) => text.includes(`webhook ${webhookId} `));
      if (status === 200) accepted.push(webhookId);
      if (status === 200 && this.host.executions.length !== before + 1)
        this.report(`an event of webhook ${webhookId} was acknowledged and not emitted`);
      if (status !== 200 && (status !== 503 || !isTold))
        this.report(
          `an event of webhook ${webhookId} got status ${status}, and a person ${isTold ? 'knows' : "doesn't know"}`,
        );
    }
    return accepted;
  }

  /** Expects the events of the same webhooks to be accepted after a restart, because a call restores the data. */
  private async restart(accepted: number[]): Promise<void> {
    await sleep(1000);
    await this.host.restart();
    const still = await this.receive();
    const lost = accepted.filter((webhookId) => !still.includes(webhookId));
    if (lost.length > 0) this.report(`a restart lost the data of webhooks ${lost.join()}`);
  }

  private async callHooks(step: Step): Promise<void> {
    const { control } = this.sandbox;
    const { latency, fault, list, hooks, isKilled } = step;
    const [stored, created, logged] = [this.stored(), this.webhooks().length, this.host.log.length];
    if (latency) control.addLatency(latency);
    if (fault) control.addFault({ ...fault, calls: [fault.call], retryAfterSeconds: 0 });
    const unreadable = list === undefined ? undefined : UNREADABLE_LISTS[list];
    if (unreadable) control.addFault({ ...unreadable, method: 'GET', path: '/platform/webhook' });
    if (list === 'late') control.setListLag(PAUSE_MS / 2);
    const results = await Promise.all(
      hooks.map(async ({ hook, afterMs }) => {
        if (afterMs > 0) await sleep(afterMs);
        return await this.call(hook, isKilled);
      }),
    );
    control.clearLatency();
    control.clearFaults();
    control.setListLag(0);
    const [last, result] = [hooks.at(-1)?.hook, results.at(-1)];
    const isActivated = last === 'activate' && result === true;
    this.wanted = isKilled ? 'unknown' : last === 'deactivate' ? 'inactive' : isActivated ? 'active' : 'unknown';
    if (unreadable && this.webhooks().length > created) this.report('the trigger created a webhook without a list');
    const text = this.host.log
      .slice(logged)
      .map((line) => line.text)
      .join('\n');
    if (last === 'deactivate') this.checkDeactivation(result === true, text);
    if (this.wanted === 'active') this.checkActivation(fault !== undefined || list !== undefined || stored);
    if (this.sandbox.control.state().webhooks.find(({ webhook_id }) => webhook_id === this.byHand)?.status !== 'ACTIVE')
      this.report("the trigger changed a user's webhook");
  }

  /** Whether the static data may lack a webhook, so that an activation can't know it. */
  private stored(): boolean {
    return !this.receiving().every((webhookId) => this.host.stored.includes(`"${webhookId}"`));
  }

  private async call(hook: 'activate' | 'deactivate', killed: boolean): Promise<unknown> {
    try {
      const result = await this.host[hook]({ killed });
      return hook === 'activate' || result;
    } catch (error) {
      const text = String(error);
      if (hook === 'deactivate' || !/The trigger could not/.test(text)) this.report(`${hook}: ${text.slice(0, 200)}`);
      return false;
    }
  }

  private checkDeactivation(isDone: boolean, log: string): void {
    for (const { webhook_id, status } of this.webhooks()) {
      if (status !== 'ACTIVE') continue;
      if (isDone) this.report(`a deactivation left webhook ${webhook_id} active and did not say so`);
      else if (!log.includes(`Webhook ${webhook_id} `) && !log.includes('could not look for leftover webhooks'))
        this.report(`the log does not say that webhook ${webhook_id} is still active`);
    }
  }

  private checkActivation(mayHaveOthers: boolean): void {
    const active = this.receiving();
    if (active.length === 0) this.report('an activation left no webhook active');
    if (active.length > 1 && !mayHaveOthers) this.report(`an activation left the webhooks ${active.join()} active`);
  }
}

const CLEAN: Step = {
  isRestarted: false,
  isReceivedFirst: false,
  hooks: [{ hook: 'activate', afterMs: 0 }],
  isLinked: false,
  isKilled: false,
  isRestartedLater: false,
};
