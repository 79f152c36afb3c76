import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { HostMajor } from '../../host/install';
import type { Execution } from '../../host/rest';
import { startChatModel, type ChatModel, type Turns } from './chat-model';
import { CREDENTIAL, startHost, type Host } from './host';
import { openMcpSession } from './mcp-client';
import { node } from './workflows';

const TOOL = 'Refund';
const HELPER = 'Helper';
const MODEL = 'Model';
const LANGCHAIN = '@n8n/n8n-nodes-langchain.';

/** Real n8n with a scripted chat model and a second credential for the production environment. */
export interface AgentHost extends Host {
  model: ChatModel;
  modelCredentialId: string;
  productionCredentialId: string;
}

type ToolHost = Pick<Host, 'n8n' | 'rest' | 'credentialId'> & Partial<Pick<AgentHost, 'productionCredentialId'>>;

export interface ToolSettings {
  guards?: IDataObject;
  /** Parameters that replace all default parameters of the tool. */
  parameters?: IDataObject;
  production?: boolean;
  settings?: Partial<INode>;
}

/** Way in which n8n lets a chat model call a tool. */
export interface Way {
  name: string;
  ask: (host: AgentHost, tool: ToolSettings, turns: Turns) => Promise<string[]>;
  /** Runs the model's calls, makes it fail once, and retries the execution. */
  askAgain?: (host: AgentHost, tool: ToolSettings, turns: Turns) => Promise<string[]>;
}

type Parts = (host: AgentHost, tool: ToolSettings) => { nodes: INode[]; connections: IConnections };

export async function startAgentHost(): Promise<AgentHost> {
  const host = await startHost();
  const model = await startChatModel();
  const { merchantId, apiKey } = host.sandbox.credentials.production;
  const production = { environment: 'production', baseUrl: host.sandbox.productionBaseUrl, merchantId, apiKey };
  return {
    ...host,
    model,
    modelCredentialId: await host.rest.saveCredential(
      MODEL,
      { apiKey: 'none', url: model.url, header: false, allowedHttpRequestDomains: 'all' },
      'openAiApi',
    ),
    productionCredentialId: await host.rest.saveCredential('Production', { authMethod: 'apiKey', ...production }),
    stop: async () => {
      await model.stop();
      await host.stop();
    },
  };
}

function toolNode(host: ToolHost, { guards, parameters, production, settings }: ToolSettings): INode {
  const filled = {
    resource: 'transaction',
    operation: 'refund',
    pg_id: { __rl: true, mode: 'id', value: "={{ $fromAI('transaction', 'The sale', 'string') }}" },
    amt_tran: "={{ $fromAI('amount', 'How much', 'number') }}",
    additionalFields: { session_id: "={{ $fromAI('note', 'A word', 'string') }}" },
    ...guards,
  };
  const credential = production
    ? { id: host.productionCredentialId ?? '', name: 'Production' }
    : { id: host.credentialId, name: CREDENTIAL };
  return node(TOOL, `${host.n8n.typePrefix}paymentPlatformTool`, parameters ?? filled, {
    credentials: { paymentPlatformApi: credential },
    ...settings,
  });
}

const modelNode = (host: AgentHost): INode =>
  node(
    MODEL,
    `${LANGCHAIN}lmChatOpenAi`,
    { model: { __rl: true, mode: 'id', value: 'scripted' }, options: { maxRetries: 0 } },
    { typeVersion: 1.2, credentials: { openAiApi: { id: host.modelCredentialId, name: MODEL } } },
  );

const agentNode = (typeVersion: number): INode =>
  node(
    'Agent',
    `${LANGCHAIN}agent`,
    { promptType: 'define', text: 'Refund what is wanted.', options: { enableStreaming: false } },
    { typeVersion },
  );

const helperNode = (typeVersion: number): INode =>
  node(
    HELPER,
    `${LANGCHAIN}agentTool`,
    {
      toolDescription: 'Refunds',
      text: "={{ $fromAI('task', 'What to do', 'string') }}",
      options: { enableStreaming: false },
    } as INodeParameters,
    { typeVersion },
  );

const to = (type: string, ...names: string[]) => ({
  [type]: [names.map((name) => ({ node: name, type: type as 'main', index: 0 }))],
});

let number = 0;
const uniqueName = (name: string) => `${name} ${++number}`;

const agent = (typeVersion: number): Way => {
  const parts: Parts = (host, tool) => ({
    nodes: [
      node('Start', 'n8n-nodes-base.manualTrigger'),
      agentNode(typeVersion),
      modelNode(host),
      toolNode(host, tool),
    ],
    connections: {
      Start: to('main', 'Agent'),
      [MODEL]: to('ai_languageModel', 'Agent'),
      [TOOL]: to('ai_tool', 'Agent'),
    },
  });
  return executed(`Agent ${typeVersion}`, TOOL, parts);
};

const subAgent = (typeVersion: number, outer: number): Way => {
  const parts: Parts = (host, tool) => ({
    nodes: [
      node('Start', 'n8n-nodes-base.manualTrigger'),
      agentNode(outer),
      helperNode(typeVersion),
      modelNode(host),
      toolNode(host, tool),
    ],
    connections: {
      Start: to('main', 'Agent'),
      [MODEL]: to('ai_languageModel', 'Agent', HELPER),
      [HELPER]: to('ai_tool', 'Agent'),
      [TOOL]: to('ai_tool', HELPER),
    },
  });
  return executed(`sub-agent ${typeVersion} of Agent ${outer}`, HELPER, parts);
};

const executed = (name: string, outermost: string, parts: Parts): Way => {
  const execute = async (host: AgentHost, tool: ToolSettings, turns: Turns, breaks?: string) => {
    host.model.play({ [TOOL]: turns, [HELPER]: [[{ task: 'Refund what is wanted.' }]] }, breaks);
    const settings = { executionOrder: 'v1' };
    const id = await host.rest.saveWorkflow({ name: uniqueName(name), ...parts(host, tool), settings });
    return await host.rest.execute(id);
  };
  return {
    name,
    ask: async (host, tool, turns) => {
      expectStatus(await execute(host, tool, turns), 'success');
      return host.model.read(TOOL);
    },
    askAgain: async (host, tool, turns) => {
      const failed = expectStatus(await execute(host, tool, turns, outermost), 'error');
      expectStatus(await host.rest.executions.retry(failed.id, { loadWorkflow: false }), 'success');
      return host.model.read(TOOL);
    },
  };
};

function expectStatus(execution: Execution, wanted: string): Execution {
  const { status, data } = execution;
  if (status !== wanted) throw new Error(`The execution is ${status}: ${JSON.stringify(data.resultData.error)}`);
  return execution;
}

/** Publishes a workflow that offers the tool through n8n's MCP server, and returns the URL's path. */
export async function publishTool(host: ToolHost, tool: ToolSettings): Promise<string> {
  const path = uniqueName('payments').replace(' ', '-');
  const trigger = node('Server', `${LANGCHAIN}mcpTrigger`, { path }, { typeVersion: 2, webhookId: path });
  const id = await host.rest.saveWorkflow({
    name: uniqueName('MCP'),
    nodes: [trigger, toolNode(host, tool)],
    connections: { [TOOL]: to('ai_tool', 'Server') },
    settings: { executionOrder: 'v1' },
  });
  await host.rest.activate(id);
  return `mcp/${path}`;
}

const mcp: Way = {
  name: 'MCP Server Trigger',
  ask: async (host, tool, turns) => {
    const path = await publishTool(host, tool);
    const session = await openMcpSession(`${host.n8n.baseUrl}/${path}`);
    const texts: string[] = [];
    for (const turn of turns)
      texts.push(...(await Promise.all(turn.map(async (args) => await session.call(TOOL, args)))));
    return texts;
  },
};

/** Tool-calling methods that the tests use in each major version of n8n. */
export const waysOf: Record<HostMajor, Way[]> = {
  2: [agent(2.2), agent(3.1), mcp, subAgent(3, 3.1)],
  1: [agent(2.2), mcp, subAgent(2.2, 2.2)],
};
