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

/** Result of one model call: the text for the model and the number of node runs. */
export interface ToolAnswer {
  /** JSON of the items, as n8n passes it to the model. */
  items: IDataObject[];
  /** The whole result as text. */
  text: string;
}

export interface Tool {
  call: (args?: IDataObject) => Promise<ToolAnswer>;
  data: IRunExecutionData;
}

export interface ToolInput extends Pick<RunInput, 'credential' | 'looksUp'> {
  parameters: INodeParameters;
  settings?: Partial<INode>;
  /** Data of the tool's execution. Defaults to a new execution. */
  data?: IRunExecutionData;
  /** Whether a trigger calls the tool outside executions, as the MCP Server Trigger does, so no node precedes it. */
  fromOutside?: boolean;
  name?: string;
  type?: string;
}

/** Creates the data of an n8n execution. Each call by the MCP Server Trigger has its own data. */
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

/** Returns the node as an agent's tool. Like n8n-core, each attempt has its own context and run index. */
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
  const additionalData = additionalDataFor(credential);
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
