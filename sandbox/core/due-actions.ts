import type { DateTime } from 'luxon';

/** Scheduled action. `run` resolves when the action and all work that it started have ended. */
export interface DueAction {
  readonly due: DateTime;
  readonly run: () => void | Promise<void>;
  /** Whether the action also runs in real time. Other actions run only when a test advances the clock. */
  readonly byItself: boolean;
}

/** Pending actions, earliest first. */
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

  /**
   * Returns the earliest action.
   * @param onlyByItself whether to skip actions that don't run in real time.
   */
  next({ onlyByItself = false } = {}): DueAction | undefined {
    return onlyByItself ? this.waiting.find(({ byItself }) => byItself) : this.waiting[0];
  }

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
