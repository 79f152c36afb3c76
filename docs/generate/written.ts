import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from './interface-document';

/** Contents of generated files by path, relative to the repository, with forward slashes. */
export type Files = Record<string, string>;

/** Returns the paths of files that are outdated, missing or no longer generated. */
export const stale = (files: Files, existing: Files = {}): string[] =>
  [...new Set([...Object.keys(files), ...Object.keys(existing)])].filter((path) => {
    const content = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
    return files[path] === undefined || content?.replace(/\r\n/g, '\n') !== files[path];
  });

/** Writes the files and deletes files that are no longer generated. */
export function writeFiles(files: Files, existing: Files = {}): void {
  for (const path of Object.keys(existing)) if (!(path in files)) rmSync(join(root, path));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
