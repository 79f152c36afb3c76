import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { credentialFor } from '../../credential';
import type { SandboxInUse } from '../bench';
import { runWorkflow, type RunInput, type RunOutput } from '../harness';
import { subscription } from '../writes';

export const goOn: Partial<RunInput> = { onError: 'continueErrorOutput' };

export const errorOf = (item?: { json: IDataObject }) => item?.json.error as IDataObject;

export function subscriptionBench(sandbox: SandboxInUse, date_start: string) {
  const run = async (
    operation: string,
    parameters: INodeParameters = {},
    rows: IDataObject[] = [{}],
    more: Partial<RunInput> = {},
  ): Promise<RunOutput> =>
    await runWorkflow({
      rows,
      parameters: { resource: 'subscription', operation, ...parameters },
      credential: credentialFor(sandbox),
      ...more,
    });
  const newSubscription = async (more: INodeParameters = {}): Promise<string> => {
    const { items } = await run('', { ...subscription(sandbox, { date_start, ...more }) });
    return asText(items[0]?.json.subscription_id);
  };
  return { run, newSubscription };
}
