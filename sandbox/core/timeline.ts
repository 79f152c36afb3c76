import type { DateTime, DurationLike } from 'luxon';

import type { SandboxClock } from './clock';
import { DueActions, type DueAction } from './due-actions';

/** Maximum delay of a Node.js timer in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** Schedule of charges, deliveries and other actions. Each runs at its due time while a test advances the clock. */
export class Timeline {
  private readonly actions = new DueActions();
  private underWay = new Set<Promise<unknown>>();
  private moves: Promise<unknown> = Promise.resolve();
  private moving = false;
  private era = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(readonly clock: SandboxClock) {}

  /**
   * Schedules an action.
   * @param options.byItself whether the action also runs in real time.
   * @returns a function that cancels the action.
   */
  at(due: DateTime, run: DueAction['run'], { byItself = false } = {}): () => void {
    const action = { due, run, byItself };
    this.actions.add(action);
    this.setTimer();
    return () => this.actions.remove(action);
  }

  /** Runs all due real-time actions, unless the clock is advancing. */
  wake(): void {
    if (this.moving) return;
    this.runDue(true);
    this.setTimer();
  }

  /**
   * Advances the clock, for example by `{ days: 95 }`.
   * @returns the time that the clock reached.
   * @throws RangeError for a negative duration.
   */
  async advance(duration: DurationLike): Promise<DateTime> {
    const { era } = this;
    const moved = this.moves.then(async () => await this.move(era, duration));
    this.moves = moved.catch(() => undefined);
    return await moved;
  }

  reset(): void {
    this.era += 1;
    this.moving = false;
    this.actions.clear();
    this.underWay = new Set();
    clearTimeout(this.timer);
    this.clock.reset();
  }

  private async move(era: number, duration: DurationLike): Promise<DateTime> {
    const { clock } = this;
    const from = clock.now();
    if (era !== this.era) return from;
    const target = from.plus(duration);
    if (!target.isValid || target < from) throw new RangeError('The clock can only be advanced');
    this.moving = true;
    clock.standAt(from);
    try {
      while (await this.hasMore(era, target)) this.runDue(false);
    } finally {
      if (era === this.era) {
        clock.goOn();
        this.moving = false;
        this.setTimer();
      }
    }
    return target;
  }

  /** Moves the clock to the next due action or the target time. */
  private async hasMore(era: number, target: DateTime): Promise<boolean> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
    if (era !== this.era) return false;
    const next = this.actions.next();
    const more = next !== undefined && next.due <= target;
    const moment = more ? next.due : target;
    if (moment > this.clock.now()) this.clock.standAt(moment);
    return more;
  }

  private runDue(onlyByItself: boolean): void {
    for (;;) {
      const action = this.actions.next({ onlyByItself });
      if (action === undefined || action.due > this.clock.now()) return;
      this.actions.remove(action);
      this.track(action.run());
    }
  }

  private track(result: void | Promise<void>): void {
    if (result === undefined) return;
    const { underWay } = this;
    const ended = result.finally(() => underWay.delete(ended));
    underWay.add(ended);
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const next = this.moving ? undefined : this.actions.next({ onlyByItself: true });
    if (next === undefined) return;
    const wait = next.due.toMillis() - this.clock.now().toMillis();
    this.timer = setTimeout(() => this.wake(), Math.min(Math.max(0, wait), LONGEST_WAIT));
    this.timer.unref();
  }
}
