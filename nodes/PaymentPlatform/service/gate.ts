import { sleep } from 'n8n-workflow';

import { ArrivalQueue } from './arrival-queue';

/** Thrown to a waiting request when the gate closes before its turn: it was not sent. */
export class NotStarted extends Error {
  /** @param reason why the gate closed, as a sentence for a person; `undefined` when the run just ended. */
  constructor(readonly reason?: string) {
    super(reason ?? 'The request was not started');
  }
}

export interface GateOptions {
  /** Most requests in flight at once. */
  most: number;
  /** Longest time that the run waits for a service that turns requests away, in milliseconds. */
  longestWaitMs: number;
  canceled?: () => boolean;
}

/** What the gate asks about the result of a request, synchronously, before it gives the place to the next one. */
export interface Verdicts<Result> {
  /** After how many milliseconds the request is sent once more; `undefined` when the result stands. */
  again?: (result: Result) => number | undefined;
  /** Whether a result that stands ends the run: then nothing starts after it. `undefined` when sending threw. */
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

/** How many requests are in flight at the start of a run; the number grows by one with each success. */
const INITIAL_LIMIT = 5;
/** A pause when the service names no time, in milliseconds. */
const DEFAULT_PAUSE_MS = 1000;
/** How often something that waits looks whether the execution was canceled, in milliseconds. */
const SLICE_MS = 1000;

/**
 * Lets requests through in the order they came, a bounded number at a time (design: bounded parallelism).
 * Starts slowly and grows by one per success up to `most`; `slowDown` halves the number and pauses everybody.
 * Requests that name the same object key never overlap and keep their order. `close` refuses all that wait.
 */
export class Gate {
  private readonly ready = new ArrivalQueue<Waiting>();
  /** Those that wait for a key that another request holds. */
  private readonly behind = new Map<string, ArrivalQueue<Waiting>>();
  /** Ends the waits of requests that are to be sent again. */
  private readonly resting = new Set<() => void>();
  private arrived = 0;
  private limit: number;
  private inFlight = 0;
  private closed?: NotStarted;
  private pausedUntil = 0;
  private pausing = false;
  /** How many results are waited for before anything may start. */
  private held = 0;
  /** Requests that have their turn, and wait until nothing is held any more. */
  private readonly halted = new Set<() => void>();
  /** Since when the service turned away every request. */
  private refusedSince?: number;
  /** After a slow-down the limit grows by one per full round of successes, not per success. */
  private growth = 1;

  constructor(private readonly options: GateOptions) {
    this.limit = Math.min(INITIAL_LIMIT, options.most);
  }

  /**
   * Waits for a free place, runs `send`, and gives its result. A request that is sent again keeps its object locked
   * meanwhile, its place not, and goes before those that came later. Rejects with NotStarted when the gate closes
   * before the first try; after it, closing ends the tries and the last result stands.
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

  /** A request succeeded: one more may be in flight. */
  speedUp(): void {
    this.answered();
    this.limit = Math.min(this.options.most, this.limit + this.growth);
  }

  /** The service took a request, whatever it answered: it turns not all of them away. */
  answered(): void {
    this.refusedSince = undefined;
  }

  /**
   * The service asked for less (429, 503): start nothing for a while and halve what may be in flight. Several requests
   * that were turned away together halve it once. Closes the gate when that takes longer than the run may wait.
   * @param askedMs how long the service asked to wait, in milliseconds, if it did.
   */
  slowDown(askedMs?: number): void {
    const { longestWaitMs } = this.options;
    const now = Date.now();
    const pauseMs = askedMs ?? Math.min(DEFAULT_PAUSE_MS, longestWaitMs);
    const allowed = `the option "Longest Retry Time" allows ${Math.floor(longestWaitMs / 1000)}`;
    if (pauseMs > longestWaitMs)
      return this.close(`The service asks to wait for ${Math.ceil(pauseMs / 1000)} seconds; ${allowed}`);
    this.refusedSince ??= now;
    if (this.pausedUntil <= now) {
      if (now - this.refusedSince + pauseMs > longestWaitMs)
        return this.close(`The service turns requests away again and again; ${allowed} seconds of that`);
      this.limit = Math.max(1, Math.floor(this.limit / 2));
      this.growth = 1 / this.limit;
    }
    this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
  }

  /**
   * Refuses everything that has not started; what is in flight goes on. The first to close it names the reason.
   * @param reason a sentence for a person.
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
   * Nothing starts until the result of a request stands that was sent.
   * @returns what lets the others go on; to be called when the gate asks whether the result ends the run.
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
   * For a request that does something between its turn and its sending: waits as long as everybody is held.
   * @throws NotStarted when the gate closed meanwhile.
   */
  async waitUntilUnblocked(): Promise<void> {
    while (this.held > 0 && this.isOpen()) await new Promise<void>((wake) => this.halted.add(wake));
    this.assertOpen();
  }

  /** Gives the place of a request that was sent to another one, while something is waited for. Its object stays locked. */
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
   * For a request that does something between its turn and its sending.
   * @throws NotStarted when the gate closed meanwhile.
   */
  assertOpen(): void {
    this.isOpen();
    if (this.closed) throw this.closed;
  }

  private isOpen(): boolean {
    if (this.options.canceled?.()) this.close();
    return !this.closed;
  }

  /** Waits until there is a place, and nobody before it with the same key, then begins in the same moment. */
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

  /** Sends once. What comes next is decided before the place and the key are given back. */
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
    // The pause is over because it was waited for, whatever the clock says.
    this.pausedUntil = 0;
    this.pausing = false;
    this.pump();
  }

  /**
   * Waits, unless the gate closes. Counts as well as looks at the clock, so that it ends if the clock stands still.
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
