import { randomInt } from 'node:crypto';

import {
  type CronExpression,
  type IExecuteFunctions,
  type IRun,
  type ITriggerFunctions,
  type ITriggerResponse,
  ManualExecutionCancelledError,
  sleep,
} from 'n8n-workflow';

import { isObject } from '../../shared/objects';
import { PROCESS_ID } from '../delivery-dedup';
import { readCatchUpOptions, type CatchUp } from '../description';
import { CUT } from './problems';

/** After an activation, n8n needs a moment, and the service repeats deliveries. */
const SOON_MS = 10_000;
const SECOND_MS = 1000;
/** Maximum time that a catch-up waits for the end of an earlier one. In queue mode, n8n may lose its end. */
const LONGEST_RUN_MS = 24 * 60 * 60 * SECOND_MS;
/** Pauses before the trigger repeats a catch-up that failed. */
const PAUSES_MS = [1, 5, 15, 60, 360].map((minutes) => minutes * 60 * SECOND_MS);
const minute = () => randomInt(60);
/** A random minute spreads the load of the service. */
const SCHEDULES: Record<Exclude<CatchUp, 'never'>, () => CronExpression> = {
  everyHour: () => `${minute()} ${minute()} * * * *`,
  every6Hours: () => `${minute()} ${minute()} */6 * * *`,
  everyDay: () => `${minute()} ${minute()} ${randomInt(24)} * * *`,
  // Catch-up doesn't remember a longer break than 30 days.
  onActivation: () => `${minute()} ${minute()} ${randomInt(24)} * * ${randomInt(7)}`,
};

/**
 * Starts executions that catch up, and repeats them if the trigger fails in them. n8n calls this function only in its
 * leading process.
 */
export async function scheduleCatchUp(context: ITriggerFunctions): Promise<ITriggerResponse> {
  const { catchUp } = readCatchUpOptions(context);
  if (catchUp === 'never') return await Promise.resolve({});
  // Each start replaces the earlier ones that wait.
  let starts = 0;
  let running = 0;
  const start = async (firstPauseMs: number) => {
    const own = ++starts;
    let pauses = [firstPauseMs, ...PAUSES_MS];
    for (let pauseMs = pauses.shift(); pauseMs !== undefined; pauseMs = pauses.shift()) {
      const waits = (ms: number) => own === starts && (ms < pauseMs || (running > 0 && ms < LONGEST_RUN_MS));
      for (let waitedMs = 0; waits(waitedMs); waitedMs += SECOND_MS) await sleep(SECOND_MS);
      if (own !== starts) return;
      running += 1;
      const end = await run(context).catch(() => 'failed' as const);
      running -= 1;
      if (end === 'done') return;
      if (end === 'cut') pauses = [...PAUSES_MS];
    }
  };
  void start(SOON_MS);
  context.helpers.registerCron({ expression: SCHEDULES[catchUp]() }, () => void start(0));
  const closeFunction = async () => await Promise.resolve(void (starts += 1));
  return { closeFunction };
}

/** Custom data of an execution. In queue mode, n8n 2 doesn't pass its items to the trigger (n8n.md#queue-mode). */
const STOPPED = 'payment_platform_catch_up_stopped';
type Marked = { customData: Pick<Map<string, string>, 'set'> };
const isMarkable = (value: unknown): value is Marked => isObject(value) && isObject(value.customData);

/** Tells `run` that the execution stopped before it read all changes. */
export function markCut(context: IExecuteFunctions): void {
  const { $execution: execution }: Record<string, unknown> = context.getWorkflowDataProxy(0);
  if (isMarkable(execution)) execution.customData.set(STOPPED, 'true');
}

/**
 * Starts an execution that catches up.
 * @returns `failed` if the execution could not start, the trigger failed in it, or a later node failed before all
 * changes were emitted.
 */
async function run(context: ITriggerFunctions): Promise<'done' | 'cut' | 'failed'> {
  const { name } = context.getNode();
  const delivery = { isCatchUp: true, receivedBy: PROCESS_ID, receivedAt: new Date().toISOString(), notices: [] };
  const done = context.helpers.createDeferredPromise<IRun>();
  context.emit([[{ json: { delivery } }]], undefined, done);
  const outcomeOf = (error: unknown) => (error instanceof ManualExecutionCancelledError ? 'done' : 'failed');
  const ended = await done.promise.catch(outcomeOf);
  if (typeof ended === 'string') return ended;
  const { error, lastNodeExecuted = name, metadata } = ended.data.resultData;
  const isCut = metadata?.[STOPPED] !== undefined;
  // Without items, the execution fails to name the problems, but has recorded its changes.
  if (error === undefined || error.message.includes(CUT)) return isCut ? 'cut' : 'done';
  return (isCut || lastNodeExecuted === name) && ended.status !== 'canceled' ? 'failed' : 'done';
}
