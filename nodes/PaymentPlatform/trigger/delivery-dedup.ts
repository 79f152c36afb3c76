import { randomUUID } from 'node:crypto';

import { sleep, type IWebhookFunctions } from 'n8n-workflow';

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
    entry.taken = outcomeOf(response).then((taken) => {
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

async function outcomeOf(response: CallResponse): Promise<boolean> {
  await new Promise<void>((resolve) => {
    if (response.closed || response.destroyed) resolve();
    else response.once('close', resolve);
  });
  for (let waitedMs = 0; !response.writableEnded && waitedMs < LONGEST_ANSWER_MS; waitedMs += 100) await sleep(100);
  return response.writableEnded && response.statusCode < 300;
}
