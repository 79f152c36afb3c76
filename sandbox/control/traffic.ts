import { matchesPattern, type MatchableRequest, type RequestPattern } from './faults';

export interface LatencyRule extends RequestPattern {
  milliseconds: number;
}

export interface Concurrency {
  inFlight: number;
  maxInFlight: number;
  /** Peak simultaneous requests for each object, for example `test invoice_id=7001`. */
  maxInFlightPerObject: Record<string, number>;
}

const WINDOW_MILLISECONDS = 1000;

/** Limits the request rate, delays requests and counts simultaneous requests. */
export class Traffic {
  private latencies: LatencyRule[] = [];
  private readonly waiting = new Set<() => void>();
  private perSecond: number | undefined;
  private accepted: number[] = [];
  private inFlight = 0;
  private maxInFlight = 0;
  private readonly objects = new Map<string, { now: number; max: number }>();

  addLatency(rule: LatencyRule): void {
    this.latencies.push(rule);
  }

  clearLatency(): void {
    this.latencies = [];
    for (const resume of this.waiting) resume();
  }

  async delay(request: MatchableRequest): Promise<void> {
    const rule = this.latencies.findLast((one) => matchesPattern(one, request));
    if (!rule) return;
    await new Promise<void>((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.waiting.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, rule.milliseconds);
      this.waiting.add(resume);
    });
  }

  setRateLimit(perSecond: number | undefined): void {
    this.perSecond = perSecond;
    this.accepted = [];
  }

  /**
   * Counts a request toward the rate limit.
   * @returns the seconds until a refused client may retry, or undefined for an accepted request.
   */
  takePlace(): number | undefined {
    if (this.perSecond === undefined) return undefined;
    const now = performance.now();
    this.accepted = this.accepted.filter((moment) => now - moment < WINDOW_MILLISECONDS);
    if (this.accepted.length < this.perSecond) {
      this.accepted.push(now);
      return undefined;
    }
    return Math.max(1, Math.ceil((WINDOW_MILLISECONDS - (now - (this.accepted[0] ?? now))) / 1000));
  }

  enter(): void {
    this.inFlight += 1;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
  }

  leave(): void {
    this.inFlight -= 1;
  }

  enterObject(object: string): void {
    const count = this.objects.get(object) ?? { now: 0, max: 0 };
    count.now += 1;
    count.max = Math.max(count.max, count.now);
    this.objects.set(object, count);
  }

  leaveObject(object: string): void {
    const count = this.objects.get(object);
    if (count) count.now -= 1;
  }

  concurrency(): Concurrency {
    const perObject = [...this.objects].map(([object, { max }]) => [object, max] as const);
    return {
      inFlight: this.inFlight,
      maxInFlight: this.maxInFlight,
      maxInFlightPerObject: Object.fromEntries(perObject),
    };
  }

  resetConcurrency(): void {
    this.maxInFlight = this.inFlight;
    for (const [object, count] of this.objects)
      if (count.now === 0) this.objects.delete(object);
      else count.max = count.now;
  }
}
