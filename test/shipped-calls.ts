import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/** Folder of the shipped code in the address of a script. */
export const SHIPPED = '/nodes/PaymentPlatform/';

/** Script with the number of calls of each function, or of each block. */
interface Script {
  url: string;
  functions: Array<{ functionName: string; ranges: Array<{ count: number }> }>;
}

/** Counts the executed functions of shipped code with V8's coverage. */
export class CallCounter {
  private readonly session = new Session();

  /** Starts counting. @param detailed whether to count blocks as well. */
  constructor(detailed: boolean) {
    // V8 counts only in functions that are compiled afterwards and aren't optimized.
    setFlagsFromString('--no-opt');
    this.session.connect();
    this.ask('Profiler.enable');
    this.ask('Profiler.startPreciseCoverage', { callCount: true, detailed });
  }

  /** Returns the counts since the last call of this function. */
  take(): Script[] {
    const { result } = this.ask<{ result: Script[] }>('Profiler.takePreciseCoverage');
    return result.filter(({ url }) => url.includes(SHIPPED));
  }

  /** Stops counting, so that later tests of the worker run at full speed. */
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
