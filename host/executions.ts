import { setTimeout as sleep } from 'node:timers/promises';

import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';

import type { RestSession } from './rest-session';

/** What n8n lists of an execution. */
export interface ExecutionSummary {
  id: string;
  workflowId: string;
  /** new, running, waiting, success, error, canceled, crashed or unknown. */
  status: string;
  /** manual, webhook, trigger, retry, ... */
  mode: string;
  /** The execution that this one repeats. */
  retryOf?: string | null;
}

export interface Execution extends ExecutionSummary {
  data: IRunExecutionData;
}

const UNFINISHED = ['new', 'running', 'waiting'];
const LIMIT_MS = 120_000;
const POLL_MS = 100;

/** Asks again and again until `ask` gives something. Throws Error that names `what` after `limitMs`. */
export async function poll<T>(what: string, ask: () => Promise<T | undefined>, limitMs: number): Promise<T> {
  const until = Date.now() + limitMs;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (Date.now() > until) throw new Error(`${what}: not after ${limitMs / 1000} s`);
    await sleep(POLL_MS);
  }
}

/** The executions that n8n has stored. Limits are in milliseconds; what takes longer throws Error. */
export class Executions {
  constructor(private readonly session: RestSession) {}

  /** A workflow's executions, newest first, those under way too (at most 100). */
  async list(workflowId: string): Promise<ExecutionSummary[]> {
    const found = await this.session.get<{ results: ExecutionSummary[] }>('/executions', {
      filter: JSON.stringify({ workflowId }),
      limit: 100,
    });
    return found.results.map(({ id, ...rest }) => ({ ...rest, id: String(id) }));
  }

  /** One execution with its data. Throws RestError when there is none of this ID. */
  async get(id: string): Promise<Execution> {
    const found = await this.session.get<ExecutionSummary & { data: string }>(`/executions/${id}`);
    return { ...found, id: String(found.id), data: parse(found.data) as IRunExecutionData };
  }

  /** Waits until an execution has ended, or has one of the given statuses (e.g. `['waiting']`). */
  async waitFor(id: string, statuses?: string[], limitMs = LIMIT_MS): Promise<Execution> {
    const wanted = ({ status = '', data }: Partial<Execution>) => {
      const ended = !UNFINISHED.includes(status);
      // n8n 1 stores the status a moment before the data.
      return !(ended && data === undefined) && (statuses?.includes(status) ?? ended);
    };
    return await poll(
      `The end of execution ${id}`,
      async () => {
        const execution = await this.get(id);
        return wanted(execution) ? execution : undefined;
      },
      limitMs,
    );
  }

  /** The ID of a workflow's newest execution, "0" when it has none: what `next` goes on from. */
  async lastId(workflowId: string): Promise<string> {
    const ids = (await this.list(workflowId)).map(({ id }) => Number(id));
    return String(Math.max(0, ...ids));
  }

  /** Waits for a workflow's first execution after the one of the given ID, and for its end. */
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
   * Repeats a failed execution from the node that failed, as the editor's "Retry" does, and gives the new execution.
   * @param loadWorkflow whether to run the workflow as it is saved now instead of as it was then.
   */
  async retry(id: string, { loadWorkflow }: { loadWorkflow: boolean }): Promise<Execution> {
    const started = await this.session.post<{ id: string }>(`/executions/${id}/retry`, { loadWorkflow });
    return await this.waitFor(String(started.id));
  }

  /** Stops an execution that is under way or waiting, and gives it as it ended. */
  async stop(id: string): Promise<Execution> {
    await this.session.post(`/executions/${id}/stop`);
    return await this.waitFor(id);
  }
}
