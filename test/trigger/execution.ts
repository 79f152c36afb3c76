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
  /** Function that simulates the nodes after the trigger. May fail. */
  work: (items: INodeExecutionData[]) => Promise<void>;
}

export const executionData = (): IRunExecutionData => createRunExecutionData({ resultData: { runData: {} } });

/**
 * Runs the trigger and the following nodes, as n8n does after responding to a call. Never rejects, because the
 * execution data contains the error.
 */
export async function runExecution(start: Start, executionId: string, data: IRunExecutionData): Promise<void> {
  const { database, workflow, stopped, canceled, nodeName, trigger, mode, items, additionalData, major, work } = start;
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
  // Allows many listeners, because every execution listens to these signals, as in n8n.
  setMaxListeners(0, stopped, canceled);
  const signal = AbortSignal.any([stopped, canceled]);
  const context = new ExecuteContext(workflow, node, all, mode, data, 0, items, input, executeData, [], signal);
  if (major === 1) (context as { onExecutionFinish?: unknown }).onExecutionFinish = undefined;
  const ended = structuredClone(data);
  // n8n stores a canceled execution without an error and runs its hooks once, even if its nodes continue.
  const store = async (status: 'success' | 'error' | 'canceled') => {
    if (database.isDead(workflow) || hasEnded) return;
    hasEnded = true;
    database.executions.set(executionId, structuredClone(ended));
    await hooks.runHook('workflowExecuteAfter', [{ status, data: ended } as never, {}]);
  };
  let hasEnded = false;
  canceled.addEventListener('abort', () => {
    ended.resultData.runData = { [nodeName]: [{} as ITaskData] };
    void store('canceled');
  });
  try {
    const output = await (trigger.execute as (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>).call(
      context,
    );
    await work(output[0] ?? []);
    ended.resultData.runData = { [nodeName]: [{} as ITaskData] };
  } catch (error) {
    ended.resultData.error = error as IRunExecutionData['resultData']['error'];
  }
  await store(ended.resultData.error ? 'error' : 'success');
}
