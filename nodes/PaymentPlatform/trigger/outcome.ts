import { sleep, type IExecuteFunctions, type IRunExecutionData } from 'n8n-workflow';

import type { Outcome } from './once';

type End = Exclude<Outcome, 'running'>;

const SECOND = 1000;
/** When to look, in milliseconds: n8n 1 does not tell a node that its execution ends. */
const LOOKS = [1, 2, 4, 8, 15, 30, 60, 120, 300, 900, 3600, 3600, 3600].map((seconds) => seconds * SECOND);
/** n8n 2 tells it, but not of an execution that went to wait (docs/n8n.md#end-of-an-execution). */
const RARE_LOOKS = LOOKS.slice(6);

/**
 * Tells how an execution ends, as soon as n8n lets a node know. A later call overrules an earlier one: with the workflow's
 * setting "Save Execution Progress" an execution that is still running looks like one that succeeded.
 */
export function onEnd(context: IExecuteFunctions, told: (outcome: End) => void): void {
  const executionId = context.getExecutionId();
  let ended = false;
  const look = async () => {
    const outcome = outcomeOf(await context.getExecutionDataById(executionId));
    if (outcome !== 'running') told(outcome);
    return outcome !== 'running';
  };
  context.onExecutionFinish?.(async () => {
    ended = true;
    await look();
  });
  context.onExecutionCancellation(() => (ended = true));
  const watch = async () => {
    for (const delayMs of context.onExecutionFinish ? RARE_LOOKS : LOOKS) {
      for (let waitedMs = 0; waitedMs < delayMs && !ended; waitedMs += SECOND) await sleep(SECOND);
      if (ended || (await look())) return;
    }
  };
  // The database can't be read for a moment: the mark stays open, and a copy is emitted again.
  void watch().catch(() => undefined);
}

/** Nothing is there when the workflow is set not to save what succeeded. */
function outcomeOf(data: IRunExecutionData | undefined): Outcome {
  if (data?.resultData.error) return 'failed';
  const hasRun = data === undefined || Object.keys(data.resultData.runData).length > 0;
  return hasRun ? 'succeeded' : 'running';
}
