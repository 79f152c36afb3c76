/** Limits the number of concurrent callers. Waiting callers continue in order of arrival. */
export class Slots {
  private readonly waiting: Array<() => void> = [];

  constructor(private free: number) {}

  /** Takes a free slot. Returns false if no slot is free. */
  tryTake(): boolean {
    if (this.free === 0) return false;
    this.free -= 1;
    return true;
  }

  async take(): Promise<void> {
    if (this.tryTake()) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
