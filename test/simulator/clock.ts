import crypto from 'node:crypto';

interface Timer {
  id: number;
  due: number;
  run: () => void;
  /** Interval of a repeating timer in milliseconds. */
  every?: number;
  /** Whether the timer stops when the simulated process ends. */
  isProcess?: boolean;
}

type Globals = Pick<
  typeof globalThis,
  'Date' | 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval' | 'Math'
>;

const real = {
  randomBytes: crypto.randomBytes,
  setImmediate,
  setTimeout,
  Date,
  signalAfter: AbortSignal.timeout.bind(AbortSignal),
};
const NAMES = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
/** Number of idle event loop turns after which only a timer can continue the simulation. */
const IDLE_TURNS = 40;
/** Maximum number of event loop turns. An execution that takes more turns is in an endless loop. */
const MOST_TURNS = 100_000;

/** Error for work that exceeds a time limit or waits for an event that can't happen. */
export class NeverEnds extends Error {}

/** Replaces Date, timers, time limits and random numbers of this process. */
export class SimulatedClock {
  private timers = new Map<number, Timer>();
  private lastId = 0;
  private before: Partial<Globals> = {};
  private isProcessGone = false;
  private beforeRandom = Math.random;

  constructor(
    private time: number,
    private readonly random: () => number,
  ) {}

  now(): number {
    return this.time;
  }

  install(): void {
    for (const name of NAMES) Object.assign(this.before, { [name]: globalThis[name] });
    this.beforeRandom = Math.random;
    const start = (run: (...args: unknown[]) => void, after = 0, args: unknown[], every?: number) =>
      this.start(() => run(...args), Number(after) || 0, { isProcess: true, ...(every !== undefined && { every }) });
    Object.assign(globalThis, {
      Date: this.simulatedDate(),
      setTimeout: (run: () => void, after?: number, ...args: unknown[]) => start(run, after, args),
      setInterval: (run: () => void, after?: number, ...args: unknown[]) =>
        start(run, after, args, Math.max(1, after ?? 1)),
      clearTimeout: (timer: unknown) => this.stop(timer),
      clearInterval: (timer: unknown) => this.stop(timer),
    });
    AbortSignal.timeout = (after) => {
      const controller = new AbortController();
      start(() => controller.abort(), after, []);
      return controller.signal;
    };
    Math.random = this.random;
    const randomBytes = (size: number) => Buffer.from(Array.from({ length: size }, () => this.random() * 256));
    Object.assign(crypto, { randomBytes });
  }

  uninstall(): void {
    Object.assign(globalThis, this.before);
    AbortSignal.timeout = real.signalAfter;
    Math.random = this.beforeRandom;
    Object.assign(crypto, { randomBytes: real.randomBytes });
    this.timers.clear();
  }

  /** Runs a function after a delay in simulated time, even if the simulated process has ended. */
  after(milliseconds: number, run: () => void): void {
    this.start(run, milliseconds);
  }

  endProcess(): void {
    this.isProcessGone = true;
    for (const { id, isProcess } of this.timers.values()) if (isProcess) this.timers.delete(id);
  }

  /**
   * Advances time until the promise settles.
   * @throws NeverEnds after `mostMs` simulated milliseconds.
   */
  async until<Result>(promise: Promise<Result>, mostMs: number): Promise<Result> {
    const last = this.time + mostMs;
    let settled = false;
    promise.then(
      () => (settled = true),
      () => (settled = true),
    );
    let idle = 0;
    for (let turns = 0; ; turns += 1) {
      await turn();
      if (settled) return await promise;
      if (turns > MOST_TURNS) throw new NeverEnds('It goes in circles');
      const timer = this.next();
      if (!timer) {
        idle += 1;
        if (idle > IDLE_TURNS) throw new NeverEnds('It waits for something that never happens');
        continue;
      }
      idle = 0;
      if (timer.due > last) throw new NeverEnds(`It takes longer than ${mostMs / 1000} simulated seconds`);
      this.fire(timer);
    }
  }

  /** Advances time by a duration in milliseconds and runs all due timers. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.time + milliseconds;
    for (;;) {
      await turn();
      const timer = this.next();
      if (!timer || timer.due > until) break;
      this.fire(timer);
    }
    this.time = until;
  }

  beginProcess(): void {
    this.isProcessGone = false;
  }

  private start(run: () => void, after: number, more: Pick<Timer, 'every' | 'isProcess'> = {}) {
    this.lastId += 1;
    const id = this.lastId;
    if (!(more.isProcess && this.isProcessGone))
      this.timers.set(id, { id, due: this.time + Math.max(1, after), run, ...more });
    const handle = { id, ref: () => handle, unref: () => handle, hasRef: () => true, refresh: () => handle };
    return handle;
  }

  private stop(timer: unknown): void {
    if (typeof timer === 'object' && timer !== null && 'id' in timer) this.timers.delete(Number(timer.id));
  }

  private next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers.values()) if (!first || timer.due < first.due) first = timer;
    return first;
  }

  private fire(timer: Timer): void {
    this.time = Math.max(this.time, timer.due);
    if (timer.every === undefined) this.timers.delete(timer.id);
    else timer.due = this.time + timer.every;
    timer.run();
  }

  private simulatedDate(): DateConstructor {
    const now = () => this.time;
    class SimulatedDate extends real.Date {
      constructor(...args: []) {
        if (args.length === 0) super(now());
        else super(...args);
      }
      static override now = now;
      static override [Symbol.hasInstance](value: unknown): boolean {
        return Object.prototype.toString.call(value) === '[object Date]';
      }
    }
    return SimulatedDate as unknown as DateConstructor;
  }
}

async function turn(): Promise<void> {
  await new Promise((resolve) => real.setImmediate(resolve));
}
