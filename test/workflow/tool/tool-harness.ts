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

/** What one call of the model brought: what the model reads, and how often n8n ran the node for it. */
export interface ToolAnswer {
  /** The items' json, as n8n hands them to the model. */
  items: IDataObject[];
  /** As a text: every word of it. */
  text: string;
}

export interface Tool {
  call: (args?: IDataObject) => Promise<ToolAnswer>;
  data: IRunExecutionData;
}

export interface ToolInput extends Pick<RunInput, 'credential' | 'looksUp'> {
  parameters: INodeParameters;
  settings?: Partial<INode>;
  /** The execution that the tool belongs to; a new one unless given. */
  data?: IRunExecutionData;
  /** Whether a trigger calls the tool from outside of executions, as the MCP Server Trigger does: no node comes before. */
  fromOutside?: boolean;
  name?: string;
  type?: string;
}

/** The data of an execution that n8n runs; each call of the MCP Server Trigger has such data of its own. */
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

/** The node as a tool of an agent, called as n8n-core's own invocation does: a context and a run index for each try. */
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
