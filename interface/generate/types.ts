import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';

import { root } from './interface-document';
import type { Files } from './written';

/** Generates interface/types.d.ts from openapi.yaml. */
export function typeFiles(): Files {
  const generator = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin', 'cli.js');
  const source = join(root, 'interface', 'openapi.yaml');
  const types = execFileSync(process.execPath, [generator, source], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { 'interface/types.d.ts': types };
}
