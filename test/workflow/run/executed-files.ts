import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { CallCounter, SHIPPED } from '../../shipped-calls';

/** Name of the getter that Sucrase creates for a re-export. */
const OF_EXPORTS = 'get';

export interface ExecutedFile {
  path: string;
  lines: number;
  functions: string[];
}

const counter = new CallCounter(false);

export async function executedFiles(run: () => Promise<unknown>): Promise<ExecutedFile[]> {
  counter.take();
  await run();
  return counter
    .take()
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

export const stopCounting = (): void => counter.stop();
