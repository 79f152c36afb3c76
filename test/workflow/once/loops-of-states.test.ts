import { NodeConnectionTypes, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { sandboxForFile } from '../bench';
import { addNodeType } from '../harness';
import { subscriptionBench } from '../resources/subscription-bench';
import { idOf } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const { run, newSubscription } = subscriptionBench(sandbox, '2030-03-01');

/** Runs an operation twice in one execution. `between` changes the service's records after the first run. */
async function twice(operation: string, id: string, between: () => Promise<unknown>) {
  let runs = 0;
  addNodeType('passOn', {
    description: {
      ...{ displayName: 'Pass On', name: 'passOn', group: ['transform'], version: 1, description: '', defaults: {} },
      ...{ inputs: [NodeConnectionTypes.Main], outputs: [NodeConnectionTypes.Main], properties: [] },
    },
    async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
      if (this.getNode().name === 'Done' && (runs += 1) === 1) await between();
      return [this.getInputData()];
    },
  });
  const given = { subscription_id: idOf(id) };
  const more = { by: ['First', 'Second'], looksUp: true, onError: 'continueRegularOutput' as const };
  const { run: execution } = await run(operation, given, [{}], more);
  return execution.data.resultData.runData['Payment Platform']?.map(({ data }) => data?.main?.[0]?.[0]?.json);
}

test.each([
  ['pause', 'resume', 'paused'],
  ['resume', 'pause', 'active'],
])(
  "finds the second %s in a loop after another user's %s and a lost response",
  async (operation, back, state) => {
    const id = await newSubscription();
    if (operation === 'resume') await run(back, { subscription_id: idOf(id) });
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: `${operation}Subscription`, calls: [2] });
    const results = await twice(operation, id, async () => await run(back, { subscription_id: idOf(id) }));
    expect(results?.map((json) => [json?.subscription_id, json?.status_text, json?.found_at_service])).toEqual([
      [id, state, undefined],
      [id, state, `the subscription is ${state}, changed since the request`],
    ]);
    expect(sandbox.control.journal({ operationId: `${operation}Subscription` })).toHaveLength(2);
  },
  60_000,
);
