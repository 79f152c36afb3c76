import { randomUUID } from 'node:crypto';

import { sleep, type IWebhookFunctions } from 'n8n-workflow';

/** What the trigger uses of n8n's response to a call: Node.js's own, with what Express adds. */
export interface CallResponse {
  statusCode: number;
  readonly closed: boolean;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  once(event: 'close', listener: () => void): unknown;
  setHeader(name: string, value: string): unknown;
  status(code: number): { json(body: unknown): unknown };
}

/** The response to a call; n8n's own type of it is that of a package that is not there. */
export const responseOf = (context: IWebhookFunctions) => context.getResponseObject() as CallResponse;

/** What became of the execution that a delivery started; none while this process has not seen it begin. */
export type Outcome = 'running' | 'succeeded' | 'failed';

/** Tells the processes of n8n apart: an execution ends with its process, unless a worker runs it. */
export const PROCESS_ID = randomUUID();

/**
 * How long a delivery is recognised, in milliseconds; the service repeats it for an hour by default
 * (service.md#deliveries).
 */
const WINDOW_MS = 24 * 60 * 60 * 1000;
/** Most deliveries that a process remembers per node: about 2 MB. */
const MOST_REMEMBERED = 10_000;
/** A copy so soon after is none that a person or the service sent for a reason: it is answered without a look. */
const SOON_MS = 10_000;
/** How long n8n may take to answer a caller that has hung up, before the delivery counts as not taken. */
const LONGEST_ANSWER_MS = 30_000;

interface Known {
  atMs: number;
  /** Whether n8n took it; none once that is certain. */
  taken?: Promise<boolean>;
  outcome?: Outcome;
}

const byNode = new Map<string, DeliveryDedup>();

/**
 * The deliveries that reached this process lately. Two copies at the same time are one: the second waits until n8n
 * answered the first, and takes its place if n8n could not take it. What this process can't know, because another one
 * runs the executions or it was started again, the execution finds out before it works (ledger.ts).
 * Holds digests and times, never content; nothing of it is stored.
 */
export class DeliveryDedup {
  private readonly known = new Map<string, Known>();

  static of(nodeKey: string): DeliveryDedup {
    const existing = byNode.get(nodeKey) ?? new DeliveryDedup();
    byNode.set(nodeKey, existing);
    return existing;
  }

  /**
   * Whether an execution is wanted: the delivery is new, or its execution failed, or nobody here knows what became of it.
   * It counts as taken when `response` ends with a status below 300, and as not seen otherwise.
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

  /** Notes what the execution of a delivery does, if this process received it. */
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

/** Whether n8n took the delivery. A caller that hangs up says nothing about it: n8n's own answer does. */
async function outcomeOf(response: CallResponse): Promise<boolean> {
  await new Promise<void>((resolve) => {
    if (response.closed || response.destroyed) resolve();
    else response.once('close', resolve);
  });
  for (let waitedMs = 0; !response.writableEnded && waitedMs < LONGEST_ANSWER_MS; waitedMs += 100) await sleep(100);
  return response.writableEnded && response.statusCode < 300;
}
