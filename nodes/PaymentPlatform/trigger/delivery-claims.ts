import { sleep } from 'n8n-workflow';

import { Marks, type MarkStore } from './marks';

/**
 * What n8n's database tells of a delivery: nobody worked on it (`new`), an execution has begun and not ended (`open`), an
 * execution succeeded (`done`).
 */
export type Standing = 'new' | 'open' | 'done';

/**
 * How long two processes may take to write over each other: a multiple of what this one has just needed, for a machine
 * under load is slow for both. In milliseconds.
 */
const SETTLING = { times: 4, leastMs: 100, mostMs: 2_000 };
/**
 * n8n needs 119 to 132 seconds to see that a worker is gone; after that an execution that was begun counts as lost
 * (n8n.md#queue-mode).
 */
const LONGEST_WAIT_MS = 150_000;
/** How often a failed execution tries to remove its marks, and when it looks whether they are gone, in milliseconds. */
const MOST_RELEASES = 10;
const RELEASED_AFTER_MS = 600;
const FIRST_STEP_MS = 200;
const LONGEST_STEP_MS = 5_000;

const byNode = new Map<string, DeliveryClaims>();

/**
 * Which deliveries have been worked on, as all processes of n8n know it. An execution marks its delivery as taken and
 * open when it begins; a success removes "open", a failure both. A process that was killed leaves "open" behind.
 */
export class DeliveryClaims {
  private readonly marks = new Marks();
  /** Deliveries that executions of this very process work on, and which. What is open here was not cut off. */
  private readonly here = new Map<string, string>();

  static of(nodeKey: string): DeliveryClaims {
    const existing = byNode.get(nodeKey) ?? new DeliveryClaims();
    byNode.set(nodeKey, existing);
    return existing;
  }

  /**
   * Marks the delivery as this execution's, unless it is another's.
   * @param shared whether other processes may work on a copy at this moment; if not, what another process left open was
   * cut off, and is this execution's now.
   */
  async begin(store: MarkStore, identity: string, executionId: string, shared: boolean): Promise<Standing> {
    const holder = this.here.get(identity) ?? executionId;
    if (holder !== executionId) return 'open';
    this.here.set(identity, executionId);
    let isOwn = false;
    try {
      const standing = await this.claim(store, marksOf(identity, executionId), shared);
      isOwn = standing === 'new' || (standing === 'open' && !shared);
      return isOwn ? 'new' : standing;
    } finally {
      if (!isOwn) this.here.delete(identity);
    }
  }

  /** Waits until the execution that is open has ended. @returns `new` when it failed, or seems to be lost. */
  async awaitEnd(store: MarkStore, identity: string, executionId: string): Promise<Exclude<Standing, 'open'>> {
    // What is open in this very process was not cut off, however long it takes.
    const isHere = () => this.here.has(identity);
    const standing = await this.lookForEnd(store, marksOf(identity, executionId), isHere);
    if (standing === 'new') this.here.set(identity, executionId);
    return standing;
  }

  end(store: MarkStore, identity: string, executionId: string, succeeded: boolean): void {
    if (this.here.get(identity) === executionId) this.here.delete(identity);
    const own = marksOf(identity, executionId);
    if (succeeded) {
      this.marks.keep([own.taken]);
      this.marks.remove(store, [own.open, own.by], true);
    } else
      // What can't be removed stays open: a copy then works on it after the longest wait.
      void this.release(store, identity, own).catch(() => undefined);
  }

  /** Removes the marks of a failure until they are gone: another process may write them back at the same moment. */
  private async release(store: MarkStore, identity: string, { taken, open, by }: MarksOf): Promise<void> {
    for (let tries = 0; tries < MOST_RELEASES && !this.here.has(identity); tries++) {
      this.marks.remove(store, [taken, open, by], false);
      await sleep(RELEASED_AFTER_MS);
      // All three are written together: where one is, the others are, and nobody else has taken the delivery.
      const isGone = (await this.marks.add(store, [by])).has(by);
      if (isGone) {
        this.marks.remove(store, [by], true);
        return;
      }
    }
  }

  private async claim(store: MarkStore, { taken, open, by }: MarksOf, shared: boolean): Promise<Standing> {
    // What ended here a moment ago has not been written yet.
    if (this.marks.isLeaving(taken)) {
      this.marks.spare([taken, open]);
      return 'new';
    }
    if (this.marks.isLeaving(open)) return 'done';
    const own = shared ? [taken, open, by] : [taken, open];
    const startedAtMs = Date.now();
    const added = await this.marks.add(store, own);
    const tookMs = Date.now() - startedAtMs;
    if (!added.has(taken)) {
      // n8n runs an execution anew whose worker did not answer for a while (n8n.md#queue-mode).
      if (shared && !added.has(by)) return 'new';
      const isDone = added.has(open);
      this.marks.remove(store, isDone ? [open, by] : [by], true);
      return isDone ? 'done' : 'open';
    }
    if (!shared) return 'new';
    return await this.settle(store, { taken, open, by }, tookMs);
  }

  /**
   * Looks again once every write that was under way must have ended: what is then still there is this execution's. What
   * another process wrote over is written again and has to settle anew, unless that process took the same delivery.
   */
  private async settle(store: MarkStore, { taken, open, by }: MarksOf, tookMs: number): Promise<'new' | 'open'> {
    for (;;) {
      await sleep(Math.min(Math.max(tookMs * SETTLING.times, SETTLING.leastMs), SETTLING.mostMs));
      const startedAtMs = Date.now();
      const lost = await this.marks.add(store, [taken, open, by]);
      tookMs = Math.max(tookMs, Date.now() - startedAtMs);
      if (!lost.has(by)) return 'new';
      if (!lost.has(taken)) return 'open';
    }
  }

  private async lookForEnd(store: MarkStore, own: MarksOf, isHere: () => boolean): Promise<Exclude<Standing, 'open'>> {
    const { taken, open, by } = own;
    let stepMs = FIRST_STEP_MS;
    for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS || isHere(); waitedMs += stepMs) {
      stepMs = Math.min(stepMs * 2, LONGEST_STEP_MS);
      await sleep(stepMs);
      const startedAtMs = Date.now();
      if (!(await this.marks.add(store, [open])).has(open)) continue;
      this.marks.spare([by]);
      const hasFailed = (await this.marks.add(store, [taken, by])).has(taken);
      if (!hasFailed) {
        this.marks.remove(store, [open, by], true);
        return 'done';
      }
      // Others may have waited for the same end.
      if ((await this.settle(store, own, Date.now() - startedAtMs)) === 'new') return 'new';
    }
    return 'new';
  }
}

const marksOf = (identity: string, executionId: string) => ({
  taken: `taken ${identity}`,
  open: `open ${identity}`,
  by: `by ${executionId} ${identity}`,
});

type MarksOf = ReturnType<typeof marksOf>;
