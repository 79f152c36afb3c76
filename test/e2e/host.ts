import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { installHost, MAJORS, versionOf, type HostMajor } from '../../host/install';
import { startN8n, type N8n } from '../../host/n8n';
import { dataFolder } from '../../host/paths';
import { fillUserFolder } from '../../host/prepared';
import { N8nRest } from '../../host/rest';
import { startSandbox, type Sandbox } from '../../sandbox';
import { builtPackage } from './package';

export const PASSWORD = 'Local-run-1';
export const CREDENTIAL = 'Sandbox';

/** Major versions of n8n to test, newest first. The environment variable N8N_MAJOR=2 or N8N_MAJOR=1 selects one. */
const majors = MAJORS.filter((major) => [undefined, '', String(major)].includes(process.env.N8N_MAJOR));
if (majors.length === 0) throw new Error('N8N_MAJOR must be 1 or 2');

/** Use with `describe.each(hosts)('... on $name', ({ major }) => ...)` for tests on every version of n8n. */
export const hosts = majors.map((major) => ({ major, name: `n8n ${versionOf(major)}` }));
/** The newest tested version, for tests that don't need every version. */
export const newestMajor: HostMajor = majors[0] ?? 2;

export interface HostOptions {
  /** Defaults to the newest version in `hosts`. */
  major?: HostMajor;
  /** A packed package to install (`packPackage()`). Defaults to the built folder. */
  tarball?: string;
  /** Additional environment variables for n8n. */
  env?: Record<string, string>;
  /** Stored values of the sandbox credential that replace or extend the defaults. */
  credential?: Record<string, string>;
}

export interface Host {
  n8n: N8n;
  rest: N8nRest;
  sandbox: Sandbox;
  /** Folder with the data of n8n's processes. */
  userFolder: string;
  credentialId: string;
  /** Values of the credential. */
  credential: Record<string, string>;
  stop: () => Promise<void>;
}

/** Returns the path of the package's tarball, which was packed at the start of the test run. */
export const packPackage = (): string => builtPackage().tarball;

/**
 * Starts a sandbox and a real n8n with the package, a signed-in owner and a credential for the sandbox. `stop` deletes
 * the host's data. One host per test file (`beforeAll`) is sufficient.
 */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const { major = newestMajor, tarball, env } = options;
  const parent = join(dataFolder, 'e2e');
  mkdirSync(parent, { recursive: true });
  const installation = await installHost((message) => process.stderr.write(`${message}\n`), major);
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
    const n8n = await startN8n({ installation, userFolder, tarball, env, extensions: builtPackage().dist });
    started.push(async () => await n8n.stop());
    return { ...(await signIn(n8n, sandbox, options)), userFolder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Signs in to a new or prepared n8n and stores the credential for the sandbox. */
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
