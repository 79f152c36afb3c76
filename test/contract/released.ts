import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../interface/generate/interface-document';
import { writeFiles, type Files } from '../../interface/generate/written';
import { isParameter, isRecord, recorded } from './compatibility';
import { storedToday, type Stored } from './stored';

const RELEASED = 'test/contract/released.json';

/** Returns the recorded parameters and outputs of the released nodes. */
export function releasedDescription(): Stored {
  const path = join(root, RELEASED);
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as Stored)
    : { frozen: false, nodes: {}, credentials: {} };
}

/** Returns the file of released names and values, plus unreleased additions. */
export const releasedFiles = (): Files => ({
  [RELEASED]: `${asLines(recorded(releasedDescription(), storedToday()))}\n`,
});

/** Formats JSON with one line per parameter and output field, so that a change shows only what it affects. */
function asLines(value: unknown, indent = ''): string {
  if (!isRecord(value) || isParameter(value)) return JSON.stringify(value);
  const inside = `${indent}  `;
  const lines = Object.entries(value).map(([name, own]) => `${inside}${JSON.stringify(name)}: ${asLines(own, inside)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
}

if (require.main === module) writeFiles(releasedFiles());
