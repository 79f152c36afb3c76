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
  createRunExecutionData,
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
import { NODES } from './nodes';
import { recovered, type Progress } from './recovery';
import type { Host, Schedule } from './schedule';

/** How long n8n's database takes to read or write, where it takes time. */
const DATABASE_MS = 1;

/** A workflow as it is saved now: what a person edits between two tries. */
export interface Saved {
  schedule: Schedule;
  /** The rows of each run, and their numbers in the execution. */
  rows: Array<Array<{ json: IDataObject; number: number }>>;
  /** Of each node. */
  parameters: INodeParameters[];
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
  const { caller, agent, host, loop } = schedule;
  const { onError, tries, waitMs } = schedule.node;
  const retry = (times: number) => ({ retryOnFail: times > 1, maxTries: times, waitBetweenTries: waitMs });
  const own = parameters.map((each, index) =>
    node(NODES[index] ?? '', caller === 'items' ? 'paymentPlatform' : 'paymentPlatformTool', {
      parameters: each,
      credentials: { paymentPlatformApi: { id: '1', name: 'Simulated' } },
      onError,
      ...retry(tries),
      // Of two nodes at one output n8n runs the upper one first.
      position: [500, index * 100],
    }),
  );
  const names = own.map(({ name }) => name);
  const to = (target: string, type: NodeConnectionType = NodeConnectionTypes.Main) => ({
    node: target,
    type,
    index: 0,
  });
  const main = (...targets: string[]) => ({ main: [targets.map((target) => to(target))] });
  const start = node('Start', 'rows', { parameters: { rows: '[{}]' } });
  const sourceOf = (list: Saved['rows'][number], run: number) =>
    node(`Rows ${run}`, 'rows', {
      parameters: {
        rows: JSON.stringify(list.map(({ json }) => json)),
        numbers: JSON.stringify(list.map(({ number }) => number)),
      },
      position: [0, run * 100],
    });
  const sources = loop ? [sourceOf(rows.flat(), 0)] : rows.map(sourceOf);
  const others = [...sources, ...(loop ? [node('Loop', 'loop', { parameters: { batchSize: rows[0]?.length } })] : [])];
  const after = [node('Done', 'passOn'), node('Failed', 'passOn')];
  const forItems = {
    nodes: host?.nodeLast === false ? [start, ...own, ...others, ...after] : [start, ...others, ...after, ...own],
    connections: {
      Start: main(...sources.map(({ name }) => name)),
      ...Object.fromEntries(sources.map(({ name }) => [name, main(...(loop ? ['Loop'] : names))])),
      ...(loop && { Loop: { main: [[to('Done')], names.map((name) => to(name))] } }),
      ...Object.fromEntries(
        // The last node closes the loop.
        names.map((name) => [name, { main: [[to(loop && name === names.at(-1) ? 'Loop' : 'Done')], [to('Failed')]] }]),
      ),
    } as IConnections,
  };
  const forAgent = {
    nodes: [start, node('Agent', caller === 'engine' ? 'engineAgent' : 'functionAgent', retry(agent.tries)), ...own],
    connections: {
      Start: main('Agent'),
      ...Object.fromEntries(names.map((name) => [name, { ai_tool: [[to('Agent', NodeConnectionTypes.AiTool)]] }])),
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

let executions = 0;
let worlds = 0;

/**
 * What is simulated from now on has a database of its own: no other world's executions are in it.
 * @param isSlow whether it takes time, so that n8n can be killed in the midst of it; otherwise the simulated clock goes on
 * when nothing is left to do in this moment.
 */
export function newDatabase(isSlow: boolean): void {
  worlds += 1;
  processedData.rows.clear();
  processedData.access = async () => {
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, DATABASE_MS));
  };
}

/** A new process has the same database and knows nothing else: what the code keeps, it keeps for a workflow. */
export function restartProcess(): void {
  const [before, now] = [`simulated ${worlds} `, `simulated ${worlds + 1} `];
  worlds += 1;
  for (const [row, keys] of [...processedData.rows])
    if (row.startsWith(before)) processedData.rows.set(row.replace(before, now), keys);
}

function additionalDataOf(credential: CredentialData, hooks: ExecutionLifecycleHooks): IWorkflowExecuteAdditionalData {
  return {
    credentialsHelper: new SandboxCredential(credential),
    hooks,
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

/** An execution under way. */
export interface Execution {
  run: Promise<IRun>;
  /** What n8n shows and retries after it was killed at this moment and started again. */
  crashed: () => string;
}

/** A new execution of the saved workflow. @param stoppable gets what stops it, as the Stop button does. */
export function execute(saved: Saved, stoppable: (stop: () => void) => void): Execution {
  const workflow = workflowOf(saved);
  const { host } = saved.schedule;
  if (host) return proceed(saved, workflow, 'trigger', initialData(workflow, host.major));
  const { hooks, crashed } = watched(saved, workflow, '');
  const run = new WorkflowExecute(additionalDataOf(saved.credential, hooks), 'manual').run({
    workflow,
    startNode: workflow.getNode('Start') ?? undefined,
  });
  stoppable(() => run.cancel());
  return { run, crashed };
}

/** What n8n stores of an execution. */
export const stored = (run: IRun): string => stringify(run.data);

/**
 * What n8n does when a person retries a stored execution with the workflow as it is saved now: a new process knows what
 * was stored, and nothing else.
 */
export function executeAgain(saved: Saved, storedData: string): Execution {
  const workflow = workflowOf(saved);
  const data = parse(storedData) as IRunExecutionData;
  const { resultData, executionData } = data;
  delete resultData.error;
  const last = resultData.runData[resultData.lastNodeExecuted ?? ''];
  if (last?.at(-1)?.error !== undefined) last?.pop();
  for (const entry of executionData?.nodeExecutionStack ?? [])
    entry.node = workflow.getNode(entry.node.name) ?? entry.node;
  return proceed(saved, workflow, 'retry', data);
}

/** What an execution that a trigger begins has before its work. */
function initialData(workflow: Workflow, major: Host['major']): IRunExecutionData {
  const start = workflow.getNode('Start');
  if (!start) throw new Error('The workflow has a start');
  return createRunExecutionData({
    executionData: {
      nodeExecutionStack: [{ node: start, data: { main: [[{ json: {} }]] }, source: null }],
      ...(major === 2 && { runtimeData: established('trigger', start) }),
    },
  });
}

/** By what n8n knows an execution and its retries again; n8n 1 does not say which node began it. */
const established = (source: 'trigger' | 'retry', start?: INode) => ({
  version: 1 as const,
  establishedAt: Date.now(),
  source,
  ...(start && { triggerNode: { name: start.name, type: start.type } }),
});

function proceed(saved: Saved, workflow: Workflow, mode: 'trigger' | 'retry', data: IRunExecutionData): Execution {
  // n8n stores an execution before its work, as it is then.
  const { hooks, crashed } = watched(saved, workflow, stringify(data));
  const { executionData } = data;
  if (executionData && saved.schedule.host?.major === 1) executionData.runtimeData ??= established(mode);
  const run = new WorkflowExecute(additionalDataOf(saved.credential, hooks), mode, data).processRunExecutionData(
    workflow,
  );
  return { run, crashed };
}

/** Keeps what n8n has of an execution if it is killed: what it stored, and its log of nodes. */
function watched({ schedule }: Saved, workflow: Workflow, initial: string) {
  const hooks = new ExecutionLifecycleHooks('manual', '1', {
    id: 'simulated',
    name: 'simulated',
    nodes: [],
    connections: {},
  } as never);
  const progress: Progress = { data: initial, started: new Set(), finished: new Set() };
  hooks.addHandler('nodeExecuteBefore', (name) => void progress.started.add(name));
  hooks.addHandler('nodeExecuteAfter', (name, _, data) => {
    progress.finished.add(name);
    if (!schedule.host?.savesProgress) return;
    data.resultData.lastNodeExecuted = name;
    progress.data = stringify(data);
  });
  return { hooks, crashed: () => recovered(progress, Object.keys(workflow.nodes)) };
}
