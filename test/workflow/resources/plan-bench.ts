import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import type { SandboxInUse } from '../bench';
import { runWorkflow } from '../harness';
import { idOf } from '../writes';

/** Parameters of a plan that the sandbox doesn't contain. */
export const box: INodeParameters = {
  ...{ own_plan_code: 'BOX', plan_name: 'Garden box', plan_desc: 'A box, monthly', recur_amt: '39.50' },
  ...{ plan_frequency: 3, endsAfter: 'cancellation' },
};

export function planBench(sandbox: SandboxInUse) {
  const writes = () =>
    sandbox.control
      .journal()
      .filter(({ method }) => method !== 'GET')
      .map(({ body }) => body as IDataObject);
  const subscribe = async (plan_code: string): Promise<void> => {
    await runWorkflow({
      rows: [{}],
      parameters: {
        ...{
          resource: 'subscription',
          operation: 'create',
          customerSource: 'existing',
          termsSource: 'plan',
          plan_code,
        },
        ...{ customer_id: idOf('CUST0001'), date_start: '2030-03-01' },
      },
      credential: credentialFor(sandbox),
    });
  };
  return { writes, subscribe };
}
