import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { benchOf, type SandboxInUse } from '../bench';
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
    await benchOf(sandbox).run({
      ...{ resource: 'subscription', operation: 'create', customerSource: 'existing', termsSource: 'plan' },
      ...{ plan_code, customer_id: idOf('CUST0001'), date_start: '2030-03-01' },
    });
  };
  return { writes, subscribe };
}
