import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/** Part of a script's URL that identifies shipped code. */
export const SHIPPED = '/nodes/PaymentPlatform/';

/** Script with the number of executions of each function or block. */
interface Script {
  url: string;
  functions: Array<{ functionName: string; ranges: Array<{ count: number }> }>;
}

/** Counts the executions of functions in shipped code with V8's coverage profiler. */
export class CallCounter {
  private readonly session = new Session();

  /**
   * Starts counting.
   * @param detailed whether to count blocks in addition to functions.
   */
  constructor(detailed: boolean) {
    // Turns off V8's optimization, because V8 doesn't count executions of optimized functions.
    setFlagsFromString('--no-opt');
    this.session.connect();
    this.ask('Profiler.enable');
    this.ask('Profiler.startPreciseCoverage', { callCount: true, detailed });
  }

  /** Returns the counts since the previous call of `take`. */
  take(): Script[] {
    const { result } = this.ask<{ result: Script[] }>('Profiler.takePreciseCoverage');
    return result.filter(({ url }) => url.includes(SHIPPED));
  }

  /** Stops counting, so that later tests in this process run at full speed. */
  stop(): void {
    this.ask('Profiler.stopPreciseCoverage');
    this.session.disconnect();
    setFlagsFromString('--opt');
  }

  private ask<Result = unknown>(method: string, given: object = {}): Result {
    let answer: unknown;
    this.session.post(method, given, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer as Result;
  }
}
