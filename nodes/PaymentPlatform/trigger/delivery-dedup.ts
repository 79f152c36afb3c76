import { randomUUID } from 'node:crypto';

import { sleep, type IWebhookFunctions } from 'n8n-workflow';

/** Part of n8n's response object that the trigger uses: Node.js's own with the additions of Express. */
export interface CallResponse {
  statusCode: number;
  readonly closed: boolean;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  once(event: 'close', listener: () => void): unknown;
  setHeader(name: string, value: string): unknown;
  status(code: number): { json(body: unknown): unknown };
}

/** Returns the response to a call. n8n's own type comes from a package that isn't installed. */
export const responseOf = (context: IWebhookFunctions) => context.getResponseObject() as CallResponse;

/** Outcome of the execution that a delivery started. Missing until this process has seen the execution begin. */
export type Outcome = 'running' | 'succeeded' | 'failed';

/** Identifies the process of n8n. If the process ends, the execution ends too, unless a worker runs it. */
export const PROCESS_ID = randomUUID();

/**
 * Time for which a delivery is recognized, in milliseconds. The service repeats it for an hour by default
 * (service.md#deliveries).
 */
const WINDOW_MS = 24 * 60 * 60 * 1000;
/** Maximum number of deliveries that a process remembers per node, about 2 MB. */
const MOST_REMEMBERED = 10_000;
/**
 * Time during which a copy of a delivery can't be a deliberate repetition, so the trigger responds without checking.
 */
const SOON_MS = 10_000;
/** Maximum time for n8n's response to a caller that disconnected. After that, the delivery counts as not accepted. */
const LONGEST_ANSWER_MS = 30_000;

interface Known {
  atMs: number;
  /** Promise that resolves to whether n8n accepted the delivery. Removed as soon as it has resolved. */
  taken?: Promise<boolean>;
  outcome?: Outcome;
}

const byNode = new Map<string, DeliveryDedup>();

/**
 * Recent deliveries to this process. A copy that arrives at the same time waits for n8n's response to the first
 * delivery. If n8n did not accept the first delivery, the copy replaces it. After a restart, or if another process runs
 * the executions, the execution itself detects copies (delivery-claims.ts). Contains digests and times, never content,
 * and stores nothing.
 */
export class DeliveryDedup {
  private readonly known = new Map<string, Known>();

  static of(nodeKey: string): DeliveryDedup {
    const existing = byNode.get(nodeKey) ?? new DeliveryDedup();
    byNode.set(nodeKey, existing);
    return existing;
  }

  /**
   * Returns whether to start an execution: the delivery is new, its execution failed, or its outcome is unknown in this
   * process. If `response` ends with a status below 300, the delivery counts as accepted. Otherwise, it counts as never
   * received.
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
    entry.taken = outcomeOf(response).then((taken) => {
      delete entry.taken;
      if (!taken && this.known.get(identity) === entry) this.known.delete(identity);
      return taken;
    });
    return true;
  }

  /** Records the outcome of a delivery's execution, if this process received the delivery. */
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

/** Returns whether n8n accepted the delivery. Only n8n's response decides, even if the caller disconnected. */
async function outcomeOf(response: CallResponse): Promise<boolean> {
  await new Promise<void>((resolve) => {
    if (response.closed || response.destroyed) resolve();
    else response.once('close', resolve);
  });
  for (let waitedMs = 0; !response.writableEnded && waitedMs < LONGEST_ANSWER_MS; waitedMs += 100) await sleep(100);
  return response.writableEnded && response.statusCode < 300;
}
