import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const SHIPPED = '/nodes/PaymentPlatform/';

/** Name of the getter with which Sucrase exports an import of another file (`export { run } from './run'`). */
const OF_EXPORTS = 'get';

interface Coverage {
  result: Array<{ url: string; functions: Array<{ functionName: string; ranges: Array<{ count: number }> }> }>;
}

/** File of the package that ran, relative to `nodes/PaymentPlatform`. */
export interface ExecutedFile {
  path: string;
  lines: number;
  /** Names of the executed functions. Some functions have no name. */
  functions: string[];
}

// V8 counts only in functions that are compiled afterwards and aren't optimized.
setFlagsFromString('--no-opt');
const session = new Session();
session.connect();

const ask = <Result = unknown>(method: string, given: object = {}): Result => {
  let answer: unknown;
  session.post(method, given, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer as Result;
};

ask('Profiler.enable');
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Returns the files of the package in which `run` executes a function. */
export async function executedFiles(run: () => Promise<unknown>): Promise<ExecutedFile[]> {
  ask('Profiler.takePreciseCoverage');
  await run();
  const { result } = ask<Coverage>('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.includes(SHIPPED))
    .map(({ url, functions }) => {
      const file = url.startsWith('file:') ? fileURLToPath(url) : url;
      return {
        path: file.slice(file.indexOf(SHIPPED) + SHIPPED.length),
        lines: readFileSync(file, 'utf8').split('\n').length - 1,
        functions: functions
          .filter(({ functionName, ranges }) => functionName !== OF_EXPORTS && ranges.some(({ count }) => count > 0))
          .map(({ functionName }) => functionName),
      };
    })
    .filter(({ functions }) => functions.length > 0)
    .sort((one, other) => one.path.localeCompare(other.path));
}

/** Stops counting, so that later tests of the worker run at full speed. */
export function stopCounting(): void {
  ask('Profiler.stopPreciseCoverage');
  session.disconnect();
  setFlagsFromString('--opt');
}
