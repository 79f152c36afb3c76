import { setTimeout as sleep } from 'node:timers/promises';

import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';

import type { RestSession } from './rest-session';

/** Execution in n8n's execution list. */
export interface ExecutionSummary {
  id: string;
  workflowId: string;
  /** Status: new, running, waiting, success, error, canceled, crashed or unknown. */
  status: string;
  /** Mode, for example manual, webhook, trigger or retry. */
  mode: string;
  /** ID of the original execution. Only retries have this ID. */
  retryOf?: string | null;
}

export interface Execution extends ExecutionSummary {
  data: IRunExecutionData;
}

const UNFINISHED = ['new', 'running', 'waiting'];
const LIMIT_MS = 120_000;
/** Minimum pause between two requests, in milliseconds. */
export const POLL_MS = 100;
/**
 * Maximum time until n8n stores the result of an ended execution, in milliseconds. An execution that ended without
 * success may have no result.
 */
const RESULT_LIMIT_MS = { success: 30_000, others: 5000 };

/**
 * Calls `ask` until `ask` returns a value. Each pause is a tenth of the elapsed time, because n8n needs processor time
 * for every request.
 * @param what text of the error.
 * @param ask called with the length of the next pause in milliseconds.
 * @throws Error after `limitMs`.
 */
export async function poll<T>(
  what: string,
  ask: (pauseMs: number) => Promise<T | undefined>,
  limitMs: number,
  longestPauseMs = 1000,
): Promise<T> {
  const began = Date.now();
  for (;;) {
    const passed = Date.now() - began;
    const pause = Math.min(Math.max(passed / 10, POLL_MS), longestPauseMs);
    const found = await ask(pause);
    if (found !== undefined) return found;
    if (passed > limitMs) throw new Error(`Timed out after ${limitMs / 1000} s: ${what}`);
    await sleep(pause);
  }
}

const hasResult = ({ resultData }: Partial<IRunExecutionData> = {}): boolean =>
  resultData !== undefined && (resultData.error !== undefined || Object.keys(resultData.runData).length > 0);

/**
 * Executions that n8n stores. All limits are in milliseconds. Methods throw an Error if an execution exceeds the limit.
 */
export class Executions {
  /** Latest request for the list of running executions. All waiting callers share the response. */
  private asked: { at: number; running: Promise<ReadonlySet<string>> } | undefined;

  constructor(private readonly session: RestSession) {}

  /** Lists up to 100 executions of a workflow, newest first, including running executions. */
  async list(workflowId: string): Promise<ExecutionSummary[]> {
    const found = await this.session.get<{ results: ExecutionSummary[] }>('/executions', {
      filter: JSON.stringify({ workflowId }),
      limit: 100,
    });
    return found.results.map(({ id, ...rest }) => ({ ...rest, id: String(id) }));
  }

  /**
   * Returns an execution with its data.
   * @throws RestError for an unknown ID.
   */
  async get(id: string): Promise<Execution> {
    const found = await this.session.get<ExecutionSummary & { data: string }>(`/executions/${id}`);
    return { ...found, id: String(found.id), data: parse(found.data) as IRunExecutionData };
  }

  /** Waits until an execution ends or reaches a status in `statuses`, for example `['waiting']`. */
  async waitFor(id: string, statuses?: string[], limitMs = LIMIT_MS): Promise<Execution> {
    let endedAt: number | undefined;
    const wanted = ({ status = '', data }: Partial<Execution>) => {
      const ended = !UNFINISHED.includes(status);
      if (!ended) return statuses?.includes(status) ?? false;
      // Waits for the result after the execution ends, because n8n 1 stores the status before the result.
      endedAt ??= Date.now();
      const longest = status === 'success' ? RESULT_LIMIT_MS.success : RESULT_LIMIT_MS.others;
      const mayLackResult = Date.now() - endedAt > longest;
      const isStored = hasResult(data) || (data !== undefined && mayLackResult);
      return isStored && (statuses?.includes(status) ?? true);
    };
    return await poll(
      `The end of execution ${id}`,
      async (pauseMs) => {
        if (!statuses?.includes('running') && (await this.running(pauseMs)).has(id)) return undefined;
        const execution = await this.get(id);
        return wanted(execution) ? execution : undefined;
      },
      limitMs,
    );
  }

  /**
   * Returns the IDs of running executions. Waiting callers share a list that is at most `ageMs` old, because n8n loads
   * the whole workflow for every execution that it returns by ID.
   */
  private async running(ageMs: number): Promise<ReadonlySet<string>> {
    if (!this.asked || Date.now() - this.asked.at >= ageMs)
      this.asked = { at: Date.now(), running: this.listRunning() };
    return await this.asked.running;
  }

  private async listRunning(): Promise<ReadonlySet<string>> {
    const filter = JSON.stringify({ status: ['new', 'running'] });
    const found = await this.session.get<{ results: ExecutionSummary[] }>('/executions', { filter, limit: 100 });
    return new Set(found.results.map(({ id }) => String(id)));
  }

  /**
   * Returns the ID of a workflow's newest execution, or "0" if the workflow has no execution. Pass the ID to `next`.
   */
  async lastId(workflowId: string): Promise<string> {
    const ids = (await this.list(workflowId)).map(({ id }) => Number(id));
    return String(Math.max(0, ...ids));
  }

  /** Waits for the first execution of a workflow after `afterId`, and returns the execution when it ends. */
  async next(workflowId: string, afterId: string, limitMs = LIMIT_MS): Promise<Execution> {
    const id = await poll(
      `An execution of workflow ${workflowId} after ${afterId}`,
      async () => {
        const later = (await this.list(workflowId)).filter((one) => Number(one.id) > Number(afterId));
        return later.at(-1)?.id;
      },
      limitMs,
    );
    return await this.waitFor(id, undefined, limitMs);
  }

  /**
   * Retries a failed execution from the failed node, like "Retry" in the editor. Returns the ended execution.
   * @param loadWorkflow whether to run the saved workflow instead of the workflow's earlier version.
   */
  async retry(id: string, { loadWorkflow }: { loadWorkflow: boolean }): Promise<Execution> {
    const started = await this.session.post<{ id: string }>(`/executions/${id}/retry`, { loadWorkflow });
    return await this.waitFor(String(started.id));
  }

  /** Stops a running or waiting execution and returns its final state. */
  async stop(id: string): Promise<Execution> {
    await this.session.post(`/executions/${id}/stop`);
    return await this.waitFor(id);
  }
}
