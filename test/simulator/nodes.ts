import {
  NodeConnectionTypes,
  NodeHelpers,
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  type INodeType,
  type INodeTypes,
} from 'n8n-workflow';

import { nodeProperties } from '../../nodes/PaymentPlatform/panel/node-properties';
import { run } from '../../nodes/PaymentPlatform/run/run';
import type { Resource } from '../../nodes/PaymentPlatform/model/types';
import { retriedByN8n1 } from '../retried-by-n8n-1';
import { PaymentPlatform } from './loading';

type Output = INodeExecutionData[][];

export const NODES = ['Payment Platform', 'Payment Platform 2'];

export interface Beginning {
  execution: number;
  node: number;
  runIndex: number;
  input: INodeExecutionData[];
  numbers: number[];
}

export interface Recorder {
  /** Whether Retry On Fail runs the node again for any `error`, as n8n 1 does. */
  retriesAnyError?: boolean;
  begin(beginning: Beginning): { returned(output: Output): void; threw(error: unknown): void };
}

export interface AgentScript {
  rounds: Array<Array<{ node: string; input: IDataObject }>>;
  /** Returns whether the agent's current run fails after its calls. */
  failsNow: () => boolean;
}

const { Main, AiTool } = NodeConnectionTypes;

const description = (name: string, more: object) => ({
  displayName: name,
  name,
  group: ['transform' as const],
  version: 1,
  description: '',
  defaults: {},
  inputs: [Main],
  outputs: [Main],
  properties: [],
  ...more,
});

/** Stores the row number as a file name, because the node ignores files. */
const numberedBy = (number: number) => ({ binary: { number: { data: '', mimeType: '', fileName: String(number) } } });
const numberOf = ({ binary }: INodeExecutionData): number => Number(binary?.number?.fileName);

const rows = {
  description: description('rows', {
    inputs: [],
    properties: [
      { displayName: 'Rows', name: 'rows', type: 'json', default: '[]' },
      { displayName: 'Numbers', name: 'numbers', type: 'json', default: '[]' },
    ],
  }),
  async execute(this: IExecuteFunctions): Promise<Output> {
    const list = JSON.parse(this.getNodeParameter('rows', 0) as string) as IDataObject[];
    const numbers = JSON.parse(this.getNodeParameter('numbers', 0) as string) as number[];
    return await Promise.resolve([
      list.map((json, item) => ({ json, pairedItem: { item }, ...numberedBy(numbers[item] ?? 0) })),
    ]);
  },
};

const loop = {
  description: description('loop', {
    outputs: [Main, Main],
    properties: [{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 1 }],
  }),
  async execute(this: IExecuteFunctions): Promise<Output> {
    const context = this.getContext('node');
    const left = (context.items as INodeExecutionData[] | undefined) ?? this.getInputData();
    const size = this.getNodeParameter('batchSize', 0) as number;
    const batch = left.slice(0, size);
    context.items = left.slice(size);
    return await Promise.resolve(batch.length > 0 ? [[], batch] : [[{ json: { looped: true } }], []]);
  },
};

const passOn = {
  description: description('passOn', {}),
  async execute(this: IExecuteFunctions): Promise<Output> {
    return await Promise.resolve([this.getInputData()]);
  },
};

/** Agent that calls its tool as a function, as n8n's AI Agent 2.2 and MCP Server Trigger do. */
const functionAgent = (script: () => AgentScript) => ({
  description: description('functionAgent', { inputs: [Main, AiTool] }),
  async execute(this: IExecuteFunctions): Promise<Output> {
    const tools = (await this.getInputConnectionData(AiTool, 0)) as Array<{
      name: string;
      func: (input: IDataObject) => Promise<unknown>;
    }>;
    const call = async (node: string, input: IDataObject) => {
      const tool = tools.find(({ name }) => name === node.replaceAll(' ', '_'));
      if (!tool) throw new Error(`No tool is called ${node}`);
      return await tool.func(input).catch(() => undefined);
    };
    for (const round of script().rounds)
      await Promise.all(round.map(async ({ node, input }) => await call(node, input)));
    if (script().failsNow()) throw new NodeOperationError(this.getNode(), 'The model is not available');
    return [[{ json: { answered: true } }]];
  },
});

/** Agent whose tool n8n's engine runs as a node, as with n8n's AI Agent 3.1. */
const engineAgent = (script: () => AgentScript) => ({
  description: description('engineAgent', { inputs: [Main, AiTool] }),
  async execute(this: IExecuteFunctions, answers?: { metadata: { round?: number } }): Promise<unknown> {
    const { rounds, failsNow } = script();
    const round = (answers?.metadata?.round ?? -1) + 1;
    const calls = rounds[round];
    if (calls)
      return await Promise.resolve({
        actions: calls.map(({ node, input }, index) => ({
          actionType: 'ExecutionNodeAction',
          nodeName: node,
          input,
          type: AiTool,
          id: `${round}.${index}`,
          metadata: { itemIndex: 0 },
        })),
        metadata: { round },
      });
    if (failsNow()) throw new NodeOperationError(this.getNode(), 'The model is not available');
    return [[{ json: { answered: true } }]];
  },
});

const { description: described } = new PaymentPlatform();
const panels = new Map<string, INodeProperties[]>();

function panelOf(resources: Resource[]): INodeProperties[] {
  const key = resources.map(({ value }) => value).join();
  const properties = panels.get(key) ?? nodeProperties(resources);
  panels.set(key, properties);
  return properties;
}

const nodeOf = (resources: Resource[]): INodeType => ({
  description: { ...described, properties: panelOf(resources) },
  // Uses code that is already loaded, because loading code takes real time.
  async execute(this: IExecuteFunctions) {
    return await run(this, resources);
  },
});

/**
 * Returns all node types of the simulated workflow.
 * @param resources resources of this package's node. n8n reads the properties of each one several times per execution.
 */
export function simulatedNodeTypes(recorder: Recorder, script: () => AgentScript, resources: Resource[]): INodeTypes {
  const own = nodeOf(resources);
  const recorded = (more: object): INodeType => ({
    ...own,
    description: { ...own.description, ...more },
    async execute(this: IExecuteFunctions) {
      const input = this.getInputData();
      const runIndex = Number(this.getWorkflowDataProxy(0).$runIndex);
      const node = NODES.indexOf(this.getNode().name);
      const execution = Number(this.getExecutionId());
      const run = recorder.begin({ execution, node, runIndex, input, numbers: input.map(numberOf) });
      try {
        const output = (await own.execute?.call(this)) as Output;
        run.returned(output);
        return recorder.retriesAnyError ? retriedByN8n1(output) : output;
      } catch (error) {
        run.threw(error);
        throw error;
      }
    },
  });
  const types: Record<string, unknown> = {
    rows,
    loop,
    passOn,
    functionAgent: functionAgent(script),
    engineAgent: engineAgent(script),
    paymentPlatform: recorded({}),
    paymentPlatformTool: recorded({ name: 'paymentPlatformTool', inputs: [], outputs: [AiTool] }),
  };
  return {
    getByName: (name) => types[name] as INodeType,
    getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(types[name] as INodeType),
    getKnownTypes: () => ({}),
  };
}
