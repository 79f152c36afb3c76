import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import type { SandboxInUse } from '../bench';
import { runWorkflow, type RunInput, type RunOutput } from '../harness';

export const link = { amt_tran: 12.5, checkout_profile_id: 3002 };
/** Parameters that create a checkout link without a key. */
export const checkout: INodeParameters = {
  resource: 'api',
  operation: 'request',
  method: 'POST',
  path: '/platform/checkout',
  body: JSON.stringify(link),
};
export const keyed = (options: IDataObject = {}, more: INodeParameters = {}) =>
  ({ ...checkout, ...more, options: { oncePerKey: '={{ $json.deal }}', ...options } }) as INodeParameters;

export const outcomes = ({ items }: RunOutput) =>
  items.map(({ json }) =>
    json.error ? (json.error as IDataObject).outcome : json.done_by_earlier_try ? 'done by journal' : 'done',
  );
export const errorsOf = ({ items }: RunOutput) =>
  items.flatMap(({ json }) => (json.error ? [json.error as IDataObject] : []));

let deals = 0;
/** Returns input rows with new keys. */
export const some = (count: number): IDataObject[] =>
  Array.from({ length: count }, () => ({ deal: `D-${(deals += 1)}` }));

export function keyBench(sandbox: SandboxInUse) {
  const input = (rows: IDataObject[], parameters = keyed(), more: Partial<RunInput> = {}): RunInput => ({
    ...{ rows, parameters, credential: credentialFor(sandbox), onError: 'continueRegularOutput' },
    ...more,
  });
  const posts = () => sandbox.control.journal().filter(({ method }) => method === 'POST');
  return {
    input,
    run: async (...given: Parameters<typeof input>) => await runWorkflow(input(...given)),
    sent: () => posts().length,
    applied: () => posts().filter(({ applied }) => applied !== null).length,
    fault: (more: object) => sandbox.control.addFault({ method: 'POST', calls: [1], ...more } as never),
  };
}
