import type { INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { credentialFor } from '../credential';
import { TriggerHost } from './host';

export interface TriggerBench {
  sandbox: Sandbox;
  host: TriggerHost;
  /** Fires one event and returns the HTTP status of each try to deliver it. */
  deliver: (event: string, data?: object) => Promise<number[]>;
  close: () => Promise<void>;
}

/** A sandbox and an n8n with an active workflow. */
export async function openTriggerBench(parameters: INodeParameters = { events: ['*'] }): Promise<TriggerBench> {
  const sandbox = await startSandbox({ port: 0, seed: false });
  const host = await TriggerHost.open(credentialFor(sandbox), parameters);
  await host.activate();
  return {
    sandbox,
    host,
    deliver: async (event, data = {}) => {
      const before = sandbox.control.deliveries().length;
      sandbox.control.fireEvent({ event, data });
      await sandbox.control.settleDeliveries();
      return sandbox.control
        .deliveries()
        .slice(before)
        .map(({ status }) => status);
    },
    close: async () => {
      await host.close();
      await sandbox.stop();
    },
  };
}

/** The ID of the one webhook that has been registered first. */
export const webhookIdOf = ({ host }: TriggerBench): number => {
  const [registration] = Object.values(host.state.registrations as Record<string, { webhook_id: number }>);
  if (!registration) throw new Error('Nothing is registered');
  return registration.webhook_id;
};
