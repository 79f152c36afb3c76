import { sleep } from 'n8n-workflow';

import { ArrivalQueue } from './arrival-queue';

/** Rejects a waiting request when the gate closes before its turn. The request was not sent. */
export class NotStarted extends Error {
  /** @param reason sentence about why the gate closed, or `undefined` if the run just ended. */
  constructor(readonly reason?: string) {
    super(reason ?? 'The node did not send the request');
  }
}

export interface GateOptions {
  /** Maximum number of requests in flight. */
  most: number;
  /** Maximum time that the run waits for a service that rejects requests, in milliseconds. */
  longestWaitMs: number;
  canceled?: () => boolean;
}

/**
 * Decisions about the result of a request. The gate calls these functions synchronously before it starts the next
 * request.
 */
export interface Verdicts<Result> {
  /** Returns the delay in milliseconds before the request is sent again, or `undefined` if the result is final. */
  again?: (result: Result) => number | undefined;
  /**
   * Returns whether a final result ends the run, so that nothing starts after it. The result is `undefined` if sending
   * threw.
   */
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

/** Number of requests in flight at the start of a run. Grows by one with each success. */
const INITIAL_LIMIT = 5;
/** Pause if the service names no time, in milliseconds. */
const DEFAULT_PAUSE_MS = 1000;
/** Interval at which a waiting request checks for cancellation, in milliseconds. */
const SLICE_MS = 1000;

/**
 * Limits the number of requests in flight and starts them in order of arrival. The limit starts low and grows by one
 * per success up to `most`. `slowDown` halves the limit and pauses all requests. Requests with the same object key
 * never overlap and keep their order. `close` rejects all waiting requests.
 */
export class Gate {
  private readonly ready = new ArrivalQueue<Waiting>();
  /** Requests that wait for a key of another request. */
  private readonly behind = new Map<string, ArrivalQueue<Waiting>>();
  /** Functions that end the pauses before retries. */
  private readonly resting = new Set<() => void>();
  private arrived = 0;
  private limit: number;
  private inFlight = 0;
  private closed?: NotStarted;
  private pausedUntil = 0;
  private pausing = false;
  /** Number of pending results that block new requests. */
  private held = 0;
  /** Requests at the front of the queue that wait for a pending result. */
  private readonly halted = new Set<() => void>();
  /** Time since which the service has rejected every request. */
  private refusedSince?: number;
  /** Increase of the limit with each success. After `slowDown`, the limit grows by one per full round of successes. */
  private growth = 1;

  constructor(private readonly options: GateOptions) {
    this.limit = Math.min(INITIAL_LIMIT, options.most);
  }

  /**
   * Waits for a free slot, runs `send` and returns its result. Between retries, the request keeps its object locked and
   * releases its slot. A retry starts before requests that arrived later. Rejects with NotStarted if the gate closes
   * before the first attempt. If it closes later, the last result is final.
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

  /** Allows one more request in flight after a success. */
  speedUp(): void {
    this.answered();
    this.limit = Math.min(this.options.most, this.limit + this.growth);
  }

  /** Records that the service accepted a request with any response, so the service does not reject all requests. */
  answered(): void {
    this.refusedSince = undefined;
  }

  /**
   * Halves the limit and pauses all requests after the service asked for less load (429, 503). Several requests that
   * were rejected together halve the limit once. Closes the gate if the pause would exceed the run's waiting time.
   * @param askedMs time that the service asked to wait, in milliseconds, if given.
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
   * Rejects all requests that haven't started. Requests in flight continue. Only the reason of the first call is used.
   * @param reason a sentence for the user.
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
   * Blocks new requests until the result of a sent request is final.
   * @returns a function that unblocks them. Call it when the gate asks whether the result ends the run.
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
   * Waits while new requests are blocked. For a request that does other work between its turn and its sending.
   * @throws NotStarted if the gate closed during the wait.
   */
  async waitUntilUnblocked(): Promise<void> {
    while (this.held > 0 && this.isOpen()) await new Promise<void>((wake) => this.halted.add(wake));
    this.assertOpen();
  }

  /** Releases the slot of a sent request to another one while a task runs. Its object stays locked. */
  async releaseSlotWhile<Result>(task: () => Promise<Result>): Promise<Result> {
    this.inFlight -= 1;
    this.pump();
    try {
      return await task();
    } finally {
      this.inFlight += 1;
    }
  }

  /**
   * Throws if the gate closed. For a request that does other work between its turn and its sending.
   * @throws NotStarted
   */
  assertOpen(): void {
    this.isOpen();
    if (this.closed) throw this.closed;
  }

  private isOpen(): boolean {
    if (this.options.canceled?.()) this.close();
    return !this.closed;
  }

  /** Waits for a free slot and for earlier requests with the same key, then starts without delay. */
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

  /** Sends once. Decides about the next step before it releases the slot and the key. */
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
    // Ends the pause after the waited time, even if the clock shows a shorter time.
    this.pausedUntil = 0;
    this.pausing = false;
    this.pump();
  }

  /**
   * Waits unless the gate closes. Counts the slices in addition to the clock, so that the wait ends even if the clock
   * stands still.
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
