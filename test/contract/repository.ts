import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const TEXT = /\.(c?js|css|html|json|md|mjs|ts|ya?ml)$|(^|\/)(LICENSE|\.[\w-]+|\.ci\/run)$/;

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
});

/** Paths of all files in the repository, including uncommitted files. */
export const paths: string[] = [...new Set(listed.split('\0'))].filter((path) => path && existsSync(join(ROOT, path)));

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Contents of all text files except lock files. */
export const texts = paths
  .filter((path) => TEXT.test(path) && !path.endsWith('package-lock.json'))
  .map((path) => ({ path, text: read(path) }));
