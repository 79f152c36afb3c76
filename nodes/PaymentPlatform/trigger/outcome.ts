import { sleep, type IExecuteFunctions, type IRunExecutionData } from 'n8n-workflow';

import type { Outcome } from './delivery-dedup';

type End = Exclude<Outcome, 'running'>;

const SECOND = 1000;
/** When to look, in milliseconds: n8n 1 does not tell a node that its execution ends. */
const LOOKS = [1, 2, 4, 8, 15, 30, 60, 120, 300, 900, 3600, 3600, 3600].map((seconds) => seconds * SECOND);
/** n8n 2 tells it, but not of an execution that went to wait (n8n.md#end-of-an-execution). */
const RARE_LOOKS = LOOKS.slice(6);

/**
 * Tells how an execution ends, as soon as n8n lets a node know. A later call overrules an earlier one: with the workflow's
 * setting "Save Execution Progress" an execution that is still running looks like one that succeeded. A canceled execution
 * has failed: n8n stores it without an error, so only the cancellation itself tells.
 */
export function onEnd(context: IExecuteFunctions, told: (outcome: End) => void): void {
  const executionId = context.getExecutionId();
  let ended = false;
  let canceled = false;
  const look = async () => {
    const data = await context.getExecutionDataById(executionId);
    if (canceled) return true;
    const outcome = outcomeOf(data, keepsOnlySuccesses(context));
    if (outcome !== 'running') told(outcome);
    return outcome !== 'running';
  };
  const cancel = () => {
    if (canceled) return;
    canceled = true;
    ended = true;
    told('failed');
  };
  // n8n does not report a cancellation to handlers that are added after it.
  if (context.getExecutionCancelSignal()?.aborted) return cancel();
  context.onExecutionCancellation(cancel);
  context.onExecutionFinish?.(async () => {
    ended = true;
    if (!canceled) await look();
  });
  const watch = async () => {
    for (const delayMs of context.onExecutionFinish ? RARE_LOOKS : LOOKS) {
      for (let waitedMs = 0; waitedMs < delayMs && !ended; waitedMs += SECOND) await sleep(SECOND);
      if (ended || (await look())) return;
    }
  };
  // The database can't be read for a moment: the mark stays open, and a copy is emitted again.
  void watch().catch(() => undefined);
}

/** Whether the workflow's settings make n8n delete failed executions and keep successful ones. */
function keepsOnlySuccesses(context: IExecuteFunctions): boolean {
  const { saveDataErrorExecution, saveDataSuccessExecution } = context.getWorkflowSettings();
  return saveDataErrorExecution === 'none' && saveDataSuccessExecution !== 'none';
}

/** @param deletesFailed whether an execution that is not there has failed; otherwise it succeeded. */
function outcomeOf(data: IRunExecutionData | undefined, deletesFailed: boolean): Outcome {
  if (!data) return deletesFailed ? 'failed' : 'succeeded';
  if (data.resultData.error) return 'failed';
  // An execution that waits can still fail or be canceled.
  const hasEnded = !data.waitTill && Object.keys(data.resultData.runData).length > 0;
  return hasEnded ? 'succeeded' : 'running';
}
