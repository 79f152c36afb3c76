import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { QUICK_START } from '../../host/environment';
import { installHost, versionOf, type HostMajor } from '../../host/install';
import { startN8n, type N8n } from '../../host/n8n';
import { dataFolder } from '../../host/paths';
import { fillUserFolder } from '../../host/prepared';
import { N8nRest } from '../../host/rest';
import { startSandbox, type Sandbox } from '../../sandbox';
import { builtPackage } from './package';

export const PASSWORD = 'Local-run-1';
export const CREDENTIAL = 'Sandbox';

/** Major version of n8n that a jest project tests (jest.config.mjs). */
declare const N8N_MAJOR: HostMajor | undefined;

export const major: HostMajor = typeof N8N_MAJOR === 'undefined' ? (process.env.N8N_MAJOR === '1' ? 1 : 2) : N8N_MAJOR;
/** n8n's name and version for test titles. A file that uses it runs once per n8n version. */
export const version = `n8n ${versionOf(major)}`;

export interface HostOptions {
  /** Defaults to the version that the jest project tests. */
  major?: HostMajor;
  /** Packed package to install. Defaults to the built folder. */
  tarball?: string;
  /** Environment variables for n8n that extend or override `QUICK_START`. */
  env?: Record<string, string>;
  credential?: Record<string, string>;
}

export interface Host {
  n8n: N8n;
  rest: N8nRest;
  sandbox: Sandbox;
  userFolder: string;
  credentialId: string;
  credential: Record<string, string>;
  stop: () => Promise<void>;
}

export const packPackage = (): string => builtPackage().tarball;

/** Starts a sandbox and a real n8n with the package and a credential for the sandbox. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const { major: wanted = major, tarball } = options;
  const parent = join(dataFolder, 'e2e');
  mkdirSync(parent, { recursive: true });
  const installation = await installHost((message) => process.stderr.write(`${message}\n`), wanted);
  const userFolder = mkdtempSync(join(parent, 'n8n-'));
  const started: Array<() => Promise<void>> = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
    rmSync(userFolder, { recursive: true, force: true });
  };
  try {
    await fillUserFolder(installation, userFolder, PASSWORD);
    const sandbox = await startSandbox({ port: 0 });
    started.push(async () => await sandbox.stop());
    const env = { ...QUICK_START, ...options.env };
    const n8n = await startN8n({ installation, userFolder, tarball, env, extensions: builtPackage().dist });
    started.push(async () => await n8n.stop());
    return { ...(await signIn(n8n, sandbox, options)), userFolder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Signs in to n8n, and creates the owner and the credential if necessary. */
export async function signIn(
  n8n: N8n,
  sandbox: Sandbox,
  options: HostOptions = {},
): Promise<Omit<Host, 'stop' | 'userFolder'>> {
  const rest = new N8nRest(n8n.baseUrl);
  await rest.signIn(PASSWORD);
  const { merchantId, apiKey } = sandbox.credentials.test;
  const usual = { environment: 'test', baseUrl: sandbox.baseUrl, merchantId, authMethod: 'apiKey', apiKey };
  const credential = { ...usual, ...options.credential };
  const credentialId = await rest.saveCredential(CREDENTIAL, credential);
  return { n8n, rest, sandbox, credentialId, credential };
}
