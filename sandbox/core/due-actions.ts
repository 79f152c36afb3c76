import type { DateTime } from 'luxon';

/** Something that happens at a moment. What it returns tells when everything that it began has ended. */
export interface DueAction {
  readonly due: DateTime;
  readonly run: () => void | Promise<void>;
  /** Whether it happens as real time passes too; else only when the clock is moved past it. */
  readonly byItself: boolean;
}

/** Actions that are still to come, earliest first; those of the same moment in the order they were added. */
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

  /** The earliest action of all, or of those that happen by themselves. */
  next({ onlyByItself = false } = {}): DueAction | undefined {
    return onlyByItself ? this.waiting.find(({ byItself }) => byItself) : this.waiting[0];
  }

  /** The first place whose action is due later, found by halving. */
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
