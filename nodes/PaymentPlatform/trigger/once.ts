import { sleep } from 'n8n-workflow';

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

/** How long a delivery is recognised, in milliseconds; the service repeats it for an hour by default (facts.md section 1). */
const WINDOW_MS = 24 * 60 * 60 * 1000;
/** Most deliveries that are stored with the workflow: about 25 kB, written with each delivery. */
const MOST_STORED = 1000;
/** Most deliveries that a process remembers per node: about 2 MB. */
const MOST_REMEMBERED = 10_000;
/** Length of an identity (delivery.ts); the time in seconds follows it. */
const IDENTITY_LENGTH = 16;
/** How long n8n may take to answer a caller that has hung up, before the delivery counts as not taken. */
const LONGEST_ANSWER_MS = 30_000;

interface Known {
  atMs: number;
  /** Whether n8n took it; none once that is certain. */
  taken?: Promise<boolean>;
}

const byNode = new Map<string, Deliveries>();

/**
 * The deliveries that a node took lately, so that a repetition is answered and not emitted again. What holds where:
 * - in one process: any two copies, also at the same time. The second waits until n8n answered the first; if n8n could
 *   not take the first, the second is emitted in its place.
 * - after a restart, and in another process: copies that arrive after the first was answered, for its identity is stored
 *   with the workflow by then (n8n saves static data before it answers). Bounded: the latest 1000 of the last 24 hours.
 * - not held: two copies that reach two processes at the same time, and a process killed between starting the workflow
 *   and answering. Such a delivery is emitted twice rather than lost.
 * n8n writes static data as a whole, so processes that write at the same moment can lose each other's latest entry.
 * Holds digests and times, never content.
 */
export class Deliveries {
  /**
   * What n8n saves. Shared by all calls of the process on purpose: whichever is saved last holds what all of them took.
   * Each entry: identity, then seconds since 1970 in base 36.
   */
  readonly stored: string[] = [];
  private readonly known = new Map<string, Known>();
  /** Taken back, in case that another call saved them in the meantime. */
  private readonly released = new Set<string>();

  static of(nodeKey: string): Deliveries {
    const existing = byNode.get(nodeKey) ?? new Deliveries();
    byNode.set(nodeKey, existing);
    return existing;
  }

  /**
   * Whether this is the first time that the delivery arrives. If so, it counts as taken when `response` ends with a
   * status below 300, and as not seen otherwise.
   * @param saved what is stored with the workflow at this moment.
   */
  async claim(identity: string, saved: string[], response: CallResponse): Promise<boolean> {
    this.load(saved);
    for (let known = this.known.get(identity); known; known = this.known.get(identity)) {
      if (known.atMs < Date.now() - WINDOW_MS) break;
      if (known.taken === undefined || (await known.taken)) return false;
    }
    const entry = this.remember(identity, Date.now());
    entry.taken = outcomeOf(response).then((taken) => {
      delete entry.taken;
      if (!taken) this.release(identity);
      return taken;
    });
    return true;
  }

  private load(saved: string[]): void {
    for (const entry of saved) {
      const identity = entry.slice(0, IDENTITY_LENGTH);
      const atMs = parseInt(entry.slice(IDENTITY_LENGTH), 36) * 1000;
      if (!this.known.has(identity) && !this.released.has(identity) && atMs > Date.now() - WINDOW_MS)
        this.remember(identity, atMs);
    }
  }

  private remember(identity: string, atMs: number): Known {
    const entry: Known = { atMs };
    this.known.delete(identity);
    this.known.set(identity, entry);
    this.released.delete(identity);
    this.stored.push(`${identity}${Math.floor(atMs / 1000).toString(36)}`);
    this.stored.splice(0, this.stored.length - MOST_STORED);
    for (const [oldest, { taken }] of this.known) {
      if (this.known.size <= MOST_REMEMBERED || taken) break;
      this.known.delete(oldest);
    }
    return entry;
  }

  private release(identity: string): void {
    this.known.delete(identity);
    this.released.add(identity);
    const index = this.stored.findIndex((entry) => entry.startsWith(identity));
    if (index >= 0) this.stored.splice(index, 1);
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
