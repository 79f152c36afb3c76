import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './interface-document';

/** Contents of generated files by path, relative to the repository, with forward slashes. */
export type Files = Record<string, string>;

/** Returns the paths of files that are outdated or missing. */
export const stale = (files: Files): string[] =>
  Object.entries(files).flatMap(([path, content]) => {
    const existing = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
    return existing?.replace(/\r\n/g, '\n') === content ? [] : [path];
  });

export function writeFiles(files: Files): void {
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
}
