import type { DateTime, DurationLike } from 'luxon';

import type { SandboxClock } from './clock';
import { DueActions, type DueAction } from './due-actions';

/** The longest that a timer can wait, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;

/**
 * The sandbox's time as one queue of due actions: recurring charges, completions, deliveries and their repetitions.
 * When the clock is moved, each runs at its own time: the clock stands there until everything that it began has ended.
 */
export class Timeline {
  private readonly actions = new DueActions();
  private underWay = new Set<Promise<unknown>>();
  private moves: Promise<unknown> = Promise.resolve();
  private moving = false;
  private era = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(readonly clock: SandboxClock) {}

  /**
   * Plans an action. What is due already runs when the clock is moved next, or, by itself, with the next `wake`.
   * @param options.byItself whether it also runs as real time passes. Default false.
   * @returns what calls it off.
   */
  at(due: DateTime, run: DueAction['run'], { byItself = false } = {}): () => void {
    const action = { due, run, byItself };
    this.actions.add(action);
    this.setTimer();
    return () => this.actions.remove(action);
  }

  /** Runs what is due and happens by itself, now. While the clock is moved nothing is left to do. */
  wake(): void {
    if (this.moving) return;
    this.runDue(true);
    this.setTimer();
  }

  /**
   * Moves the clock forward, such as by `{ days: 95 }`; moves that are asked for together follow each other.
   * @returns the moment it was moved to; a reset meanwhile ends it. Rejects with RangeError when it would go back.
   */
  async advance(duration: DurationLike): Promise<DateTime> {
    const { era } = this;
    const moved = this.moves.then(async () => await this.move(era, duration));
    this.moves = moved.catch(() => undefined);
    return await moved;
  }

  /** Forgets everything that was planned, and is back in real time. A move that is under way ends. */
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

  /** Waits for what is under way, then puts the clock to the next action's time, or to the end of the move. */
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
