import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { QUICK_START } from './environment';
import type { Installation } from './install';
import { withLock } from './lock';
import { startN8n } from './n8n';
import { dataFolder, root } from './paths';
import { N8nRest } from './rest';

/**
 * Fills a user folder with n8n's migrated database and an owner. Only the first call per version and password starts
 * n8n.
 */
export async function fillUserFolder(installation: Installation, userFolder: string, password: string): Promise<void> {
  const hash = createHash('sha256').update(password);
  for (const file of ['environment.ts', 'n8n.ts']) hash.update(readFileSync(join(root, 'host', file)));
  const key = hash.digest('hex').slice(0, 8);
  const prepared = join(dataFolder, 'prepared', `n8n-${installation.version}-${key}`);
  mkdirSync(join(dataFolder, 'prepared'), { recursive: true });
  await withLock(
    prepared,
    () => undefined,
    async () => {
      if (!existsSync(prepared)) await prepare(installation, prepared, password);
    },
  );
  cpSync(prepared, userFolder, { recursive: true });
}

async function prepare(installation: Installation, folder: string, password: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const n8n = await startN8n({ installation, userFolder: unfinished, env: QUICK_START });
  try {
    await new N8nRest(n8n.baseUrl).signIn(password);
  } finally {
    await n8n.stop();
  }
  rmSync(n8n.logFile);
  renameSync(unfinished, folder);
}
