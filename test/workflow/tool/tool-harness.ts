import { additionalDataFor, nodeTypes, withoutLookUps, type RunInput } from '../harness';

import { SupplyDataContext } from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
  createEmptyRunExecutionData,
  NodeConnectionTypes,
  Workflow,
  type IDataObject,
  type INode,
  type INodeParameters,
  type IRunExecutionData,
} from 'n8n-workflow';

export interface ToolAnswer {
  items: IDataObject[];
  text: string;
}

export interface Tool {
  call: (args?: IDataObject) => Promise<ToolAnswer>;
  data: IRunExecutionData;
}

export interface ToolInput extends Pick<RunInput, 'credential' | 'looksUp'> {
  parameters: INodeParameters;
  settings?: Partial<INode>;
  data?: IRunExecutionData;
  /** Whether the call comes from outside an execution, such as a call by the MCP Server Trigger. */
  fromOutside?: boolean;
  name?: string;
  type?: string;
}

/** n8n creates separate data for each call by the MCP Server Trigger. */
const executionData = (): IRunExecutionData => ({
  ...createEmptyRunExecutionData(),
  executionData: {
    contextData: {},
    nodeExecutionStack: [],
    metadata: {},
    waitingExecution: {},
    waitingExecutionSource: {},
  },
});

/** Tools with the same data belong to the same execution. */
const executionIds = new WeakMap<IRunExecutionData, string>();

/** Creates an agent's tool from the node, as n8n-core does. */
export function toolOf({
  parameters: given,
  looksUp = false,
  credential,
  settings,
  data,
  name = 'Pay',
  fromOutside,
  type = 'paymentPlatformTool',
}: ToolInput): Tool {
  const parameters = looksUp ? given : withoutLookUps(given);
  const runData = data ?? executionData();
  const node: INode = {
    id: name,
    name,
    type,
    typeVersion: 1,
    position: [0, 0],
    parameters,
    credentials: { paymentPlatformApi: { id: '1', name: 'Sandbox' } },
    ...settings,
  };
  const workflow = new Workflow({ id: 'test', name: 'test', active: false, nodeTypes, nodes: [node], connections: {} });
  const own = workflow.getNode(name) as INode;
  const additionalData = additionalDataFor(credential, executionIds.get(runData));
  executionIds.set(runData, additionalData.executionId ?? '');
  const contextOf = (runIndex: number) =>
    new SupplyDataContext(
      workflow,
      own,
      additionalData,
      'manual',
      runData,
      runIndex,
      [{ json: {} }],
      {},
      NodeConnectionTypes.AiTool,
      {
        data: { main: [[{ json: {} }]] },
        node: own,
        source: fromOutside ? null : { main: [{ previousNode: 'Start' }] },
      },
      [],
    );
  const invoke = makeHandleToolInvocation(contextOf as never, own, nodeTypes.getByName(type) as never, runData);
  return {
    data: runData,
    call: async (args = {}) => {
      const text = String(await invoke(args as never));
      return { text, items: JSON.parse(text) as IDataObject[] };
    },
  };
}
