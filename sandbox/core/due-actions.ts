import type { DateTime } from 'luxon';

/** An action that is due at a certain time. The returned promise settles when all work it started has ended. */
export interface DueAction {
  readonly due: DateTime;
  readonly run: () => void | Promise<void>;
  /** Whether the action also runs in real time. Otherwise, it runs only when a test moves the clock past its time. */
  readonly byItself: boolean;
}

/** Pending actions, earliest first. Actions with the same due time keep the order in which they were added. */
export class DueActions {
  private waiting: DueAction[] = [];

  add(action: DueAction): void {
    this.waiting.splice(this.placeAfter(action.due), 0, action);
  }

  remove(action: DueAction): void {
    this.waiting = this.waiting.filter((one) => one !== action);
  }

  clear(): void {
    this.waiting = [];
  }

  /** Returns the earliest action, optionally only among actions that run in real time. */
  next({ onlyByItself = false } = {}): DueAction | undefined {
    return onlyByItself ? this.waiting.find(({ byItself }) => byItself) : this.waiting[0];
  }

  /** Finds the first index with a later due date by binary search. */
  private placeAfter(due: DateTime): number {
    let [low, high] = [0, this.waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.waiting[middle];
      if (other !== undefined && other.due <= due) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
