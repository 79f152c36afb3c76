import { sleep } from 'n8n-workflow';

/** The node did not send a queued request because the run stopped. */
export class NotStarted extends Error {
  /** @param reason sentence for the user. Missing if the run simply ended. */
  constructor(readonly reason?: string) {
    super(reason ?? 'The node did not send the request');
  }
}

export interface GateOptions {
  most: number;
  /** Maximum wait in milliseconds while the service rejects requests. */
  longestWaitMs: number;
  canceled?: () => boolean;
}

/** These functions run synchronously before another request starts. */
export interface Verdicts<Result> {
  /** Returns the delay in milliseconds, or `undefined` if final. */
  again?: (result: Result) => number | undefined;
  /** Returns whether a final result ends the run. `result` is `undefined` if sending threw an error. */
  ends?: (result: Result | undefined) => boolean;
}

interface Waiting {
  arrival: number;
  start: () => void;
  refuse: (reason: NotStarted) => void;
}

interface Attempt<Result> {
  result: Result;
  delayMs?: number;
}

/** Initial limit on parallel requests. Grows with each success. */
const INITIAL_LIMIT = 5;
/** Pause in milliseconds if the service specifies none. */
const DEFAULT_PAUSE_MS = 1000;
const SLICE_MS = 1000;

/** Limits parallel requests and starts them in order of arrival. Requests with the same object key never overlap. */
export class Gate {
  private readonly ready = new ArrivalQueue<Waiting>();
  private readonly behind = new Map<string, ArrivalQueue<Waiting>>();
  private readonly resting = new Set<() => void>();
  private arrived = 0;
  private limit: number;
  private inFlight = 0;
  private closed?: NotStarted;
  private pausedUntil = 0;
  private pausing = false;
  private held = 0;
  private readonly halted = new Set<() => void>();
  private refusedSince?: number;
  private growth = 1;

  constructor(private readonly options: GateOptions) {
    this.limit = Math.min(INITIAL_LIMIT, options.most);
  }

  /**
   * Waits for a free slot and runs `send`. If the gate closes before the first attempt, rejects with NotStarted. If it
   * closes later, returns the last result.
   */
  async run<Result>(
    key: string | undefined,
    send: () => Promise<Result>,
    verdicts: Verdicts<Result> = {},
  ): Promise<Result> {
    const arrival = (this.arrived += 1);
    const attempt = async () => await this.attempt(key, send, verdicts);
    let last = await this.turn(arrival, attempt, key);
    while (last.delayMs !== undefined && (await this.rest(last.delayMs))) {
      const { result } = last;
      last = await this.turn(arrival, attempt).catch((error: unknown) => {
        if (error instanceof NotStarted) return { result };
        throw error;
      });
    }
    return last.result;
  }

  speedUp(): void {
    this.answered();
    this.limit = Math.min(this.options.most, this.limit + this.growth);
  }

  answered(): void {
    this.refusedSince = undefined;
  }

  /**
   * Halves the limit and pauses all requests. Closes the gate if the pause would exceed the maximum wait.
   * @param askedMs wait that the service asked for, in milliseconds.
   */
  slowDown(askedMs?: number): void {
    const { longestWaitMs } = this.options;
    const now = Date.now();
    const pauseMs = askedMs ?? Math.min(DEFAULT_PAUSE_MS, longestWaitMs);
    const allowed = `the option "Longest Retry Time" allows only ${Math.floor(longestWaitMs / 1000)}`;
    if (pauseMs > longestWaitMs)
      return this.close(`The service asked the node to wait for ${Math.ceil(pauseMs / 1000)} seconds, but ${allowed}`);
    this.refusedSince ??= now;
    if (this.pausedUntil <= now) {
      if (now - this.refusedSince + pauseMs > longestWaitMs)
        return this.close(`The service keeps rejecting requests because it is busy, and ${allowed} seconds of waiting`);
      this.limit = Math.max(1, Math.floor(this.limit / 2));
      this.growth = 1 / this.limit;
    }
    this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
  }

  /**
   * Rejects all requests that haven't started. Requests in flight continue.
   * @param reason sentence for the user.
   */
  close(reason?: string): void {
    if (this.closed) return;
    const refusal = (this.closed = new NotStarted(reason));
    for (const queue of [this.ready, ...this.behind.values()]) for (const entry of queue.empty()) entry.refuse(refusal);
    this.behind.clear();
    for (const wake of this.resting) wake();
    this.resting.clear();
    this.wakeHalted();
  }

  private wakeHalted(): void {
    for (const wake of this.halted) wake();
    this.halted.clear();
  }

  /**
   * Blocks new requests until a sent request's result is final.
   * @returns a function that unblocks them.
   */
  hold(): () => void {
    this.held += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.held -= 1;
      isHeld = false;
      this.wakeHalted();
    };
  }

  /**
   * Waits while `hold` blocks new requests. Must run immediately before sending if the request did other work after
   * `run` started it.
   * @returns whether it waited.
   * @throws NotStarted if the gate closed.
   */
  async waitUntilUnblocked(): Promise<boolean> {
    const isHeld = this.held > 0;
    while (this.held > 0 && this.isOpen()) await new Promise<void>((wake) => this.halted.add(wake));
    this.assertOpen();
    return isHeld;
  }

  async releaseSlotWhile<Result>(task: () => Promise<Result>): Promise<Result> {
    this.inFlight -= 1;
    this.pump();
    try {
      return await task();
    } finally {
      this.inFlight += 1;
    }
  }

  /** @throws NotStarted if the gate is closed. */
  assertOpen(): void {
    this.isOpen();
    if (this.closed) throw this.closed;
  }

  private isOpen(): boolean {
    if (this.options.canceled?.()) this.close();
    return !this.closed;
  }

  private async turn<Result>(arrival: number, begin: () => Promise<Result>, key?: string): Promise<Result> {
    return await new Promise<Result>((resolve, refuse) => {
      const entry: Waiting = { arrival, start: () => resolve(begin()), refuse };
      const behind = key === undefined ? undefined : this.behind.get(key);
      if (this.closed) return refuse(this.closed);
      if (behind) return behind.add(entry);
      if (key !== undefined) this.behind.set(key, new ArrivalQueue());
      this.ready.add(entry);
      this.pump();
    });
  }

  private async attempt<Result>(
    key: string | undefined,
    send: () => Promise<Result>,
    { again, ends }: Verdicts<Result>,
  ): Promise<Attempt<Result>> {
    let result: Result | undefined;
    let delayMs: number | undefined;
    try {
      result = await send();
      delayMs = again?.(result);
      return { result, delayMs };
    } finally {
      if (delayMs === undefined && ends?.(result)) this.close();
      this.inFlight -= 1;
      if (delayMs === undefined && key !== undefined) this.release(key);
      this.pump();
    }
  }

  private release(key: string): void {
    const next = this.behind.get(key)?.take();
    if (next) this.ready.add(next);
    else this.behind.delete(key);
  }

  private pump(): void {
    while (this.isOpen() && this.held === 0 && this.ready.length > 0 && this.inFlight < Math.floor(this.limit)) {
      if (this.pausedUntil > Date.now()) return void this.waitOutPause();
      this.inFlight += 1;
      this.ready.take()?.start();
    }
  }

  private async waitOutPause(): Promise<void> {
    if (this.pausing) return;
    this.pausing = true;
    let until = 0;
    while (until < this.pausedUntil && this.isOpen()) {
      until = this.pausedUntil;
      await this.rest(until - Date.now());
    }
    // Ends the pause even if the clock shows less time.
    this.pausedUntil = 0;
    this.pausing = false;
    this.pump();
  }

  /**
   * Counts the time waited, so that the wait ends even if the clock stops.
   * @returns whether the gate is open.
   */
  async rest(delayMs: number): Promise<boolean> {
    const until = Date.now() + delayMs;
    for (let left = delayMs; left > 0 && Date.now() < until && this.isOpen(); left -= SLICE_MS)
      await this.slice(Math.min(SLICE_MS, left));
    return this.isOpen();
  }

  private async slice(milliseconds: number): Promise<void> {
    await new Promise<void>((wake) => {
      this.resting.add(wake);
      void sleep(milliseconds).then(() => {
        this.resting.delete(wake);
        wake();
      });
    });
  }
}

/** Keeps entries in order of arrival. Adding or removing takes at most log2(n) steps. */
export class ArrivalQueue<Entry extends { arrival: number }> {
  private readonly heap: Entry[] = [];

  get length(): number {
    return this.heap.length;
  }

  add(entry: Entry): void {
    let place = this.heap.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.heap[above];
      if (!parent || parent.arrival < entry.arrival) break;
      this.heap[place] = parent;
      place = above;
    }
    this.heap[place] = entry;
  }

  take(): Entry | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (last && this.heap.length > 0) this.sink(last);
    return first;
  }

  empty(): Entry[] {
    return this.heap.splice(0);
  }

  private sink(entry: Entry): void {
    let place = 0;
    for (;;) {
      const below = this.earlierBelow(place);
      const child = this.heap[below];
      if (!child || child.arrival > entry.arrival) break;
      this.heap[place] = child;
      place = below;
    }
    this.heap[place] = entry;
  }

  private earlierBelow(place: number): number {
    const left = 2 * place + 1;
    const [one, other] = [this.heap[left], this.heap[left + 1]];
    return one && other && other.arrival < one.arrival ? left + 1 : left;
  }
}
