import { createHmac } from 'node:crypto';

import axios from 'axios';
import { sleep, type INodeParameters } from 'n8n-workflow';

import type { EnvironmentName } from '../../sandbox/state/environment';
import { credentialFor } from '../credential';
import { openedFor } from '../opened';
import { timeIsSimulated } from '../simulated-time';
import { sandboxForFile, type SandboxInUse } from '../workflow/sandbox';
import { TriggerHost, type HostOptions } from './host';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });

export interface TriggerBench {
  sandbox: SandboxInUse;
  environment: EnvironmentName;
  host: TriggerHost;
  /** Fires one event, and returns the HTTP status of each delivery attempt. */
  deliver: (event: string, data?: object) => Promise<number[]>;
  /** Waits for all executions, and returns the number of executions with output. */
  emitted: () => Promise<number>;
  close: () => Promise<void>;
}

/** Starts the sandbox and n8n with an active workflow. */
export async function openTriggerBench(
  parameters: INodeParameters = { events: ['*'] },
  options: HostOptions = {},
  environment: EnvironmentName = 'test',
): Promise<TriggerBench> {
  const host = await TriggerHost.open(credentialFor(sandbox, environment), parameters, options);
  await host.activate();
  return {
    sandbox,
    environment,
    host,
    deliver: async (event, data = {}) => {
      const before = sandbox.control.deliveries().length;
      sandbox.control.fireEvent({ event, data });
      await sandbox.control.settleDeliveries();
      await host.idle();
      return sandbox.control
        .deliveries()
        .slice(before)
        .map(({ status }) => status);
    },
    emitted: async () => {
      await host.idle();
      return host.executions.length;
    },
    close: async () => {
      await host.idle();
      await host.close();
    },
  };
}

/** Starts the sandbox and n8n with an active workflow before each test. */
export const triggerBenchForTest = (parameters?: INodeParameters): TriggerBench =>
  openedFor(
    async () => await openTriggerBench(parameters),
    async (bench) => await bench.close(),
    [beforeEach, afterEach],
  );

/** Returns the ID of the only registered webhook. */
export const webhookIdOf = ({ host }: TriggerBench): number => {
  const [registration] = Object.values(host.state.registrations as Record<string, { webhook_id: string }>);
  if (!registration) throw new Error('Nothing is registered');
  return Number(registration.webhook_id);
};

/** Time in milliseconds until n8n's database contains the key of an ended execution. */
const NOTED_MS = 500;

/** Waits in simulated time until n8n's database contains the keys of all executions. */
export async function noted({ host }: TriggerBench): Promise<void> {
  await host.idle();
  await sleep(NOTED_MS);
}

export interface CallOptions {
  body?: object | string;
  /** URL of the n8n process to call. Defaults to the first process. */
  url?: string;
  webhookId?: number;
  /** Time in milliseconds after which the caller stops waiting for a response. */
  hangsUpAfterMs?: number;
}

let invoices = 0;

/** Builds the body of an event with the current time, in the service's format. */
export function bodyOf(bench: TriggerBench, more: object = {}): object {
  invoices += 1;
  const db_timestamp = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const [data, is_test] = [{ invoice_id: invoices }, bench.environment === 'test'];
  return { webhook_id: webhookIdOf(bench), db_timestamp, event: 'invoice_paid', is_test, data, ...more };
}

/** Calls the webhook as the service does, with the webhook's password and signature. */
export async function call(
  bench: TriggerBench,
  { body = bodyOf(bench), url, webhookId, hangsUpAfterMs }: CallOptions = {},
) {
  // Uses a timer, because axios's `timeout` doesn't follow the test's simulated time.
  const caller = new AbortController();
  if (hangsUpAfterMs !== undefined) setTimeout(() => caller.abort(), hangsUpAfterMs);
  const { control } = bench.sandbox;
  const { security_key, auth_settings } = control.webhookSecrets(webhookId ?? webhookIdOf(bench), bench.environment);
  const bytes = typeof body === 'string' ? body : JSON.stringify(body);
  const who = `${auth_settings?.user_name}:${auth_settings?.user_password}`;
  return await axios.post<Record<string, unknown>>(url ?? bench.host.url, Buffer.from(bytes), {
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(who).toString('base64')}`,
      'x-service-webhook-signature': createHmac('sha256', security_key).update(bytes).digest('base64'),
    },
    proxy: false,
    signal: caller.signal,
    validateStatus: () => true,
  });
}
