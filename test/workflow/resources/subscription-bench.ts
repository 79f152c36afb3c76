import type { INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { benchOf, type SandboxInUse } from '../bench';
import { subscription } from '../writes';

export function subscriptionBench(sandbox: SandboxInUse, date_start: string) {
  const { run, runOperation, bodies, sent } = benchOf(sandbox, { parameters: { resource: 'subscription' } });
  const newSubscription = async (more: INodeParameters = {}): Promise<string> => {
    const { items } = await run(subscription(sandbox, { date_start, ...more }));
    return asText(items[0]?.json.subscription_id);
  };
  return { run: runOperation, bodies, sent, newSubscription };
}
