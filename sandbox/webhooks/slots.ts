/** Limits the number of concurrent callers. Waiting callers continue in order of arrival. */
export class Slots {
  private readonly waiting: Array<() => void> = [];

  constructor(private free: number) {}

  /** Takes a slot if a slot is free. Returns whether the caller has a slot. */
  tryTake(): boolean {
    if (this.free === 0) return false;
    this.free -= 1;
    return true;
  }

  /** Waits until the caller has a slot. */
  async take(): Promise<void> {
    if (this.tryTake()) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Releases a slot to the longest-waiting caller. */
  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
