import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type IRun,
  type ITaskData,
} from 'n8n-workflow';

export class Loop implements INodeType {
  description = {
    displayName: 'Loop',
    name: 'loop',
    group: ['organization' as const],
    version: 1,
    description: '',
    defaults: {},
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
    properties: [{ displayName: 'Batch Size', name: 'batchSize', type: 'number' as const, default: 1 }],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const kept: { left?: INodeExecutionData[]; done?: INodeExecutionData[] } = this.getContext('node');
    const input = this.getInputData();
    if (kept.left) kept.done = [...(kept.done ?? []), ...input];
    else kept.left = [...input];
    const batch = kept.left.splice(0, this.getNodeParameter('batchSize', 0) as number);
    return await Promise.resolve(batch.length > 0 ? [[], batch] : [kept.done ?? [], []]);
  }
}

/** Recovers a crashed execution as n8n 2 does: adds one artificial run to each started node. */
export function recovered(crashed: IRun, begun: string[], unfinished?: string): IRun {
  const { resultData } = crashed.data;
  for (const name of begun) {
    // n8n doesn't change nodes that already have runs.
    if (resultData.runData[name] !== undefined) continue;
    const isCrashed = name === unfinished;
    resultData.runData[name] = [
      {
        startTime: 0,
        executionIndex: 0,
        executionTime: 0,
        source: [null],
        executionStatus: isCrashed ? 'crashed' : 'success',
        ...(isCrashed
          ? { error: new Error('Node crashed') }
          : { data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] } }),
      } as ITaskData,
    ];
    resultData.lastNodeExecuted = name;
  }
  return crashed;
}
