import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { installHost } from '../../host/install';
import type { N8n } from '../../host/n8n';
import { startN8n } from '../../host/n8n';
import { dataFolder, root } from '../../host/paths';
import { N8nRest } from '../../host/rest';
import type { Sandbox } from '../../sandbox';
import { startSandbox } from '../../sandbox';

export const PASSWORD = 'Local-run-1';
export const CREDENTIAL = 'Sandbox';

export interface Host {
  n8n: N8n;
  rest: N8nRest;
  sandbox: Sandbox;
  credentialId: string;
  /** The values of the credential. */
  credential: Record<string, string>;
  stop: () => Promise<void>;
}

/** Packs the package as it would be published. Returns the path of the tarball. */
export function packPackage(): string {
  const folder = join(dataFolder, 'e2e');
  mkdirSync(folder, { recursive: true });
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  const [packed] = JSON.parse(output) as Array<{ filename: string }>;
  return join(folder, packed?.filename ?? '');
}

/** A sandbox and a real n8n with the package, an owner signed in and a credential for the sandbox. */
export async function startHost(options: { tarball?: string; env?: Record<string, string> } = {}): Promise<Host> {
  const parent = join(dataFolder, 'e2e');
  mkdirSync(parent, { recursive: true });
  const userFolder = mkdtempSync(join(parent, 'n8n-'));
  const sandbox = await startSandbox({ port: 0 });
  const installation = await installHost(() => undefined);
  const n8n = await startN8n({ installation, userFolder, ...options }).catch(async (error: unknown) => {
    await sandbox.stop();
    throw error;
  });
  const rest = new N8nRest(n8n.baseUrl);
  await rest.signIn(PASSWORD);
  const { merchantId, apiKey } = sandbox.credentials.test;
  const credential = { environment: 'test', baseUrl: sandbox.baseUrl, merchantId, authMethod: 'apiKey', apiKey };
  const credentialId = await rest.saveCredential(CREDENTIAL, credential);
  const stop = async () => {
    await n8n.stop();
    await sandbox.stop();
    rmSync(userFolder, { recursive: true, force: true });
  };
  return { n8n, rest, sandbox, credentialId, credential, stop };
}
