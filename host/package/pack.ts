import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { npmCommand } from '../npm.cjs';
import { root } from '../paths';

/**
 * Creates the tarball that `npm publish` would upload.
 * @returns the tarball's path.
 */
export function packPackage(folder: string): string {
  const { file, args } = npmCommand(['pack', '--json', '--ignore-scripts', '--pack-destination', folder]);
  const output = execFileSync(file, args, { cwd: root, encoding: 'utf8', windowsHide: true });
  const [packed] = JSON.parse(output) as Array<{ filename: string }>;
  return join(folder, packed?.filename ?? '');
}
