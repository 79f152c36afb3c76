import 'reflect-metadata';

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core reads and protects its own settings file; a folder of its own keeps it away from a person's n8n.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'payment-platform-simulator-'));
process.env.N8N_LOG_LEVEL = 'silent';

import { parse, stringify } from 'flatted';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
  NodeConnectionTypes,
  Workflow,
  type IConnections,
  type IDataObject,
  type INode,
  type INodeParameters,
  type INodeTypes,
  type IRun,
  type IRunExecutionData,
  type IWorkflowExecuteAdditionalData,
  type NodeConnectionType,
} from 'n8n-workflow';

import { SandboxCredential, type CredentialData } from '../credential';
import { processedData } from '../processed-data';
import type { Schedule } from './schedule';

export const NODE = 'Payment Platform';

/** A workflow as it is saved now: what a person edits between two tries. */
export interface Saved {
  schedule: Schedule;
  rows: IDataObject[][];
  parameters: INodeParameters;
  credential: CredentialData;
  nodeTypes: INodeTypes;
}

const node = (name: string, type: string, more: Partial<INode> = {}): INode => ({
  id: name,
  name,
  type,
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
  ...more,
});

function workflowOf({ schedule, rows, parameters, nodeTypes }: Saved): Workflow {
  const { caller, agent } = schedule;
  const { onError, tries, waitMs } = schedule.node;
  const retry = (times: number) => ({ retryOnFail: times > 1, maxTries: times, waitBetweenTries: waitMs });
  const own = node(NODE, caller === 'items' ? 'paymentPlatform' : 'paymentPlatformTool', {
    parameters,
    credentials: { paymentPlatformApi: { id: '1', name: 'Simulated' } },
    onError,
    ...retry(tries),
  });
  const to = (target: string, type: NodeConnectionType = NodeConnectionTypes.Main) => ({
    node: target,
    type,
    index: 0,
  });
  const main = (...targets: string[]) => ({ main: [targets.map((target) => to(target))] });
  const start = node('Start', 'rows', { parameters: { rows: '[{}]' } });
  const sources = rows.map((list, run) =>
    node(`Rows ${run}`, 'rows', { parameters: { rows: JSON.stringify(list) }, position: [0, run * 100] }),
  );
  const forItems = {
    nodes: [start, ...sources, own, node('Done', 'passOn'), node('Failed', 'passOn')],
    connections: {
      Start: main(...sources.map(({ name }) => name)),
      ...Object.fromEntries(sources.map(({ name }) => [name, main(NODE)])),
      [NODE]: { main: [[to('Done')], [to('Failed')]] },
    } as IConnections,
  };
  const forAgent = {
    nodes: [start, node('Agent', caller === 'engine' ? 'engineAgent' : 'functionAgent', retry(agent.tries)), own],
    connections: {
      Start: main('Agent'),
      [NODE]: { ai_tool: [[to('Agent', NodeConnectionTypes.AiTool)]] },
    } as IConnections,
  };
  return new Workflow({
    id: `simulated ${worlds}`,
    name: 'simulated',
    active: false,
    nodeTypes,
    settings: { timezone: 'UTC', executionOrder: 'v1' },
    ...(caller === 'items' ? forItems : forAgent),
  });
}

// The simulated clock goes on when nothing is left to do in this moment.
processedData.access = async () => await Promise.resolve();

let executions = 0;
let worlds = 0;

/** What is simulated from now on has a database of its own: no other world's executions are in it. */
export const newDatabase = (): void => void (worlds += 1);

function additionalDataOf(credential: CredentialData): IWorkflowExecuteAdditionalData {
  return {
    credentialsHelper: new SandboxCredential(credential),
    hooks: new ExecutionLifecycleHooks('manual', '1', {
      id: 'simulated',
      name: 'simulated',
      nodes: [],
      connections: {},
    } as never),
    executionId: String((executions += 1)),
    currentNodeExecutionIndex: 0,
    restApiUrl: '',
    instanceBaseUrl: '',
    formWaitingBaseUrl: 'http://127.0.0.1/waiting',
    formTestBaseUrl: '',
    webhookBaseUrl: 'http://127.0.0.1/webhook',
    webhookWaitingBaseUrl: 'http://127.0.0.1/waiting',
    webhookTestBaseUrl: '',
    variables: {},
    logAiEvent: () => undefined,
    setExecutionStatus: () => undefined,
  } as unknown as IWorkflowExecuteAdditionalData;
}

/** A new execution of the saved workflow. @param stoppable gets what stops it, as the Stop button does. */
export async function execute(saved: Saved, stoppable: (stop: () => void) => void): Promise<IRun> {
  const workflow = workflowOf(saved);
  const execution = new WorkflowExecute(additionalDataOf(saved.credential), 'manual').run({
    workflow,
    startNode: workflow.getNode('Start') ?? undefined,
  });
  stoppable(() => execution.cancel());
  return await execution;
}

/** What n8n stores of an execution. */
export const stored = (run: IRun): string => stringify(run.data);

/**
 * What n8n does when a person retries a stored execution with the workflow as it is saved now: a new process knows what
 * was stored, and nothing else.
 */
export async function executeAgain(saved: Saved, storedData: string): Promise<IRun> {
  const workflow = workflowOf(saved);
  const data = parse(storedData) as IRunExecutionData;
  const { resultData, executionData } = data;
  delete resultData.error;
  const last = resultData.runData[resultData.lastNodeExecuted ?? ''];
  if (last?.at(-1)?.error !== undefined) last?.pop();
  for (const entry of executionData?.nodeExecutionStack ?? [])
    entry.node = workflow.getNode(entry.node.name) ?? entry.node;
  return await new WorkflowExecute(additionalDataOf(saved.credential), 'retry', data).processRunExecutionData(workflow);
}
