import 'reflect-metadata';

import { Settings } from 'luxon';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
  createRunExecutionData,
  NodeConnectionTypes,
  NodeHelpers,
  sleep,
  Workflow,
  type IBinaryKeyData,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type INodeType,
  type INodeTypes,
  type IRun,
  type IRunExecutionData,
  type IWorkflowExecuteAdditionalData,
  type WorkflowExecuteMode,
} from 'n8n-workflow';

// Loads the module before the first test, because compiling it would exceed the test's time limit.
import '../../nodes/PaymentPlatform/runtime';

import { PaymentPlatform } from '../../nodes/PaymentPlatform/PaymentPlatform.node';
import { SandboxCredential, type CredentialData } from '../credential';
import { Loop } from '../loop-node';
import '../processed-data';

class Rows implements INodeType {
  description = {
    displayName: 'Rows',
    name: 'rows',
    group: ['trigger' as const],
    version: 1,
    description: '',
    defaults: {},
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    properties: [
      { displayName: 'Rows', name: 'rows', type: 'json' as const, default: '[]' },
      { displayName: 'Files', name: 'files', type: 'json' as const, default: '[]' },
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const rows = JSON.parse(this.getNodeParameter('rows', 0) as string) as IDataObject[];
    const files = JSON.parse(this.getNodeParameter('files', 0, '[]') as string) as IBinaryKeyData[];
    return await Promise.resolve([
      rows.map((json, item) => ({ json, pairedItem: { item }, ...(files[item] && { binary: files[item] }) })),
    ]);
  }
}

class PassOn implements INodeType {
  description = {
    displayName: 'Pass On',
    name: 'passOn',
    group: ['transform' as const],
    version: 1,
    description: '',
    defaults: {},
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    properties: [],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await Promise.resolve([this.getInputData()]);
  }
}

export const PAYMENT_NODE = new PaymentPlatform() as INodeType;

/** Node type of an agent's tool. n8n recognizes a tool by the suffix "Tool" in the type's name. */
const TOOL_NODE = Object.assign(Object.create(PAYMENT_NODE) as INodeType, {
  description: { ...structuredClone(PAYMENT_NODE.description), name: `${PAYMENT_NODE.description.name}Tool` },
});

const types: Record<string, INodeType> = {
  rows: new Rows(),
  loop: new Loop(),
  passOn: new PassOn(),
  paymentPlatform: PAYMENT_NODE,
  paymentPlatformTool: TOOL_NODE,
};

/** Registers a node type, so that a test can use its name in `RunInput.type`. */
export const addNodeType = (name: string, type: INodeType): void => void (types[name] = type);

export const nodeTypes: INodeTypes = {
  getByName: (name) => types[name] as INodeType,
  getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(types[name] as INodeType),
  getKnownTypes: () => ({}),
};

export interface RunInput {
  rows: IDataObject[];
  files?: IBinaryKeyData[];
  parameters: INodeParameters;
  credential: CredentialData;
  onError?: INode['onError'];
  settings?: Partial<INode>;
  timezone?: string;
  /** Called when the execution starts. `cancel` cancels the execution, as n8n's Stop button does. */
  onStart?: (cancel: () => void) => void;
  /** Number of rows per loop iteration. If set, the node runs in a loop. */
  batchSize?: number;
  /** Names of nodes between the rows and the payment node. Each forwards all rows. */
  by?: string[];
  /** Parameters of a second payment node that receives identical rows. */
  second?: INodeParameters;
  /** Type of the payment node. The type of an agent's tool ends with "Tool". */
  type?: string;
  retryOf?: IRun;
  /** Data of a new execution, as n8n stores it before the nodes run. */
  from?: IRun;
  /** How n8n starts a new execution. Defaults to "manual". */
  mode?: WorkflowExecuteMode;
  /** Execution ID. Defaults to a new ID. */
  executionId?: string;
  /** Whether the node looks up unknown outcomes. Defaults to false. */
  looksUp?: boolean;
}

export interface RunOutput {
  run: IRun;
  items: INodeExecutionData[];
  errors: INodeExecutionData[];
  error?: IRun['data']['resultData']['error'] & { description?: string | null; context?: IDataObject };
  hints: string[];
}

const node = (name: string, type: string, x: number, more: Partial<INode> = {}): INode => ({
  id: name,
  name,
  type,
  typeVersion: 1,
  position: [x, 0],
  parameters: {},
  ...more,
});

// n8n sets the workflow's time zone for the whole process, which runs several test files.
beforeAll(() => void (Settings.defaultZone = 'system'));

/** Runs a workflow with n8n-core. The payment node sends its items to the nodes Done and Failed. */
export async function runWorkflow(input: RunInput): Promise<RunOutput> {
  const workflow = workflowOf(input);
  const additionalData = additionalDataFor(input.credential, input.executionId);
  const execute = startOf(input, workflow, additionalData);
  input.onStart?.(() => execute.cancel());
  const run = await execute;
  // The node identifies an execution by its start time.
  await sleep(1);
  return summarize(run);
}

function startOf(input: RunInput, workflow: Workflow, additionalData: IWorkflowExecuteAdditionalData) {
  const { retryOf, from } = input;
  const execution = (mode: WorkflowExecuteMode, data?: IRunExecutionData) =>
    executionOf(workflow, new WorkflowExecute(additionalData, mode, data));
  if (retryOf) return execution('retry', storedData(retryOf, workflow)).processRunExecutionData(workflow);
  if (from) return execution('trigger', storedData(from, workflow)).processRunExecutionData(workflow);
  return execution(input.mode ?? 'manual').run({ workflow, startNode: workflow.getNode('Rows') ?? undefined });
}

/** Skips the required-parameter check, as n8n does for an agent's tool call. */
function executionOf(workflow: Workflow, execute: WorkflowExecute): WorkflowExecute {
  if (workflow.getNode('Payment Platform')?.type.endsWith('Tool')) execute.checkReadyForExecution = () => null;
  return execute;
}

let crashes = 0;

/**
 * Returns the data that n8n 2 stores before the nodes run and that remains after a kill.
 * @param establishedAt start of the execution. By default, no other execution began in the same millisecond.
 */
export function crashedData(input: RunInput, establishedAt = Date.now() - 1 + ((crashes += 1) % 1000) / 1000): IRun {
  const node = workflowOf(input).getNode('Rows');
  if (!node) throw new Error('The workflow has rows');
  const data = createRunExecutionData({
    executionData: {
      nodeExecutionStack: [{ node, data: { main: [[{ json: {} }]] }, source: null }],
      runtimeData: {
        version: 1,
        // The node identifies an execution by its start time.
        establishedAt,
        source: 'trigger',
        triggerNode: { name: node.name, type: node.type },
      },
    },
  });
  return { data, mode: 'trigger', startedAt: new Date(), status: 'crashed' } as IRun;
}

/** Turns look-ups off unless the parameters set the option If the Outcome Is Unknown. */
export function withoutLookUps(parameters: INodeParameters): INodeParameters {
  const { options = {} } = parameters;
  const isCollection = typeof options === 'object' && options !== null && !Array.isArray(options);
  return isCollection ? { ...parameters, options: { unknownOutcome: 'refuse', ...options } } : parameters;
}

const to = (node: string) => ({ node, type: NodeConnectionTypes.Main, index: 0 });

function workflowOf(input: RunInput): Workflow {
  const { by = [] } = input;
  const inLoop = input.batchSize !== undefined;
  return new Workflow({
    id: 'test',
    name: 'test',
    active: false,
    nodeTypes,
    settings: { timezone: input.timezone ?? 'America/New_York', executionOrder: 'v1' },
    nodes: [
      node('Rows', 'rows', 0, {
        parameters: { rows: JSON.stringify(input.rows), files: JSON.stringify(input.files ?? []) },
      }),
      node('Payment Platform', input.type ?? 'paymentPlatform', 200, {
        parameters: input.looksUp ? input.parameters : withoutLookUps(input.parameters),
        credentials: { paymentPlatformApi: { id: '1', name: 'Sandbox' } },
        ...(input.onError && { onError: input.onError }),
        ...input.settings,
      }),
      ...(input.second
        ? [
            node('Second Payment', 'paymentPlatform', 200, {
              // n8n first runs the node that is higher on the canvas.
              position: [200, 200],
              parameters: withoutLookUps(input.second),
              credentials: { paymentPlatformApi: { id: '1', name: 'Sandbox' } },
              ...(input.onError && { onError: input.onError }),
            }),
          ]
        : []),
      node('Done', 'passOn', 400),
      node('Failed', 'passOn', 400),
      ...by.map((name) => node(name, 'passOn', 100)),
      ...(inLoop ? [node('Loop', 'loop', 100, { parameters: { batchSize: input.batchSize ?? 1 } })] : []),
    ],
    connections: {
      Rows: {
        main: [
          [
            ...(by.length > 0 ? by.map(to) : [to(inLoop ? 'Loop' : 'Payment Platform')]),
            ...(input.second ? [to('Second Payment')] : []),
          ],
        ],
      },
      ...(inLoop && { Loop: { main: [[to('Done')], [to('Payment Platform')]] } }),
      ...Object.fromEntries(by.map((name) => [name, { main: [[to('Payment Platform')]] }])),
      'Payment Platform': { main: inLoop ? [[to('Loop')]] : [[to('Done')], [to('Failed')]] },
    },
  });
}

function storedData(failed: IRun, workflow: Workflow): IRunExecutionData {
  const data = JSON.parse(JSON.stringify(failed.data)) as IRunExecutionData;
  const { resultData, executionData } = data;
  delete resultData.error;
  const runs = resultData.runData[resultData.lastNodeExecuted ?? ''] ?? [];
  if (runs.at(-1)?.error) runs.pop();
  for (const entry of executionData?.nodeExecutionStack ?? [])
    entry.node = workflow.getNode(entry.node.name) ?? entry.node;
  return data;
}

let executions = 0;
const newExecutionId = () => String((executions += 1));

/** Returns the part of n8n's additional execution data that the node reads. */
export function additionalDataFor(
  credential: CredentialData,
  executionId = newExecutionId(),
): IWorkflowExecuteAdditionalData {
  return {
    credentialsHelper: new SandboxCredential(credential),
    hooks: new ExecutionLifecycleHooks('manual', '1', {
      id: 'test',
      name: 'test',
      active: false,
      nodes: [],
      connections: {},
      createdAt: new Date(),
      updatedAt: new Date(),
    } as never),
    executionId,
    currentNodeExecutionIndex: 0,
    restApiUrl: '',
    instanceBaseUrl: '',
    formBaseUrl: '',
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

function summarize(run: IRun): RunOutput {
  const data: IRunExecutionData = run.data;
  const own = data.resultData.runData['Payment Platform']?.at(-1);
  return {
    run,
    items: own?.data?.main?.[0] ?? [],
    errors: own?.data?.main?.[1] ?? [],
    error: (own?.error ?? data.resultData.error) as RunOutput['error'],
    hints: (own?.hints ?? []).map(({ message }) => message),
  };
}
