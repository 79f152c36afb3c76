import { parse, stringify } from 'flatted';
import type { IRunExecutionData, ITaskData } from 'n8n-workflow';

/** What is left of an execution when n8n is killed. */
export interface Progress {
  /** What n8n stored of it last. */
  data: string;
  /** Nodes that began, and nodes that ended at least once, by n8n's log. */
  started: Set<string>;
  finished: Set<string>;
}

/**
 * What n8n makes of a crashed execution when it starts again (n8n.md#retries): each node
 * that had begun and has no run in what was stored gets one, of an artificial item or of an error.
 * @param nodes names of the workflow's nodes in their order.
 */
export function recovered({ data: storedData, started, finished }: Progress, nodes: string[]): string {
  const data = parse(storedData) as IRunExecutionData;
  const { resultData } = data;
  for (const name of nodes) {
    if (!started.has(name) || resultData.runData[name] !== undefined) continue;
    resultData.runData[name] = [finished.has(name) ? ARTIFICIAL : CRASHED];
    resultData.lastNodeExecuted = name;
  }
  return stringify(data);
}

const RUN = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };
const ARTIFICIAL: ITaskData = {
  ...RUN,
  executionStatus: 'success',
  data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] },
};
const CRASHED: ITaskData = {
  ...RUN,
  executionStatus: 'crashed',
  error: { message: 'Node crashed, possible out-of-memory issue' } as never,
};
