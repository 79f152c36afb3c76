import { setTimeout as sleep } from 'node:timers/promises';

import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';

import type { RestSession } from './rest-session';

/** An execution in n8n's list. */
export interface ExecutionSummary {
  id: string;
  workflowId: string;
  /** new, running, waiting, success, error, canceled, crashed or unknown. */
  status: string;
  /** manual, webhook, trigger, retry, ... */
  mode: string;
  /** ID of the execution that is retried. Only retries have this ID. */
  retryOf?: string | null;
}

export interface Execution extends ExecutionSummary {
  data: IRunExecutionData;
}

const UNFINISHED = ['new', 'running', 'waiting'];
const LIMIT_MS = 120_000;
/** Minimum pause between two requests. */
export const POLL_MS = 100;
/** Time in which the result of an ended execution must be stored. Only a crashed execution may have no result. */
const RESULT_LIMIT_MS = { success: 30_000, others: 5000 };

/**
 * Calls `ask` until it returns a value. Each pause is a tenth of the time that has passed, because n8n needs processor
 * time for every request. After `limitMs`, throws an Error with the text `what`.
 * @param ask called with the length of the pause that would follow (ms).
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

/** Executions stored by n8n. Limits are in milliseconds. Methods throw Error when a limit is exceeded. */
export class Executions {
  /** The latest request for the list of running executions. All waiting callers share it. */
  private asked: { at: number; running: Promise<ReadonlySet<string>> } | undefined;

  constructor(private readonly session: RestSession) {}

  /** Lists up to 100 executions of a workflow, newest first, including running ones. */
  async list(workflowId: string): Promise<ExecutionSummary[]> {
    const found = await this.session.get<{ results: ExecutionSummary[] }>('/executions', {
      filter: JSON.stringify({ workflowId }),
      limit: 100,
    });
    return found.results.map(({ id, ...rest }) => ({ ...rest, id: String(id) }));
  }

  /** Returns an execution with its data. Throws RestError for an unknown ID. */
  async get(id: string): Promise<Execution> {
    const found = await this.session.get<ExecutionSummary & { data: string }>(`/executions/${id}`);
    return { ...found, id: String(found.id), data: parse(found.data) as IRunExecutionData };
  }

  /** Waits until an execution ends or has one of the given statuses (e.g. `['waiting']`). */
  async waitFor(id: string, statuses?: string[], limitMs = LIMIT_MS): Promise<Execution> {
    let endedAt: number | undefined;
    const wanted = ({ status = '', data }: Partial<Execution>) => {
      const ended = !UNFINISHED.includes(status);
      if (!ended) return statuses?.includes(status) ?? false;
      // n8n 1 stores the status shortly before the result.
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
   * Returns IDs of executions that n8n lists as running. Waiting callers share a list up to this age (ms), because
   * n8n loads a whole workflow for every execution that it returns by ID.
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

  /** Returns the ID of a workflow's newest execution, or "0" without one. Pass it to `next`. */
  async lastId(workflowId: string): Promise<string> {
    const ids = (await this.list(workflowId)).map(({ id }) => Number(id));
    return String(Math.max(0, ...ids));
  }

  /** Waits for the first execution of a workflow after the given ID, and for its end. */
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
   * Retries a failed execution from the failed node, as the editor's "Retry" does. Returns the new execution.
   * @param loadWorkflow whether to run the workflow as saved now instead of its earlier version.
   */
  async retry(id: string, { loadWorkflow }: { loadWorkflow: boolean }): Promise<Execution> {
    const started = await this.session.post<{ id: string }>(`/executions/${id}/retry`, { loadWorkflow });
    return await this.waitFor(String(started.id));
  }

  /** Stops a running or waiting execution. Returns its final state. */
  async stop(id: string): Promise<Execution> {
    await this.session.post(`/executions/${id}/stop`);
    return await this.waitFor(id);
  }
}
