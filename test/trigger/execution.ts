import { setMaxListeners } from 'node:events';

import { ExecuteContext, ExecutionLifecycleHooks } from 'n8n-core';
import {
  createRunExecutionData,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
  type INodeType,
  type IRunExecutionData,
  type ITaskData,
  type IWorkflowBase,
  type IWorkflowExecuteAdditionalData,
  type Workflow,
  type WorkflowExecuteMode,
} from 'n8n-workflow';

import type { Database } from './database';

export interface Start {
  database: Database;
  workflow: Workflow;
  stopped: AbortSignal;
  /** Signal that is aborted when a user or n8n's time limit stops the execution. */
  canceled: AbortSignal;
  nodeName: string;
  trigger: INodeType;
  mode: WorkflowExecuteMode;
  items: INodeExecutionData[];
  additionalData: IWorkflowExecuteAdditionalData;
  /** Major version of n8n. n8n 1 doesn't notify nodes of the end of an execution. */
  major: 1 | 2;
  /** Outcomes whose executions n8n deletes, because environment variables say so. */
  unsaved: ReadonlyArray<'success' | 'error'>;
  /** Function that simulates the nodes after the trigger. May fail. */
  work: (items: INodeExecutionData[]) => Promise<void>;
  /** Whether the execution waits after the work, e.g. for an approval. */
  waits: boolean;
}

const WAIT_MS = 5 * 24 * 60 * 60 * 1000;

export const executionData = (): IRunExecutionData => createRunExecutionData({ resultData: { runData: {} } });

/** Runs the trigger and the following nodes, as n8n does after responding to a call. */
export async function runExecution(start: Start, executionId: string, data: IRunExecutionData): Promise<void> {
  const { database, workflow, stopped, canceled, nodeName, trigger, mode, items, additionalData, major } = start;
  const hooks = new ExecutionLifecycleHooks(mode, executionId, { id: workflow.id } as IWorkflowBase);
  const all = {
    ...additionalData,
    executionId,
    hooks,
    getRunExecutionData: async (id: string) => await Promise.resolve(database.executions.get(id)),
  } as unknown as IWorkflowExecuteAdditionalData;
  const node = workflow.getNode(nodeName) as INode;
  const input = { main: [items] };
  const executeData = { node, data: input, source: null };
  // Every execution listens to both signals, as in n8n.
  setMaxListeners(0, stopped, canceled);
  const signal = AbortSignal.any([stopped, canceled]);
  const context = new ExecuteContext(workflow, node, all, mode, data, 0, items, input, executeData, [], signal);
  if (major === 1) (context as { onExecutionFinish?: unknown }).onExecutionFinish = undefined;
  // n8n stores a canceled execution without an error, even if its nodes continue.
  const store = async (status: 'success' | 'error' | 'canceled') => {
    if (database.isDead(workflow) || hasEnded) return;
    hasEnded = true;
    if (start.unsaved.includes(status === 'success' ? status : 'error')) database.executions.delete(executionId);
    else database.executions.set(executionId, structuredClone(data));
    await hooks.runHook('workflowExecuteAfter', [{ status, data } as never, {}]);
  };
  let hasEnded = false;
  canceled.addEventListener('abort', () => {
    data.resultData.runData = { [nodeName]: [{} as ITaskData] };
    void store('canceled');
  });
  data.resultData.lastNodeExecuted = nodeName;
  try {
    const output = await (trigger.execute as (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>).call(
      context,
    );
    // Without items, n8n runs no other node.
    const isContinued = mode !== 'trigger' || output[0]?.length;
    data.resultData.runData = { [nodeName]: [{ data: { main: output } } as never] };
    if (isContinued) data.resultData.lastNodeExecuted = 'Work';
    if (isContinued) await start.work(output[0] ?? []);
    if (isContinued && start.waits) data.waitTill = new Date(Date.now() + WAIT_MS);
    if (data.waitTill) return void database.executions.set(executionId, structuredClone(data));
  } catch (error) {
    data.resultData.error = error as IRunExecutionData['resultData']['error'];
  }
  await store(data.resultData.error ? 'error' : 'success');
}
