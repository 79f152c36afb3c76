import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/** Part of a script's URL that identifies the node's code. */
export const SHIPPED = '/nodes/PaymentPlatform/';

interface Script {
  url: string;
  functions: Array<{ functionName: string; ranges: Array<{ count: number }> }>;
}

/** Counts the executions of functions in the node's code with V8's coverage profiler. */
export class CallCounter {
  private readonly session = new Session();

  /** @param detailed if true, also counts blocks. */
  constructor(detailed: boolean) {
    // Turns off optimization, because V8 doesn't count executions of optimized functions.
    setFlagsFromString('--no-opt');
    this.session.connect();
    this.ask('Profiler.enable');
    this.ask('Profiler.startPreciseCoverage', { callCount: true, detailed });
  }

  /** Returns the execution counts since the previous call. */
  take(): Script[] {
    const { result } = this.ask<{ result: Script[] }>('Profiler.takePreciseCoverage');
    return result.filter(({ url }) => url.includes(SHIPPED));
  }

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
