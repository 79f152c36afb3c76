import { sleep } from 'n8n-workflow';

/** Thrown to a waiting request when the gate closes before its turn: it was not sent. */
export class NotStarted extends Error {
  constructor() {
    super('The request was not started');
  }
}

interface Waiting {
  key?: string;
  start: () => void;
  refuse: (reason: NotStarted) => void;
}

/** How many requests are in flight at the start of a run; the number grows by one with each success. */
const INITIAL_LIMIT = 5;
/** How often a pause looks whether the execution was cancelled, in milliseconds. */
const PAUSE_SLICE_MS = 200;

/**
 * Lets requests through in the order they came, a bounded number at a time (design: bounded parallelism).
 * Starts slowly and grows by one per success up to `most`; `slowDown` halves the number and pauses everybody.
 * Requests that name the same object key never overlap and keep their order. `close` refuses all that wait.
 */
export class Gate {
  private readonly ready: Waiting[] = [];
  private readonly waitingByKey = new Map<string, Waiting[]>();
  private limit: number;
  private inFlight = 0;
  private closed = false;
  private pausedUntil = 0;
  private pausing = false;
  /** After a slow-down the limit grows by one per full round of successes, not per success. */
  private growth = 1;

  constructor(
    private readonly most: number,
    private readonly cancelled: () => boolean = () => false,
  ) {
    this.limit = Math.min(INITIAL_LIMIT, most);
  }

  /**
   * Waits for a free place, runs `send`, and gives its result. When `again` answers a number of milliseconds, `send`
   * runs once more after that time: its object stays locked meanwhile, its place does not, and it goes before those
   * that have not started. Rejects with NotStarted when the gate closes before the first try; after it, closing ends
   * the tries and the last result stands.
   */
  async run<T>(
    key: string | undefined,
    send: () => Promise<T>,
    again: (result: T) => number | undefined = () => undefined,
  ): Promise<T> {
    await this.enter(key);
    try {
      for (;;) {
        const result = await this.occupied(send);
        const delayMs = again(result);
        if (delayMs === undefined || !(await this.open(delayMs)) || !(await this.reenter())) return result;
      }
    } finally {
      this.release(key);
    }
  }

  /** A request succeeded: one more may be in flight. */
  speedUp(): void {
    this.limit = Math.min(this.most, this.limit + this.growth);
  }

  /**
   * The service asked for less (429, 503): start nothing for `pauseMs` milliseconds and halve what may be in flight.
   * Several requests that were turned away together halve it once.
   */
  slowDown(pauseMs: number): void {
    if (this.pausedUntil <= Date.now()) {
      this.limit = Math.max(1, Math.floor(this.limit / 2));
      this.growth = 1 / this.limit;
    }
    this.pausedUntil = Math.max(this.pausedUntil, Date.now() + pauseMs);
  }

  /** Refuses everything that has not started. What is in flight goes on. */
  close(): void {
    this.closed = true;
    const waiting = [...this.ready, ...[...this.waitingByKey.values()].flat()];
    this.ready.length = 0;
    this.waitingByKey.clear();
    for (const entry of waiting) entry.refuse(new NotStarted());
  }

  private async occupied<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } finally {
      this.inFlight -= 1;
      this.pump();
    }
  }

  private async enter(key: string | undefined): Promise<void> {
    await new Promise<void>((start, refuse) => {
      const entry: Waiting = { key, start, refuse };
      const behind = key === undefined ? undefined : this.waitingByKey.get(key);
      if (behind) behind.push(entry);
      else {
        if (key !== undefined) this.waitingByKey.set(key, []);
        this.ready.push(entry);
      }
      this.pump();
    });
  }

  /** Takes a place once more, before all that wait. @returns whether there was one before the gate closed. */
  private async reenter(): Promise<boolean> {
    return await new Promise<boolean>((resolve) => {
      this.ready.unshift({ start: () => resolve(true), refuse: () => resolve(false) });
      this.pump();
    });
  }

  private release(key: string | undefined): void {
    if (key === undefined) return;
    const next = this.waitingByKey.get(key)?.shift();
    if (next) this.ready.unshift(next);
    else this.waitingByKey.delete(key);
    this.pump();
  }

  /** Waits `delayMs` milliseconds. @returns whether the gate is still open then. */
  private async open(delayMs: number): Promise<boolean> {
    const until = Date.now() + delayMs;
    while (until > Date.now() && !this.closed && !this.cancelled())
      await sleep(Math.min(PAUSE_SLICE_MS, until - Date.now()));
    return !this.closed && !this.cancelled();
  }

  private pump(): void {
    if (this.cancelled()) this.close();
    if (this.closed) return this.refuseLatecomers();
    if (this.pausedUntil > Date.now()) return void this.waitOutPause();
    while (this.inFlight < Math.floor(this.limit)) {
      const next = this.ready.shift();
      if (!next) return;
      this.inFlight += 1;
      next.start();
    }
  }

  private refuseLatecomers(): void {
    if (this.ready.length > 0) this.close();
  }

  private async waitOutPause(): Promise<void> {
    if (this.pausing) return;
    this.pausing = true;
    while (this.pausedUntil > Date.now() && (await this.open(this.pausedUntil - Date.now())));
    this.pausing = false;
    this.pump();
  }
}
