import { parse, stringify } from 'flatted';
import type { IRunExecutionData, ITaskData } from 'n8n-workflow';

/** State of an execution when n8n is killed. */
export interface Progress {
  data: string;
  started: Set<string>;
  finished: Set<string>;
}

/** Recovers a crashed execution as n8n does when it restarts (n8n.md#retries). */
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
