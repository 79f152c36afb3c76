import { randomUUID } from 'node:crypto';

import { type IExecuteFunctions, type IRunExecutionData, type IWebhookFunctions, sleep } from 'n8n-workflow';

import { readCatchUpOptions } from './description';

export interface CallResponse {
  statusCode: number;
  readonly closed: boolean;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  once(event: 'close', listener: () => void): unknown;
  setHeader(name: string, value: string): unknown;
  status(code: number): { json(body: unknown): unknown };
}

/** n8n's own type comes from a package that isn't installed. */
export const responseOf = (context: IWebhookFunctions) => context.getResponseObject() as CallResponse;

export type Outcome = 'running' | 'succeeded' | 'failed';

/** ID of this process. If it ends, its executions also end, unless workers run them. */
export const PROCESS_ID = randomUUID();

/**
 * The trigger recognizes copies for this time. By default, the service repeats a delivery for one hour
 * (service.md#deliveries).
 */
const WINDOW_MS = 24 * 60 * 60 * 1000;
const MOST_REMEMBERED = 10_000;
/** In this period, the trigger treats a copy as accidental without checking the execution. */
const SOON_MS = 10_000;
/** Maximum wait for n8n's response to a disconnected caller. */
const LONGEST_ANSWER_MS = 30_000;

interface Known {
  atMs: number;
  /** Resolves to true if n8n accepted the delivery. */
  taken?: Promise<boolean>;
  outcome?: Outcome;
}

const byNode = new Map<string, DeliveryDedup>();

/**
 * Recent deliveries to this process, in memory. A copy waits for n8n's response to the first delivery. Contains digests
 * and times but no content.
 */
export class DeliveryDedup {
  private readonly known = new Map<string, Known>();

  static of(nodeKey: string): DeliveryDedup {
    const existing = byNode.get(nodeKey) ?? new DeliveryDedup();
    byNode.set(nodeKey, existing);
    return existing;
  }

  /**
   * Returns true if the delivery is new, its execution failed, or this process doesn't know its outcome after
   * `SOON_MS`.
   */
  async claim(identity: string, response: CallResponse): Promise<boolean> {
    for (let known = this.known.get(identity); known; known = this.known.get(identity)) {
      if (known.atMs < Date.now() - WINDOW_MS) break;
      if (known.taken && !(await known.taken)) continue;
      if (known.outcome === 'running' || known.outcome === 'succeeded') return false;
      if (known.outcome === 'failed' || known.atMs < Date.now() - SOON_MS) break;
      return false;
    }
    const entry = this.remember(identity);
    entry.taken = isAnswered(response).then((taken) => {
      delete entry.taken;
      if (!taken && this.known.get(identity) === entry) this.known.delete(identity);
      return taken;
    });
    return true;
  }

  /** Has no effect if another process received the delivery. */
  note(identity: string, outcome: Outcome): void {
    const known = this.known.get(identity);
    if (known) known.outcome = outcome;
  }

  private remember(identity: string): Known {
    const entry: Known = { atMs: Date.now() };
    this.known.delete(identity);
    this.known.set(identity, entry);
    for (const [oldest, { taken }] of this.known) {
      if (this.known.size <= MOST_REMEMBERED || taken) break;
      this.known.delete(oldest);
    }
    return entry;
  }
}

async function isAnswered(response: CallResponse): Promise<boolean> {
  await new Promise<void>((resolve) => {
    if (response.closed || response.destroyed) resolve();
    else response.once('close', resolve);
  });
  for (let waitedMs = 0; !response.writableEnded && waitedMs < LONGEST_ANSWER_MS; waitedMs += 100) await sleep(100);
  return response.writableEnded && response.statusCode < 300;
}

export type End = Exclude<Outcome, 'running'>;

const SECOND = 1000;
/** Delays between checks of an execution. n8n 1 doesn't tell nodes that an execution has ended. */
const LOOKS = [1, 2, 4, 8, 15, 30, 60, 120, 300, 900].map((seconds) => seconds * SECOND);
/** Delay after these checks, until the execution has ended. */
const LAST_LOOKS = 3600 * SECOND;
/**
 * n8n 2 reports the end of an execution unless the execution waited (n8n.md#end-of-an-execution), so the node checks
 * less often.
 */
const RARE_LOOKS = LOOKS.slice(6);
/** If n8n stops before the node has seen that an execution waits, catch-up may emit its changes again. */
const LOOKS_FOR_WAIT = LOOKS.slice(3);

/**
 * May call `told` again, because with "Save Execution Progress" a running execution looks successful.
 * @param waits called while the execution waits, which can take days.
 * @returns a function that restarts the delays between checks.
 */
export function onEnd(context: IExecuteFunctions, told: (outcome: End) => void, waits?: () => void): () => void {
  const executionId = context.getExecutionId();
  let ended = false;
  let canceled = false;
  const look = async () => await lookOnce().catch(() => false);
  const lookOnce = async () => {
    const data = await context.getExecutionDataById(executionId);
    if (canceled) return true;
    const outcome = data ? outcomeOf(data) : outcomeOfUnsaved(context);
    if (data?.waitTill) waits?.();
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
  if (context.getExecutionCancelSignal()?.aborted) {
    cancel();
    return () => undefined;
  }
  context.onExecutionCancellation(cancel);
  context.onExecutionFinish?.(async () => {
    // If n8n's database fails, the function looks again later.
    ended = canceled || (await look());
  });
  let count = 0;
  const watch = async () => {
    const looks = !context.onExecutionFinish ? LOOKS : waits ? LOOKS_FOR_WAIT : RARE_LOOKS;
    for (; ; count += 1) {
      let waitedMs = 0;
      for (; waitedMs < (looks[count] ?? LAST_LOOKS) && !ended; waitedMs += SECOND) await sleep(SECOND);
      if (ended || (await look())) return;
    }
  };
  void watch();
  return () => void (count = 0);
}

/**
 * Tells when an execution has ended, and whether catch-up omits its changes from then on. An execution that waits may
 * wait for days, so catch-up omits its changes.
 */
export function onChangesEnd(context: IExecuteFunctions, told: (outcome: End, isDone: boolean) => void): () => void {
  const { emitsFailed } = readCatchUpOptions(context);
  let hasWaited = false;
  let last: End | undefined;
  const tell = (outcome: End) => {
    if (outcome === last) return;
    last = outcome;
    told(outcome, hasWaited || outcome === 'succeeded' || !emitsFailed);
  };
  const wait = () => {
    tell('succeeded');
    hasWaited = true;
  };
  return onEnd(context, tell, wait);
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
