interface Timer {
  id: number;
  due: number;
  run: () => void;
  /** Milliseconds between two runs; none for a timer that runs once. */
  every?: number;
  /** Whether the code of a process started it, and it ends with the process. */
  isProcess?: boolean;
}

type Globals = Pick<
  typeof globalThis,
  'Date' | 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval' | 'Math'
>;

const real = { setImmediate, setTimeout, Date };
const NAMES = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
/** Turns of the real event loop after which nothing that is still to come will come by itself. */
const IDLE_TURNS = 40;
/** More turns than any execution takes; one that takes them goes in circles. */
const MOST_TURNS = 100_000;

/** Thrown when what is driven waits for something that will never happen, or for longer than allowed. */
export class NeverEnds extends Error {}

/**
 * Simulated time: replaces Date, the timers and Math.random of this process while it is installed. Nothing waits; when
 * nothing else is left to do, time jumps to the next timer.
 */
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
    Math.random = this.random;
  }

  uninstall(): void {
    Object.assign(globalThis, this.before);
    Math.random = this.beforeRandom;
    this.timers.clear();
  }

  /** Runs something after so many simulated milliseconds, whatever becomes of the process. */
  after(milliseconds: number, run: () => void): void {
    this.start(run, milliseconds);
  }

  /** The process is gone, and what it was waiting for with it. */
  endProcess(): void {
    this.isProcessGone = true;
    for (const { id, isProcess } of this.timers.values()) if (isProcess) this.timers.delete(id);
  }

  /** Lets time go on until the promise is settled. @throws NeverEnds after `mostMs` simulated milliseconds. */
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

  /** Lets so much time go by, with all that happens meanwhile. */
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

  /** A process has begun in place of the one that ended. */
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

/** One turn of the real event loop: all that can go on without time has gone on. */
async function turn(): Promise<void> {
  await new Promise((resolve) => real.setImmediate(resolve));
}
