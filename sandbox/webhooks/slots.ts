/** Limits concurrency. Waiting callers enter in the order of arrival. */
export class Slots {
  private readonly waiting: Array<() => void> = [];

  constructor(private free: number) {}

  /** Takes a slot if one is free. Returns whether it did. */
  tryTake(): boolean {
    if (this.free === 0) return false;
    this.free -= 1;
    return true;
  }

  /** Resolves once the caller has a slot. */
  async take(): Promise<void> {
    if (this.tryTake()) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Releases a slot to the next caller. */
  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
