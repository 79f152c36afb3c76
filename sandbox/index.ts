import { SandboxControl } from './control/control';
import { SandboxClock } from './core/clock';
import { Timeline } from './core/timeline';
import { listen } from './server/server';
import { Environment, sandboxCredentials, type SandboxCredentials } from './state/environment';

export type { SandboxControl } from './control/control';
export type { ActiveFault, FaultKind, FaultRule, RequestPattern } from './control/faults';
export type { Attempt } from './webhooks/attempts';
export type { DeliverySettings } from './webhooks/settings';
export type { JournalEntry, JournalFilter } from './control/journal';
export type { Concurrency, LatencyRule } from './control/traffic';
export type { EnvironmentName, SandboxCredentials } from './state/environment';
export type { StateDump } from './views/state';

export const DEFAULT_PORT = 4010;

export interface SandboxOptions {
  /** Defaults to 4010. Port 0 selects any free port. */
  port?: number;
  /** Whether to start with sample records. Defaults to true. */
  seed?: boolean;
}

export interface Sandbox {
  port: number;
  /** Base URL of the test environment. Operation paths are relative to this URL. */
  baseUrl: string;
  productionBaseUrl: string;
  overviewUrl: string;
  controlUrl: string;
  credentials: { test: SandboxCredentials; production: SandboxCredentials };
  control: SandboxControl;
  stop(): Promise<void>;
}

/**
 * Starts an in-memory simulation of the service on loopback (sandbox.md).
 * @throws Error if the port is in use.
 */
export async function startSandbox({ port = DEFAULT_PORT, seed = true }: SandboxOptions = {}): Promise<Sandbox> {
  const timeline = new Timeline(new SandboxClock());
  const credentials = { test: sandboxCredentials('test'), production: sandboxCredentials('production') };
  const environments = {
    test: new Environment('test', credentials.test, timeline),
    production: new Environment('production', credentials.production, timeline),
  };
  const control = new SandboxControl(environments, timeline, seed);
  control.reset();
  const running = await listen(environments, control, port);
  const origin = `http://127.0.0.1:${running.port}`;
  environments.test.baseUrl = `${origin}/test`;
  environments.production.baseUrl = `${origin}/production`;
  return {
    port: running.port,
    baseUrl: environments.test.baseUrl,
    productionBaseUrl: environments.production.baseUrl,
    overviewUrl: `${origin}/`,
    controlUrl: `${origin}/_sandbox`,
    credentials,
    control,
    stop: async () => {
      control.stop();
      await running.server.close();
    },
  };
}
