import { setTimeout as sleep } from 'node:timers/promises';

import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';

import type { RestSession } from './rest-session';

/** Entry in n8n's execution list. */
export interface ExecutionSummary {
  id: string;
  workflowId: string;
  status: string;
  mode: string;
  /** ID of the original execution. Only a retry has this ID. */
  retryOf?: string | null;
}

export interface Execution extends ExecutionSummary {
  data: IRunExecutionData;
}

const UNFINISHED = ['new', 'running', 'waiting'];
const LIMIT_MS = 120_000;
export const POLL_MS = 100;
/** Maximum milliseconds until n8n stores an ended execution's output. An unsuccessful execution may have no output. */
const RESULT_LIMIT_MS = { success: 30_000, others: 5000 };

/**
 * Calls `ask` until `ask` returns a value. Each pause is a tenth of the elapsed time, because requests cost processor
 * time.
 * @throws Error with the text `what` after `limitMs`.
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

/** Executions that n8n stores. Methods throw an Error after `limitMs` milliseconds. */
export class Executions {
  private asked: { at: number; running: Promise<ReadonlySet<string>> } | undefined;

  constructor(private readonly session: RestSession) {}

  /** Returns up to 100 executions, newest first. */
  async list(workflowId: string): Promise<ExecutionSummary[]> {
    const found = await this.session.get<{ results: ExecutionSummary[] }>('/executions', {
      filter: JSON.stringify({ workflowId }),
      limit: 100,
    });
    return found.results.map(({ id, ...rest }) => ({ ...rest, id: String(id) }));
  }

  async get(id: string): Promise<Execution> {
    const found = await this.session.get<ExecutionSummary & { data: string }>(`/executions/${id}`);
    return { ...found, id: String(found.id), data: parse(found.data) as IRunExecutionData };
  }

  /** Waits until an execution ends or reaches a status in `statuses`. */
  async waitFor(id: string, statuses?: string[], limitMs = LIMIT_MS): Promise<Execution> {
    let endedAt: number | undefined;
    const wanted = ({ status = '', data }: Partial<Execution>) => {
      const ended = !UNFINISHED.includes(status);
      if (!ended) return statuses?.includes(status) ?? false;
      // Waits for the output, because n8n 1 stores the status first.
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

  /** Callers share a list, because n8n loads the whole workflow for every execution requested by ID. */
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

  /** Returns the ID of a workflow's newest execution, or "0" if there is none. */
  async lastId(workflowId: string): Promise<string> {
    const ids = (await this.list(workflowId)).map(({ id }) => Number(id));
    return String(Math.max(0, ...ids));
  }

  /** Returns the first execution after `afterId` when it ends. */
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
   * Retries a failed execution from the failed node.
   * @param loadWorkflow whether to run the saved workflow instead of the original version.
   */
  async retry(id: string, { loadWorkflow }: { loadWorkflow: boolean }): Promise<Execution> {
    const started = await this.session.post<{ id: string }>(`/executions/${id}/retry`, { loadWorkflow });
    return await this.waitFor(String(started.id));
  }

  async stop(id: string): Promise<Execution> {
    await this.session.post(`/executions/${id}/stop`);
    return await this.waitFor(id);
  }
}
