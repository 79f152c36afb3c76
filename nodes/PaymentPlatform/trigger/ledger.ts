import { sleep } from 'n8n-workflow';

import { Marks, type MarkStore } from './marks';

/**
 * What n8n's database tells of a delivery: nobody worked on it (`new`), an execution has begun and not ended (`open`), an
 * execution succeeded (`done`).
 */
export type Standing = 'new' | 'open' | 'done';

/** Longer than two processes take to write over each other, in milliseconds. */
const SETTLE_MS = 50;
/** n8n needs 119 to 132 seconds to see that a worker is gone; after that an execution that was begun counts as lost. */
const LONGEST_WAIT_MS = 150_000;
const FIRST_STEP_MS = 200;
const LONGEST_STEP_MS = 5_000;

const byNode = new Map<string, Ledger>();

/**
 * Which deliveries have been worked on, as all processes of n8n know it. An execution marks its delivery as taken and
 * open when it begins; a success removes "open", a failure both. A process that was killed leaves "open" behind.
 */
export class Ledger {
  private readonly marks = new Marks();

  static of(nodeKey: string): Ledger {
    const existing = byNode.get(nodeKey) ?? new Ledger();
    byNode.set(nodeKey, existing);
    return existing;
  }

  /**
   * Marks the delivery as this execution's, unless it is another's.
   * @param shared whether other processes may work on a copy at this moment.
   */
  async begin(store: MarkStore, identity: string, executionId: string, shared: boolean): Promise<Standing> {
    const { taken, open, by } = marksOf(identity, executionId);
    // It failed a moment ago.
    const isFree = this.marks.spare(taken);
    this.marks.spare(open);
    if (isFree) return 'new';
    const own = shared ? [taken, open, by] : [taken, open];
    const added = await this.marks.add(store, own);
    if (!added.has(taken)) {
      const isDone = added.has(open);
      this.marks.remove(store, isDone ? [open, by] : [by], true);
      return isDone ? 'done' : 'open';
    }
    if (!shared) return 'new';
    await sleep(SETTLE_MS);
    const lost = await this.marks.add(store, own);
    // Another process wrote over it. If that one took the same delivery, it is the other's; if not, it is written again.
    return lost.has(by) && !lost.has(taken) ? 'open' : 'new';
  }

  /** Waits until the execution that is open has ended. @returns `new` when it failed, or seems to be lost. */
  async awaitEnd(store: MarkStore, identity: string): Promise<Exclude<Standing, 'open'>> {
    const { taken, open } = marksOf(identity, '');
    let stepMs = FIRST_STEP_MS;
    for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += stepMs) {
      stepMs = Math.min(stepMs * 2, LONGEST_STEP_MS);
      await sleep(stepMs);
      if (!(await this.marks.add(store, [open])).has(open)) continue;
      if ((await this.marks.add(store, [taken])).has(taken)) return 'new';
      this.marks.remove(store, [open], true);
      return 'done';
    }
    return 'new';
  }

  end(store: MarkStore, identity: string, executionId: string, succeeded: boolean): void {
    const { taken, open, by } = marksOf(identity, executionId);
    this.marks.remove(store, succeeded ? [open, by] : [taken, open, by], succeeded);
  }
}

const marksOf = (identity: string, executionId: string) => ({
  taken: `taken ${identity}`,
  open: `open ${identity}`,
  by: `by ${executionId} ${identity}`,
});
