import { type IExecuteFunctions, type IRunExecutionData, sleep } from 'n8n-workflow';

import type { Outcome } from './delivery-dedup';

type End = Exclude<Outcome, 'running'>;

const SECOND = 1000;
/** Delays between checks of an execution. n8n 1 doesn't tell nodes that an execution has ended. */
const LOOKS = [1, 2, 4, 8, 15, 30, 60, 120, 300, 900, 3600, 3600, 3600].map((seconds) => seconds * SECOND);
/**
 * n8n 2 reports the end of an execution unless the execution waited (n8n.md#end-of-an-execution), so the node checks
 * less often.
 */
const RARE_LOOKS = LOOKS.slice(6);

/** May call `told` again, because with "Save Execution Progress" a running execution looks successful. */
export function onEnd(context: IExecuteFunctions, told: (outcome: End) => void): void {
  const executionId = context.getExecutionId();
  let ended = false;
  let canceled = false;
  const look = async () => {
    const data = await context.getExecutionDataById(executionId);
    if (canceled) return true;
    const outcome = data ? outcomeOf(data) : outcomeOfUnsaved(context);
    if (outcome !== 'running') told(outcome);
    return outcome !== 'running';
  };
  const cancel = () => {
    if (canceled) return;
    canceled = true;
    ended = true;
    told('failed');
  };
  // n8n doesn't report an earlier cancellation to handlers, so the function first checks for a cancellation.
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
  void watch().catch(() => undefined);
}

function outcomeOf(data: IRunExecutionData): Outcome {
  if (data.resultData.error) return 'failed';
  // A waiting execution can still fail or be canceled, so it hasn't ended.
  const hasEnded = !data.waitTill && Object.keys(data.resultData.runData).length > 0;
  return hasEnded ? 'succeeded' : 'running';
}

/** Contains the execution's data until it waits (n8n.md#end-of-an-execution). n8n's types omit the data. */
interface ExecutionContext extends IExecuteFunctions {
  runExecutionData?: IRunExecutionData;
}

/**
 * n8n deleted the execution when it ended. A node can't read the environment variables that decide about the deletion.
 */
function outcomeOfUnsaved(context: ExecutionContext): End {
  const { runExecutionData } = context;
  if (runExecutionData && !runExecutionData.waitTill) return runExecutionData.resultData.error ? 'failed' : 'succeeded';
  const { saveDataErrorExecution, saveDataSuccessExecution } = context.getWorkflowSettings();
  return saveDataErrorExecution === 'none' && saveDataSuccessExecution !== 'none' ? 'failed' : 'succeeded';
}
