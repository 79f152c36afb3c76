import 'reflect-metadata';

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Prevents the simulation from changing the settings of an installed n8n.
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
  type IHttpRequestOptions,
  type INode,
  type INodeParameters,
  type INodeTypes,
  type IRun,
  type IRunExecutionData,
  type IWorkflowExecuteAdditionalData,
  type NodeConnectionType,
} from 'n8n-workflow';

import { allDayWrites } from '../../nodes/PaymentPlatform/limits/day-writes';
import { RecentPayments } from '../../nodes/PaymentPlatform/limits/recent-payments';
import { OtherRuns } from '../../nodes/PaymentPlatform/lookup/record-owners';
import { KeyRow } from '../../nodes/PaymentPlatform/n8n/key-row';
import { SandboxCredential, type CredentialData } from '../credential';
import { processedData } from '../processed-data';
import { NODES } from './nodes';
import { recovered, type Progress } from './recovery';
import type { Host, Schedule } from './schedule';

/** Duration of an access to a slow n8n database, in milliseconds. */
const DATABASE_MS = 1;

/** Saved workflow, which a user may edit between two attempts. */
export interface Saved {
  schedule: Schedule;
  execution: number;
  /** Input rows of each run, with row numbers that are unique in the execution. */
  rows: Array<Array<{ json: IDataObject; number: number }>>;
  parameters: INodeParameters[];
  credential: CredentialData;
  nodeTypes: INodeTypes;
  /** Number of items per loop iteration. */
  batch?: number;
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

function workflowOf({ schedule, rows, parameters, nodeTypes, batch }: Saved): Workflow {
  const { caller, agent, host, items, loop } = schedule;
  const { onError, tries, waitMs } = schedule.node;
  const retry = (times: number) => ({ retryOnFail: times > 1, maxTries: times, waitBetweenTries: waitMs });
  const own = parameters.map((each, index) =>
    node(NODES[index] ?? '', caller === 'items' ? 'paymentPlatform' : 'paymentPlatformTool', {
      parameters: each,
      credentials: { paymentPlatformApi: { id: '1', name: 'Simulated' } },
      onError,
      ...retry(tries),
      // Places the nodes below each other, because n8n runs the upper branch of an output first.
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
  const others = [
    ...sources,
    ...(loop ? [node('Loop', 'loop', { parameters: { batchSize: batch ?? items.length } })] : []),
  ];
  const after = [node('Done', 'passOn'), node('Failed', 'passOn')];
  const forItems = {
    nodes: host?.nodeLast === false ? [start, ...own, ...others, ...after] : [start, ...others, ...after, ...own],
    connections: {
      Start: main(...sources.map(({ name }) => name)),
      ...Object.fromEntries(sources.map(({ name }) => [name, main(...(loop ? ['Loop'] : names))])),
      ...(loop && { Loop: { main: [[to('Done')], names.map((name) => to(name))] } }),
      ...Object.fromEntries(
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
    id: workflowId,
    name: 'simulated',
    active: false,
    nodeTypes,
    settings: { timezone: schedule.zone ?? 'UTC', executionOrder: 'v1' },
    ...(caller === 'items' ? forItems : forAgent),
  });
}

let workflowId = '';

/**
 * Creates a new n8n database. If the database is slow, killing n8n can interrupt a query.
 * @param id ID of the workflow, which no other database contains.
 */
export function newDatabase(isSlow: boolean, id = `${workflowId}+`): void {
  workflowId = id;
  processedData.clear();
  processedData.access = async () => {
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, DATABASE_MS));
  };
}

/** Starts a new n8n process with the existing database but without the killed process's memory. */
export function restartProcess(): void {
  allDayWrites.clear();
  RecentPayments.byIdentity.clear();
  KeyRow.workflows.clear();
  OtherRuns.byAccount.clear();
}

/** Header that contains the number of the execution that sends a request. */
export const EXECUTION_HEADER = 'x-simulated-execution';

class MarkedCredential extends SandboxCredential {
  constructor(private readonly saved: Saved) {
    super(saved.credential);
  }

  override async authenticate(...given: Parameters<SandboxCredential['authenticate']>): Promise<IHttpRequestOptions> {
    const request = await super.authenticate(...given);
    return { ...request, headers: { ...request.headers, [EXECUTION_HEADER]: this.saved.execution } };
  }
}

function additionalDataOf(saved: Saved, hooks: ExecutionLifecycleHooks): IWorkflowExecuteAdditionalData {
  return {
    credentialsHelper: new MarkedCredential(saved),
    hooks,
    executionId: String(saved.execution),
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

export interface Execution {
  run: Promise<IRun>;
  /** Returns the data with which n8n would retry the execution if n8n were killed now. */
  crashed: () => string;
}

/**
 * Executes the saved workflow.
 * @param stoppable receives a function that stops the execution as n8n's Stop button does.
 */
export function execute(saved: Saved, stoppable: (stop: () => void) => void): Execution {
  const workflow = workflowOf(saved);
  const { host } = saved.schedule;
  if (host) return proceed(saved, workflow, 'trigger', initialData(workflow, host.major));
  const { hooks, crashed } = watched(saved, workflow, '');
  const run = new WorkflowExecute(additionalDataOf(saved, hooks), 'manual').run({
    workflow,
    startNode: workflow.getNode('Start') ?? undefined,
  });
  stoppable(() => run.cancel());
  return { run, crashed };
}

export const stored = (run: IRun): string => stringify(run.data);

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

/** n8n 1 doesn't store the node that started the execution. */
const established = (source: 'trigger' | 'retry', start?: INode) => ({
  version: 1 as const,
  establishedAt: Date.now(),
  source,
  ...(start && { triggerNode: { name: start.name, type: start.type } }),
});

function proceed(saved: Saved, workflow: Workflow, mode: 'trigger' | 'retry', data: IRunExecutionData): Execution {
  // n8n stores the initial state of an execution before the first node runs.
  const { hooks, crashed } = watched(saved, workflow, stringify(data));
  const { executionData } = data;
  if (executionData && saved.schedule.host?.major === 1) executionData.runtimeData ??= established(mode);
  const run = new WorkflowExecute(additionalDataOf(saved, hooks), mode, data).processRunExecutionData(workflow);
  return { run, crashed };
}

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
